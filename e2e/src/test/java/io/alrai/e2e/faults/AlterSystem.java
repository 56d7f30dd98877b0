package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.ErrorCode;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import java.sql.Connection;
import java.sql.SQLException;

/** ALTER SYSTEM, as a person gives it. Stateless. */
final class AlterSystem {
  private AlterSystem() {}

  /**
   * Repeats a change until it is done: a process that has just been started is not known at once.
   */
  static void awaitDone(Connection admin, String change) {
    ClusterProcess.await(
        change,
        60,
        () -> {
          try {
            Servers.run(admin, "ALTER SYSTEM " + change);
            return true;
          } catch (SQLException e) {
            System.out.println(e.getMessage());
            return false;
          }
        });
  }

  static void assertRefused(Connection admin, String change, String why) {
    SQLException refused =
        assertThrows(SQLException.class, () -> Servers.run(admin, "ALTER SYSTEM " + change));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), refused.getErrorCode());
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
  }
}
