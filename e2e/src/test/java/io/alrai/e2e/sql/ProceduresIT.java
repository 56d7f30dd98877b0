package io.alrai.e2e.sql;

import static io.alrai.e2e.Servers.column;
import static io.alrai.e2e.Servers.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the scripts about procedures cannot compare with a plain mysqld. */
@ExtendWith(Servers.Shared.class)
class ProceduresIT {
  private static final int INTERRUPTED = 1317;
  private static final String ONE_AFTER_THE_OTHER = // no SET of the driver before it streams
      "&allowMultiQueries=true&netTimeoutForStreamingResults=0";
  private static final String FOREVER =
      "CREATE PROCEDURE forever() BEGIN DECLARE i INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR"
          + " SQLEXCEPTION SET i = 0; WHILE TRUE DO SET i = i + 1; END WHILE; END";
  private static final String TABLE =
      "CREATE TABLE t (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 8";

  private static Connection open(Servers servers, String schema, String properties)
      throws SQLException {
    Servers.freshSchema(servers.cluster().port(), schema);
    Connection connection = MiniCluster.connect(servers.cluster().port(), schema, properties);
    run(connection, TABLE, "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30), (4, 40)");
    return connection;
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
    try (ExecutorService threads = Executors.newCachedThreadPool();
        Connection other = servers.cluster().connect("");
        Connection connection = open(servers, "prockill", "")) {
      run(
          connection,
          FOREVER,
          "CREATE PROCEDURE asleep() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;"
              + " WHILE TRUE DO UPDATE t SET b = b + 1 + SLEEP(0.01); END WHILE; END");
      for (String name : List.of("forever", "asleep")) {
        Called called = new Called(connection, id(connection), name, threads);
        called.await(other);
        run(other, "KILL QUERY " + called.id);
        called.requireInterrupted();
        assertEquals(List.of("1"), column(connection, "SELECT 1"));
      }
    }
  }

  private static String id(Connection connection) throws SQLException {
    return column(connection, "SELECT CONNECTION_ID()").getFirst();
  }

  /** A CALL on a connection of its own thread. */
  private static final class Called {
    final String id;
    private final Future<Integer> ended;

    Called(Connection connection, String id, String name, ExecutorService threads) {
      this.id = id;
      ended =
          threads.submit(() ->
              assertThrows(SQLException.class, () -> run(connection, "CALL " + name + "()"))
                  .getErrorCode());
    }

    /** Until others see it. */
    void await(Connection other) {
      ClusterProcess.await("a CALL that others see", () -> isSeen(other));
    }

    private boolean isSeen(Connection other) {
      String seen = "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE 'CALL %'";
      try {
        return column(other, seen).contains(id);
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    void requireInterrupted() throws Exception {
      assertEquals(INTERRUPTED, ended.get(30, TimeUnit.SECONDS));
    }
  }

  /**
   * All threads that could run the CALL are busy when the KILL comes: it is not lost. The answer to
   * the statement before it tells that the CALL has come.
   */
  @Test
  void killOfWhatHasNotBegun(Servers servers) throws Exception {
    AtomicBoolean busy = new AtomicBoolean(true);
    try (Connection other = servers.cluster().connect("");
        Connection connection = open(servers, "prockillearly", ONE_AFTER_THE_OTHER);
        Statement statement = connection.createStatement()) {
      run(connection, FOREVER);
      String id = id(connection);
      CountDownLatch spinning = new CountDownLatch(Runtime.getRuntime().availableProcessors());
      for (long i = spinning.getCount(); i > 0; i--) {
        Thread.startVirtualThread(() -> {
          spinning.countDown();
          while (busy.get()) {
            Thread.onSpinWait();
          }
        });
      }
      spinning.await();
      statement.setFetchSize(Integer.MIN_VALUE); // or the driver waits for all results
      assertTrue(statement.execute("SELECT 1; CALL forever()"));
      try (ResultSet first = statement.getResultSet()) {
        assertTrue(first.next());
        run(other, "KILL QUERY " + id);
        busy.set(false);
        SQLException killed =
            assertThrows(
                SQLException.class,
                () -> {
                  while (first.next()) {}
                  statement.getMoreResults();
                });
        assertEquals(INTERRUPTED, killed.getErrorCode());
      }
    } finally {
      busy.set(false);
    }
  }

  /** More of them than there are processors. */
  @Test
  void endlessLoopsLeaveRoomForOthers(Servers servers) throws Exception {
    List<Connection> connections = new ArrayList<>();
    List<Called> loops = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool();
        Connection other = open(servers, "procloops", "")) {
      run(other, FOREVER);
      for (int i = 0; i < Runtime.getRuntime().availableProcessors() + 2; i++) {
        Connection connection = servers.cluster().connect("procloops");
        connections.add(connection);
        loops.add(new Called(connection, id(connection), "forever", threads));
      }
      for (Called each : loops) {
        each.await(other);
      }
      assertEquals(List.of("100"), column(other, "SELECT SUM(b) FROM t"));
      for (Called each : loops) {
        run(other, "KILL QUERY " + each.id);
        each.requireInterrupted();
      }
    } finally {
      for (Connection connection : connections) {
        connection.close();
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
      assertEquals(List.of("10"), column(connection, "SELECT b FROM t WHERE a = 1"));
      run(other, "CALL bump()");
      SQLException conflict =
          assertThrows(SQLException.class, () -> run(connection, "CALL bump()"));
      assertEquals(1213, conflict.getErrorCode());
      assertEquals(List.of("11"), column(connection, "SELECT b FROM t WHERE a = 1"));
    }
  }

  @Test
  void theyAreThereAfterARestart() throws SQLException {
    try (MiniCluster mini = MiniCluster.start(2)) {
      try (Connection connection = mini.connect("")) {
        run(
            connection,
            "CREATE DATABASE kept",
            "CREATE PROCEDURE kept.p(OUT x INT) BEGIN SET x = 7; END",
            "CREATE USER kept_ann",
            "GRANT EXECUTE ON PROCEDURE kept.p TO kept_ann WITH GRANT OPTION");
      }
      mini.restart();
      try (Connection connection = mini.connect("kept")) {
        run(connection, "CALL p(@x)");
        assertEquals(List.of("7"), column(connection, "SELECT @x"));
        assertEquals(
            List.of("p"),
            column(
                connection,
                "SELECT ROUTINE_NAME FROM information_schema.ROUTINES"
                    + " WHERE ROUTINE_SCHEMA = 'kept'"));
        assertEquals(
            List.of(
                "GRANT USAGE ON *.* TO `kept_ann`@`%`",
                "GRANT EXECUTE ON PROCEDURE `kept`.`p` TO `kept_ann`@`%` WITH GRANT OPTION"),
            column(connection, "SHOW GRANTS FOR kept_ann"));
      }
    }
  }
}
