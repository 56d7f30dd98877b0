package io.alrai.cn.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.tx.Savepoints.Action;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.binlog.DecisionMark;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The names of savepoints. */
final class SavepointsTest {
  private final Savepoints savepoints = new Savepoints();

  private int error(Action action, String name) {
    CompletableFuture<Void> done = savepoints.run(action, name, List.of());
    assertTrue(done.isDone());
    return done.isCompletedExceptionally()
        ? assertInstanceOf(AlraiException.class, done.exceptionNow()).errno()
        : 0;
  }

  @Test
  void namesOfAlraisOwnAreRefused() {
    for (String name :
        List.of(
            DecisionMark.PREFIX + "a:b:c:d:e 1 f",
            Savepoints.OF_STATEMENT.replace("`", ""),
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
  void oneThatIsRolledBackToStaysAndThoseBehindItGo() {
    for (String name : List.of("`a`", "`b`", "`c`")) {
      assertEquals(0, error(Action.SET, name));
    }
    assertEquals(0, error(Action.ROLLBACK_TO, "`B`"));
    assertEquals(2, savepoints.count());
    assertEquals(ErrorCode.ER_SP_DOES_NOT_EXIST.errno(), error(Action.RELEASE, "`c`"));
    assertEquals(0, error(Action.RELEASE, "`a`"));
    assertEquals(0, savepoints.count());
  }
}
