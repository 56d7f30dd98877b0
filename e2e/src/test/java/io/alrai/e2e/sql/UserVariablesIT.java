package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** User variables are the session's own, whatever backend connections its statements use. */
@ExtendWith(Servers.Shared.class)
class UserVariablesIT {
  private static final int ROUNDS = 40;
  private static final int SESSIONS = 6;

  private static String value(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void sessionsOnTheSameBackendsNeverSeeEachOthersVariables(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "uservars");
    List<Connection> sessions = new ArrayList<>();
    try {
      for (int i = 0; i < SESSIONS; i++) {
        sessions.add(MiniCluster.connect(port, "uservars", ""));
      }
      run(
          sessions.getFirst(),
          "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20)) PARTITION BY KEY(a) PARTITIONS 4");
      run(sessions.getFirst(), "INSERT INTO t VALUES (0,'s0'),(1,'s1'),(2,'s2'),(3,'s3'),(4,'s4')");
      Connection without = sessions.getLast();
      for (int round = 0; round < ROUNDS; round++) {
        for (int s = 0; s < SESSIONS - 1; s++) {
          assign(sessions.get(s), s, round);
        }
        for (int s = 0; s < SESSIONS - 1; s++) {
          read(sessions.get(s), s, round);
        }
        for (String name : List.of("@mine", "@name", "@most", "@plus", "@sum", "@here")) {
          assertEquals("null", value(without, "SELECT " + name));
          assertEquals("5", value(without, "SELECT COUNT(*) FROM t WHERE " + name + " IS NULL"));
        }
      }
    } finally {
      for (Connection session : sessions) {
        session.close();
      }
    }
  }

  private static void assign(Connection session, int number, int round) throws SQLException {
    run(session, "SET @mine = " + (number * 1000 + round));
    run(session, "SELECT b INTO @name FROM t WHERE a = " + number);
    run(session, "SET @most = (SELECT MAX(a) + " + number + " FROM t)");
    run(session, "SET @plus = @mine + 1");
    run(session, "SET @sum = 0");
    run(session, "SELECT @sum := @sum + a FROM t, (SELECT @sum := " + number * 1000 + ") i");
    run(session, "SELECT @here := " + number + " FROM t WHERE a = " + number);
  }

  private static void read(Connection session, int number, int round) throws SQLException {
    int mine = number * 1000 + round;
    assertEquals(String.valueOf(mine), value(session, "SELECT @mine"));
    assertEquals(String.valueOf(mine + 1), value(session, "SELECT @plus"));
    assertEquals("s" + number, value(session, "SELECT @name"));
    assertEquals(String.valueOf(number * 1000 + 10), value(session, "SELECT @sum"));
    assertEquals(String.valueOf(number), value(session, "SELECT @here"));
    assertEquals(String.valueOf(4 + number), value(session, "SELECT @most"));
    assertEquals(
        "s" + number,
        value(session, "SELECT b FROM t WHERE b = @name AND a >= 0 ORDER BY a LIMIT 1"));
    run(session, "START TRANSACTION");
    assertEquals(String.valueOf(number), value(session, "SELECT SUM(a) FROM t WHERE b = @name"));
    run(session, "SET @inside = (SELECT COUNT(*) FROM t)");
    assertEquals("5", value(session, "SELECT @inside"));
    run(session, "COMMIT");
  }

  @Test
  void aResetForgetsThem(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    try (Connection session = MiniCluster.connect(port, "", "")) {
      run(session, "SET @gone = 'x'");
      session.unwrap(com.mysql.cj.jdbc.JdbcConnection.class).resetServerState();
      assertEquals("null", value(session, "SELECT @gone"));
    }
  }
}
