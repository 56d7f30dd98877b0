package io.alrai.optimizer.api.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.LockCall;
import io.alrai.optimizer.api.AsciiCollations;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NamedLockPlannerTest {
  private static final Planner.Context CONTEXT =
      new Planner.Context(Catalog.EMPTY, "", false, false);

  private static Work work(String sql) {
    return new AlraiPlanner(AsciiCollations.NONE).plan(ShapedText.of(sql), CONTEXT).work();
  }

  private static AdminStatement.NamedLocks plan(String sql) {
    return (AdminStatement.NamedLocks) ((Work.Administrative) work(sql)).statement();
  }

  private static String text(AdminStatement.NamedLocks locks) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : locks.sql().pieces()) {
      text.append(piece instanceof Piece.Text fixed ? fixed.sql() : "<>");
    }
    return text.toString();
  }

  private static Optional<List<LockCall>> columns(String sql) {
    return plan(sql).calls().columns();
  }

  @Test
  void columnsTellWhatWasGot() {
    assertEquals(Optional.of(List.of(LockCall.GET)), columns("SELECT GET_LOCK('a', 1)"));
    assertEquals(
        Optional.of(List.of(LockCall.OTHER, LockCall.RELEASE, LockCall.RELEASE_ALL)),
        columns("SELECT IS_FREE_LOCK('a') f, (release_lock('a')) r, RELEASE_ALL_LOCKS() LIMIT 1"));
  }

  @Test
  void otherPlacesDoNot() {
    for (String sql :
        List.of(
            "SELECT GET_LOCK('a', 1) = 1",
            "SELECT RELEASE_LOCK('a'), IF(GET_LOCK('a', 1), 2, 3)",
            "SELECT GET_LOCK('a', 1) UNION ALL SELECT GET_LOCK('b', 1)",
            "SELECT (SELECT GET_LOCK('a', 1))",
            "SELECT 1 WHERE GET_LOCK('a', 1)",
            "SELECT GET_LOCK(n, 1) FROM (SELECT 'a' AS n) d",
            "SELECT GET_LOCK('a', 1) LIMIT 1 OFFSET 1")) {
      assertEquals(Optional.empty(), columns(sql), sql);
      assertTrue(plan(sql).calls().takes(), sql);
    }
    assertFalse(plan("SELECT RELEASE_LOCK('a') = 1").calls().takes());
  }

  @Test
  void theOwnerIsASession() {
    String text = text(plan("SELECT IS_USED_LOCK('a'), 1"));
    assertTrue(text.startsWith("SELECT (SELECT CAST("), text);
    assertTrue(text.endsWith("IS_USED_LOCK(<>)) AS `IS_USED_LOCK('a')`,<>"), text);
    assertEquals(
        "SELECT GET_LOCK(<>,<>) AS `GET_LOCK(DATABASE(), 1)`",
        text(plan("SELECT GET_LOCK(DATABASE(), 1)")));
  }

  @Test
  void evaluatingGivesNoRows() {
    assertFalse(plan("DO RELEASE_LOCK('a'), 1").hasRows());
    assertEquals(
        Optional.of(List.of(LockCall.RELEASE, LockCall.OTHER)), columns("DO RELEASE_LOCK('a'), 1"));
    assertTrue(plan("SELECT RELEASE_LOCK('a')").hasRows());
    assertEquals(List.of("r"), plan("SELECT RELEASE_LOCK('a') INTO @R").into());
  }

  @Test
  void namesAloneAreNoCalls() {
    assertTrue(work("SELECT get_lock FROM (SELECT 1 AS get_lock) d") instanceof Work.Data);
    assertTrue(work("SELECT 'GET_LOCK(1)'") instanceof Work.Data);
  }
}
