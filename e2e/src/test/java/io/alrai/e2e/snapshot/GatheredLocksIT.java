package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.e2e.Servers;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** Locking clauses of a SELECT whose tables are brought together, t and u of two table groups. */
@ExtendWith(Servers.Shared.class)
class GatheredLocksIT {
  private static final int KEYS = 8;
  private static final int LOCK_NOWAIT = 3572;
  private static final String JOIN = "SELECT COUNT(*) FROM t JOIN u ON t.a = u.v ";

  private static TwoSessions open(Servers servers, String schema) throws SQLException {
    TwoSessions sessions = TwoSessions.open(servers, schema, KEYS);
    sessions.run("CREATE TABLE u (id INT PRIMARY KEY, v INT) PARTITION BY KEY(id) PARTITIONS 3");
    sessions.run("INSERT INTO u VALUES (1, 1), (2, 2), (3, 3)");
    sessions.run("SET innodb_lock_wait_timeout = 1");
    sessions.others("SET innodb_lock_wait_timeout = 1");
    sessions.others("BEGIN");
    sessions.others("SELECT * FROM t WHERE a = 1 FOR UPDATE");
    sessions.run("BEGIN");
    return sessions;
  }

  private static void refused(Executable statement) {
    assertEquals(LOCK_NOWAIT, assertThrows(SQLException.class, statement).getErrorCode());
  }

  @Test
  void nowaitRefusesAtOnce(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "gatheredfail")) {
      refused(() -> sessions.run(JOIN + "FOR UPDATE NOWAIT"));
      refused(() -> sessions.run(JOIN + "FOR SHARE OF t NOWAIT"));
    }
  }

  @Test
  void lockedRowsAreLeftOut(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "gatheredskip")) {
      assertEquals(2, sessions.number(JOIN + "FOR UPDATE SKIP LOCKED"));
    }
  }

  @Test
  void onlyTheTablesThatAreNamedAreLocked(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "gatheredof")) {
      assertEquals(3, sessions.number(JOIN + "FOR UPDATE OF u NOWAIT"));
      sessions.others("UPDATE t SET b = 1 WHERE a = 2");
      refused(() -> sessions.others("SELECT * FROM u WHERE id = 3 FOR UPDATE NOWAIT"));
    }
  }
}
