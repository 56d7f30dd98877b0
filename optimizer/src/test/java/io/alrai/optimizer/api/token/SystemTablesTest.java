package io.alrai.optimizer.api.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SystemTablesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          t     | SELECT * FROM t
          t u   | SELECT * FROM t x JOIN u ON x.a = (1), LATERAL (SELECT 1) l
          t u   | SELECT * FROM (t, (u))
          t u   | SELECT EXTRACT(YEAR FROM a) FROM t WHERE a IN (TABLE u)
          t u v | SELECT 1 FROM t UNION SELECT 2 FROM u UNION TABLE v
          t     | WITH c AS (SELECT 1 FROM t) SELECT * FROM c
          t     | WITH c (a) AS (TABLE t), d AS (SELECT * FROM c) SELECT * FROM d, c
          t t   | SELECT * FROM t, (WITH t AS (SELECT 1 FROM t) SELECT * FROM t) x
          u     | WITH RECURSIVE t AS (SELECT 1 FROM u UNION SELECT 1 FROM t) SELECT * FROM t
          t     | SELECT * FROM t, (WITH t AS (SELECT 1) SELECT * FROM t) x
          t     | SELECT SUM(a) OVER t FROM t WINDOW t AS (ORDER BY a)
          t u   | SELECT * FROM t USE INDEX FOR JOIN (a), u
          t u   | SELECT * FROM t FORCE KEY FOR ORDER BY (a) IGNORE INDEX FOR GROUP BY (b) JOIN u
          t u   | SELECT * FROM t USE INDEX (a), u FOR UPDATE OF t
          t u   | SELECT * FROM t GROUP BY a WITH ROLLUP HAVING a = (SELECT 1 FROM u)
          t     | SELECT * FROM JSON_TABLE('[]', '$' COLUMNS (a INT PATH '$')) j, t
          """)
  void theTablesThatAQueryReads(String tables, String query) {
    assertEquals(
        tables,
        SystemTables.usesIn(new TokenCursor(query, false, false)).stream()
            .map(use -> use.name().table())
            .collect(Collectors.joining(" ")));
  }

  /** In time that grows as the text does: each table was compared with each expression. */
  @Test
  @Timeout(60)
  void manyTablesAndExpressions() {
    int count = 60_000;
    String expressions =
        IntStream.range(0, count)
            .mapToObj(i -> "c" + i + " AS (SELECT 1)")
            .collect(Collectors.joining(","));
    String tables =
        IntStream.range(0, count).mapToObj(i -> "c" + i).collect(Collectors.joining(","));
    String query = "WITH " + expressions + " SELECT * FROM t," + tables;
    assertEquals(1, SystemTables.usesIn(new TokenCursor(query, false, false)).size());
    String nested = "WITH c AS (".repeat(count) + "SELECT 1" + ") SELECT 1".repeat(count);
    assertEquals(0, SystemTables.usesIn(new TokenCursor(nested, false, false)).size());
  }

  @Test
  void aTextOfTooManyWordsIsRefusedBeforeTheyFillTheMemory() {
    String text = "SET @a = 1" + "+1".repeat(1 << 20);
    AlraiException refused =
        assertThrows(AlraiException.class, () -> new TokenCursor(text, false, false));
    assertEquals(1041, refused.errno());
    assertEquals(
        4, new TokenCursor("SET @a = '" + "1+".repeat(1 << 20) + "'", false, false).size());
  }
}
