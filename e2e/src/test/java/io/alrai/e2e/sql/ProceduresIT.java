package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the scripts about procedures cannot compare with a plain mysqld. */
@ExtendWith(Servers.Shared.class)
class ProceduresIT {
  private static final int INTERRUPTED = 1317;
  private static final String TABLE =
      "CREATE TABLE t (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 8";

  private static Connection open(Servers servers, String schema, String properties)
      throws SQLException {
    Servers.freshSchema(servers.cluster().port(), schema);
    Connection connection = MiniCluster.connect(servers.cluster().port(), schema, properties);
    run(connection, TABLE, "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30), (4, 40)");
    return connection;
  }

  private static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static List<String> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        rows.add(result.getString(1));
      }
      return rows;
    }
  }

  @Test
  void callableStatements(Servers servers) throws SQLException {
    callableStatements(servers, "");
    callableStatements(servers, "&useServerPrepStmts=true");
    callableStatements(servers, "&useInformationSchema=true");
  }

  private static void callableStatements(Servers servers, String properties) throws SQLException {
    String schema = "proccall" + properties.length();
    try (Connection connection = open(servers, schema, properties)) {
      run(
          connection,
          "CREATE PROCEDURE totals(IN low INT, OUT n INT, OUT total DECIMAL(20,2), INOUT tag"
              + " VARCHAR(40)) BEGIN SELECT a, b FROM t WHERE a >= low ORDER BY a; SELECT COUNT(*),"
              + " SUM(b) INTO n, total FROM t WHERE a >= low; SET tag = CONCAT(tag, '!'); END");
      try (CallableStatement call = connection.prepareCall("{CALL totals(?, ?, ?, ?)}")) {
        for (int low = 1; low <= 3; low++) {
          call.setInt(1, low);
          call.registerOutParameter(2, Types.INTEGER);
          call.registerOutParameter(3, Types.DECIMAL);
          call.setString("tag", "from " + low);
          call.registerOutParameter("tag", Types.VARCHAR);
          assertTrue(call.execute());
          int rows = 0;
          try (ResultSet result = call.getResultSet()) {
            while (result.next()) {
              assertEquals(result.getInt("a") * 10, result.getInt("b"));
              rows++;
            }
          }
          assertEquals(5 - low, rows);
          assertFalse(call.getMoreResults());
          assertEquals(5 - low, call.getInt(2));
          assertEquals(low == 1 ? 100 : low == 2 ? 90 : 70, call.getBigDecimal("total").intValue());
          assertEquals("from " + low + "!", call.getString(4));
        }
      }
    }
  }

  @Test
  void killEndsALoop(Servers servers) throws Exception {
    try (Connection connection = open(servers, "prockill", "");
        Connection other = servers.cluster().connect("prockill");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      run(
          connection,
          "CREATE PROCEDURE forever() BEGIN DECLARE i INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR"
              + " SQLEXCEPTION SET i = 0; WHILE TRUE DO SET i = i + 1; END WHILE; END",
          "CREATE PROCEDURE asleep() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;"
              + " WHILE TRUE DO UPDATE t SET b = b + 1 + SLEEP(0.01); END WHILE; END");
      String id = rows(connection, "SELECT CONNECTION_ID()").getFirst();
      for (String name : List.of("forever", "asleep")) {
        Future<Integer> ended =
            threads.submit(() ->
                assertThrows(SQLException.class, () -> run(connection, "CALL " + name + "()"))
                    .getErrorCode());
        while (rows(
                other,
                "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'CALL "
                    + name
                    + "%'")
            .getFirst()
            .equals("0")) {
          Thread.onSpinWait();
        }
        run(other, "KILL QUERY " + id);
        assertEquals(INTERRUPTED, ended.get(30, TimeUnit.SECONDS));
        assertEquals(List.of("1"), rows(connection, "SELECT 1"));
      }
    }
  }

  /** A result that broke is ended before the handler's own. */
  @Test
  void severalResultsAroundAnError(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "procresults", "");
        Statement statement = connection.createStatement()) {
      run(
          connection,
          "CREATE PROCEDURE p() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SELECT 'handled';"
              + " SELECT 'first'; SELECT a FROM nosuch; SELECT COUNT(*) FROM t; END");
      List<String> seen = new ArrayList<>();
      boolean result = statement.execute("CALL p()");
      while (result) {
        try (ResultSet rows = statement.getResultSet()) {
          while (rows.next()) {
            seen.add(rows.getString(1));
          }
        }
        result = statement.getMoreResults();
      }
      assertEquals(List.of("first", "handled", "4"), seen);
      assertEquals(0, statement.getUpdateCount());
    }
  }

  @Test
  void strictSnapshotsHoldWithin(Servers servers) throws SQLException {
    try (Connection connection = open(servers, "procstrict", "");
        Connection other = servers.cluster().connect("procstrict")) {
      run(
          connection,
          "CREATE PROCEDURE bump() BEGIN UPDATE t SET b = b + 1 WHERE a = 1; END",
          "SET snapshot_isolation_conflicts = ON",
          "START TRANSACTION WITH CONSISTENT SNAPSHOT");
      assertEquals(List.of("10"), rows(connection, "SELECT b FROM t WHERE a = 1"));
      run(other, "CALL bump()");
      SQLException conflict =
          assertThrows(SQLException.class, () -> run(connection, "CALL bump()"));
      assertEquals(1213, conflict.getErrorCode());
      assertEquals(List.of("11"), rows(connection, "SELECT b FROM t WHERE a = 1"));
    }
  }

  @Test
  void theyAreThereAfterARestart() throws SQLException {
    try (MiniCluster mini = MiniCluster.start(2)) {
      try (Connection connection = mini.connect("")) {
        run(
            connection,
            "CREATE DATABASE kept",
            "CREATE PROCEDURE kept.p(OUT x INT) BEGIN SET x = 7; END");
      }
      mini.restart();
      try (Connection connection = mini.connect("kept")) {
        run(connection, "CALL p(@x)");
        assertEquals(List.of("7"), rows(connection, "SELECT @x"));
        assertEquals(
            List.of("p"),
            rows(
                connection,
                "SELECT ROUTINE_NAME FROM information_schema.ROUTINES"
                    + " WHERE ROUTINE_SCHEMA = 'kept'"));
      }
    }
  }
}
