package io.alrai.optimizer.api.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.parse.TemplateTexts;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetRowsTest {
  private static Optional<TargetRows> rows(String sql) {
    return TargetRows.of(ShapedText.of(sql), LexicalMode.DEFAULT);
  }

  private static String text(SqlTemplate template) {
    return TemplateTexts.of(template).strip().replaceAll("\\s+", " ");
  }

  private static void check(String sql, String consistent, String locks) {
    TargetRows rows = rows(sql).orElseThrow();
    assertEquals(consistent, text(rows.consistent()));
    assertEquals(consistent + " " + locks, text(rows.locking()));
  }

  @Test
  void writesReadTheRowsThatTheyFind() {
    check("UPDATE t SET b = 5 WHERE a = 7", "SELECT * FROM t WHERE a = <?1>", "FOR UPDATE");
    check("UPDATE t SET b = (1 + 2);", "SELECT * FROM t", "FOR UPDATE");
    check(
        "UPDATE LOW_PRIORITY t x SET x.b = 5 WHERE (a = 7) ORDER BY a DESC LIMIT 3",
        "SELECT * FROM t x WHERE (a = <?1>) ORDER BY a DESC LIMIT <?2>",
        "FOR UPDATE");
    check("DELETE FROM t LIMIT 2", "SELECT * FROM t LIMIT <?0>", "FOR UPDATE");
    check(
        "DELETE x FROM t x JOIN s ON x.a = s.a AND s.c = 4",
        "SELECT * FROM t x JOIN s ON x.a = s.a AND s.c = <?0>",
        "FOR UPDATE");
  }

  @Test
  void lockingReadsReadWholeRowsOrTheirResult() {
    check(
        "SELECT SUM(b) + 1 FROM t WHERE a > 2 FOR UPDATE",
        "SELECT * FROM t WHERE a > <?1>",
        "FOR UPDATE");
    check(
        "SELECT b x FROM t ORDER BY x LOCK IN SHARE MODE", "SELECT * FROM t", "LOCK IN SHARE MODE");
    check(
        "SELECT b INTO @b FROM t WHERE a = 2 FOR SHARE NOWAIT",
        "SELECT * FROM t WHERE a = <?0>",
        "FOR SHARE NOWAIT");
    check(
        "SELECT b FROM t WHERE a = 2 FOR UPDATE INTO @b",
        "SELECT * FROM t WHERE a = <?0>",
        "FOR UPDATE");
    check(
        "SELECT b FROM t ORDER BY a LIMIT 1 FOR UPDATE",
        "SELECT b FROM t ORDER BY a LIMIT <?0>",
        "FOR UPDATE");
    check("SELECT b FROM t GROUP BY b FOR UPDATE", "SELECT b FROM t GROUP BY b", "FOR UPDATE");
  }

  @Test
  void othersLockNothingOrWhatIsFree() {
    assertTrue(rows("SELECT b FROM t").isEmpty());
    assertTrue(rows("SELECT b FROM t FOR UPDATE SKIP LOCKED").isEmpty());
    assertTrue(rows("INSERT INTO t VALUES (1,2),(3,4)").isEmpty());
    assertTrue(rows("INSERT INTO t SELECT * FROM s").isEmpty());
  }

  @Test
  void whatReadsOtherRowsIsRefused() {
    for (String sql :
        new String[] {
          "REPLACE INTO t VALUES (1,2)",
          "REPLACE INTO t SELECT 1, 2",
          "INSERT INTO t VALUES (1,2) ON DUPLICATE KEY UPDATE b = 3",
          "UPDATE t SET b = (SELECT MAX(b) FROM s)",
          "DELETE FROM t WHERE a IN (TABLE s)",
          "WITH x AS (SELECT 1) DELETE FROM t",
          "UPDATE (t, s) SET t.b = 1"
        }) {
      AlraiException refused = assertThrows(AlraiException.class, () -> rows(sql), sql);
      assertEquals(ErrorCode.ER_NOT_SUPPORTED_YET.errno(), refused.errno());
    }
  }
}
