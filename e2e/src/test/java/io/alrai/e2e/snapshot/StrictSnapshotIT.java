package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code snapshot_isolation_conflicts}: the first updater of a row wins. */
@ExtendWith(Servers.Shared.class)
class StrictSnapshotIT {
  private static final int KEYS = 8;
  private static final int DEADLOCK = 1213;
  private static final int NOT_SUPPORTED = 1235;
  private static final int WRONG_VALUE_FOR_VAR = 1231;
  private static final String READ = "SELECT SUM(b) FROM t";

  private static TwoSessions open(Servers servers, String schema) throws SQLException {
    TwoSessions sessions = TwoSessions.open(servers, schema, KEYS);
    sessions.run("SET snapshot_isolation_conflicts = ON");
    return sessions;
  }

  private static void begin(TwoSessions sessions) throws SQLException {
    sessions.run("BEGIN");
    sessions.number(READ);
  }

  /** What others do makes the statement fail, and undoes the transaction. */
  private static void conflict(TwoSessions sessions, String others, String mine)
      throws SQLException {
    sessions.others("DELETE FROM t WHERE a > " + KEYS);
    sessions.others("REPLACE INTO t VALUES (1,0),(2,0),(3,0),(4,0),(5,0),(6,0),(7,0),(8,0)");
    begin(sessions);
    sessions.others(others);
    int errno =
        assertThrows(SQLException.class, () -> sessions.run(mine), others + "; " + mine)
            .getErrorCode();
    assertEquals(DEADLOCK, errno, mine);
    int now = sessions.number(READ);
    sessions.run("COMMIT");
    assertEquals(now, sessions.number(READ));
  }

  @Test
  void withoutItTheLastUpdaterWinsAsWithMysql(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "strictoff")) {
      sessions.run("SET snapshot_isolation_conflicts = DEFAULT");
      begin(sessions);
      sessions.others("UPDATE t SET b = 7 WHERE a = 1");
      sessions.run("UPDATE t SET b = 1 WHERE a = 1");
      sessions.run("COMMIT");
      assertEquals(1, sessions.number("SELECT b FROM t WHERE a = 1"));
    }
  }

  @Test
  void whatTheClientsCharacterSetHasNotIsCompared(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "strictset")) {
      sessions.others("CREATE TABLE u (a INT PRIMARY KEY, c VARCHAR(9) CHARACTER SET utf8mb4)");
      sessions.others("INSERT INTO u VALUES (1, _utf8mb4 x'E697A5')");
      sessions.run("SET character_set_results = latin1");
      begin(sessions);
      sessions.others("UPDATE u SET c = _utf8mb4 x'E69CAC'");
      SQLException overwrites =
          assertThrows(SQLException.class, () -> sessions.run("UPDATE u SET c = 'x'"));
      assertEquals(DEADLOCK, overwrites.getErrorCode());
    }
  }

  @Test
  void aCopyIsOneOfTheSnapshot(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "strictcopy")) {
      sessions.run("CREATE TABLE copied (a INT PRIMARY KEY, b INT)");
      sessions.run("BEGIN");
      int seen = sessions.number(READ);
      sessions.others("UPDATE t SET b = b + 7 WHERE a = 1");
      sessions.run("INSERT INTO copied SELECT a + 100, b FROM t");
      assertEquals(seen, sessions.number("SELECT SUM(b) FROM copied"));
      sessions.run("COMMIT");
    }
  }

  @Test
  void noUpdateIsLostOnAnyDn(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "strictkeys")) {
      for (int a = 1; a <= KEYS; a++) {
        String where = " WHERE a = " + a;
        conflict(sessions, "UPDATE t SET b = 7" + where, "UPDATE t SET b = 1" + where);
        assertEquals(7, sessions.number("SELECT b FROM t" + where));
      }
      conflict(sessions, "UPDATE t SET b = 7", "UPDATE t SET b = b + 1");
    }
  }

  @Test
  void rowsThatComeGoOrNoLongerMatchAreConflicts(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "strictrows")) {
      String write = "UPDATE t SET b = b + 10 WHERE b = 1";
      conflict(sessions, "UPDATE t SET b = 1 WHERE a = 3", write);
      conflict(sessions, "INSERT INTO t VALUES (20,1)", write);
      conflict(sessions, "DELETE FROM t WHERE a = 4", "UPDATE t SET b = 1 WHERE b = 0");
      conflict(sessions, "UPDATE t SET b = 9 WHERE a = 5", "DELETE FROM t WHERE b = 0");
      conflict(sessions, "DELETE FROM t WHERE a = 6", "DELETE FROM t WHERE a = 6");
    }
  }

  @Test
  void everyStatementThatWritesOrLocksRowsIsChecked(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "strictforms")) {
      sessions.others("CREATE TABLE all_dns (a INT PRIMARY KEY, b INT) BROADCAST");
      sessions.others("INSERT INTO all_dns VALUES (1,0)");
      String others = "UPDATE t SET b = 7";
      for (String mine :
          List.of(
              "SELECT b FROM t WHERE a = 1 FOR UPDATE",
              "SELECT b FROM t WHERE a IN (1,2,3) ORDER BY b FOR SHARE",
              "SELECT SUM(b) FROM t LOCK IN SHARE MODE",
              "SELECT a, b FROM t ORDER BY a LIMIT 3 FOR UPDATE",
              "SELECT b INTO @b FROM t WHERE a = 2 FOR UPDATE",
              "SELECT COUNT(*) c, b FROM t GROUP BY b FOR UPDATE",
              "DELETE FROM t WHERE (a = 3);",
              "DELETE FROM t",
              "UPDATE t SET b = (b + 1) ORDER BY a LIMIT 2",
              "UPDATE t SET a = a + 100 WHERE a = 2",
              "UPDATE t x JOIN t y ON x.a = y.a SET x.b = 5 WHERE y.b = 0",
              "DELETE x FROM t x JOIN t y ON x.a = y.a")) {
        conflict(sessions, others, mine);
      }
      conflict(sessions, "UPDATE all_dns SET b = b + 1", "UPDATE all_dns SET b = 9");
      begin(sessions);
      sessions.others("UPDATE t SET b = 8 WHERE a = 5");
      try (PreparedStatement update =
          sessions.mine().prepareStatement("UPDATE t SET b = ? WHERE a = ?")) {
        update.setInt(1, 3);
        update.setInt(2, 5);
        assertEquals(
            DEADLOCK, assertThrows(SQLException.class, update::executeUpdate).getErrorCode());
      }
    }
  }

  @Test
  void whoIsAloneIsNotDisturbed(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "strictalone")) {
      begin(sessions);
      sessions.others("UPDATE t SET b = 7 WHERE a = 1");
      for (int i = 0; i < 3; i++) {
        sessions.run("UPDATE t SET b = b + 1 WHERE a > 1");
      }
      sessions.run("UPDATE t SET b = b + 1 WHERE a = 2 AND b = 3");
      sessions.run("INSERT INTO t VALUES (30, 1)");
      sessions.run("DELETE FROM t WHERE a = 8");
      sessions.run("UPDATE t SET b = 0 WHERE a = 30");
      assertEquals(4, sessions.number("SELECT b FROM t WHERE a = 2 FOR UPDATE"));
      sessions.run("COMMIT");
      assertEquals(7 + 4 + 5 * 3, sessions.number(READ));
      sessions.run("UPDATE t SET b = 1");
      sessions.run("BEGIN");
      sessions.run("UPDATE t SET b = 2 WHERE a = 1");
      sessions.run("ROLLBACK");
    }
  }

  @Test
  void whatCannotBeComparedIsRefused(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "strictrefuse")) {
      begin(sessions);
      for (String mine :
          List.of(
              "REPLACE INTO t VALUES (1,5)",
              "INSERT INTO t VALUES (1,5) ON DUPLICATE KEY UPDATE b = 5",
              "REPLACE INTO t SELECT a, b FROM t",
              "UPDATE t SET b = 1 WHERE a IN (SELECT a FROM (SELECT 1 a) x)")) {
        int errno = assertThrows(SQLException.class, () -> sessions.run(mine), mine).getErrorCode();
        assertEquals(NOT_SUPPORTED, errno, mine);
      }
      sessions.run("UPDATE t SET b = 1");
      sessions.run("COMMIT");
      assertEquals(KEYS, sessions.number(READ));
      sessions.run("REPLACE INTO t VALUES (1,5)");
    }
  }

  @Test
  void itIsAVariableOfTheSessionAndOfTheCn(Servers servers) throws SQLException {
    try (TwoSessions sessions = open(servers, "strictvar")) {
      assertEquals(1, sessions.number("SELECT @@snapshot_isolation_conflicts"));
      assertEquals(0, sessions.number("SELECT @@GLOBAL.snapshot_isolation_conflicts"));
      String wrong = "SET snapshot_isolation_conflicts = 'some'";
      assertEquals(
          WRONG_VALUE_FOR_VAR,
          assertThrows(SQLException.class, () -> sessions.run(wrong)).getErrorCode());
      sessions.run("SET GLOBAL snapshot_isolation_conflicts = 1");
      try (TwoSessions later = open(servers, "strictvar")) {
        later.run("SET snapshot_isolation_conflicts = 0");
        assertEquals(0, later.number("SELECT @@snapshot_isolation_conflicts"));
        later.run("SET snapshot_isolation_conflicts = DEFAULT");
        assertEquals(1, later.number("SELECT @@SESSION.snapshot_isolation_conflicts"));
      } finally {
        sessions.run("SET GLOBAL snapshot_isolation_conflicts = DEFAULT");
      }
      assertEquals(0, sessions.number("SELECT @@GLOBAL.snapshot_isolation_conflicts"));
    }
  }

  @Test
  void countersOnTwoDnsLoseNoIncrement(Servers servers) throws Exception {
    int port = servers.cluster().port();
    Servers.freshRows(port, "strictcount", KEYS, 0);
    int writers = 4;
    int rounds = 25;
    int conflicts = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        all.add(threads.submit(() -> count(port, rounds)));
      }
      for (Future<Integer> one : all) {
        conflicts += one.get();
      }
    }
    try (Connection connection = MiniCluster.connect(port, "strictcount", "");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT MIN(b), MAX(b) FROM t WHERE a < 5")) {
      rows.next();
      assertEquals(writers * rounds, rows.getInt(1));
      assertEquals(writers * rounds, rows.getInt(2));
    }
    assertTrue(conflicts > 0, "nobody met anybody");
  }

  /** Adds one to four rows, by values that were read; gives how often that was begun anew. */
  private static int count(int port, int rounds) throws SQLException {
    int conflicts = 0;
    try (Connection connection = MiniCluster.connect(port, "strictcount", "");
        Statement statement = connection.createStatement()) {
      statement.execute("SET snapshot_isolation_conflicts = ON");
      for (int done = 0; done < rounds; ) {
        try {
          statement.execute("BEGIN");
          for (int a = 1; a <= 4; a++) {
            int seen;
            try (ResultSet rows = statement.executeQuery("SELECT b FROM t WHERE a = " + a)) {
              rows.next();
              seen = rows.getInt(1);
            }
            statement.execute("UPDATE t SET b = " + (seen + 1) + " WHERE a = " + a);
          }
          statement.execute("COMMIT");
          done++;
        } catch (SQLException e) {
          assertEquals(DEADLOCK, e.getErrorCode(), e.getMessage());
          conflicts++;
        }
      }
    }
    return conflicts;
  }
}
