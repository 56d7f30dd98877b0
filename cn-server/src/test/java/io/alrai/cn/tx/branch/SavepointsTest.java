package io.alrai.cn.tx.branch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.cn.tx.branch.Savepoints.Action;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.binlog.DecisionMark;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names of savepoints. */
final class SavepointsTest {
  private final Savepoints savepoints = new Savepoints();

  private int error(Action action, String name) {
    try {
      savepoints.note(action, name);
      return 0;
    } catch (AlraiException e) {
      return e.errno();
    }
  }

  private String sql(Action action, String name) {
    return savepoints.note(action, name).text();
  }

  /** A mysqld would read names in the session's character set, and take some for the same. */
  @Test
  void mysqldsGetNumbersForNames() {
    assertEquals("SAVEPOINT `alrai:1`", sql(Action.SET, "\u6771'`"));
    assertEquals("SAVEPOINT `alrai:2`", sql(Action.SET, "a"));
    assertEquals("SAVEPOINT `alrai:3`", sql(Action.SET, "b"));
    assertEquals("SAVEPOINT `alrai:2`", sql(Action.SET, "\u00c1"));
    assertEquals("ROLLBACK TO SAVEPOINT `alrai:3`", sql(Action.ROLLBACK_TO, "B"));
    assertEquals(ErrorCode.ER_SP_DOES_NOT_EXIST.errno(), error(Action.RELEASE, "A"));
    assertEquals("SAVEPOINT `alrai:4`", sql(Action.SET, Savepoints.OF_STATEMENT));
    assertEquals("RELEASE SAVEPOINT `alrai:1`", sql(Action.RELEASE, "\u6771'`"));
    savepoints.clear();
    assertEquals("SAVEPOINT `alrai:1`", sql(Action.SET, "x"));
  }

  @Test
  void namesAreComparedAsByAMysqld() {
    assertEquals(SavepointName.key("stra\u00dfe"), SavepointName.key("STRASE"));
    assertEquals(SavepointName.key("\u0401\u03ac\uff41"), SavepointName.key("\u0435\u0391\uff21"));
    assertNotEquals(SavepointName.key("\u0419"), SavepointName.key("\u0418"));
    assertNotEquals(SavepointName.key("a"), SavepointName.key("a "));
  }

  @Test
  void namesOfAlraisOwnAreRefused() {
    for (String name :
        List.of(
            DecisionMark.PREFIX + "a:b:c:d:e 1 f",
            Savepoints.OF_STATEMENT,
            "Alrai:STATEMENT",
            "\u00e1lr\u00e0i:statement")) {
      AlraiException refused =
          assertThrows(AlraiException.class, () -> Savepoints.requireOfClient(name), name);
      assertEquals(ErrorCode.ER_NOT_SUPPORTED_YET.errno(), refused.errno());
    }
    Savepoints.requireOfClient("alrai");
    Savepoints.requireOfClient("__alrai_statement");
  }

  @Test
  void aNameWithASemicolonNeverStandsBesideOtherStatements() {
    assertEquals(0, error(Action.SET, "`a;DROP TABLE t`"));
    assertEquals(0, error(Action.SET, "`b;`"));
    assertEquals(";SAVEPOINT `alrai:1`;SAVEPOINT `alrai:2`", savepoints.text().text());
    assertEquals(0, error(Action.ROLLBACK_TO, "`A;drop table t`"));
    assertEquals(";SAVEPOINT `alrai:1`", savepoints.text().text());
    assertEquals(0, error(Action.SET, "`a;drop table t`"));
    assertEquals(";SAVEPOINT `alrai:1`", savepoints.text().text());
  }

  @Test
  void oneThatIsRolledBackToStaysAndThoseBehindItGo() {
    for (String name : List.of("a", "b", "c")) {
      assertEquals(0, error(Action.SET, name));
    }
    assertEquals(0, error(Action.ROLLBACK_TO, "B"));
    assertEquals(2, savepoints.count());
    assertEquals(ErrorCode.ER_SP_DOES_NOT_EXIST.errno(), error(Action.RELEASE, "c"));
    assertEquals(0, error(Action.RELEASE, "a"));
    assertEquals(0, savepoints.count());
  }
}
