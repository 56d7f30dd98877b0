package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Statements under CCL rules, with real mysqlds. */
@ExtendWith(Servers.Shared.class)
class CclRulesIT {
  private static final String SCHEMA = "it's `ccl`";
  private static final String HERE = "`it's ``ccl```";
  private static final String RULE = "`it's %s a ``rule```";
  private static final String TOLD = "it's %s a `rule`";

  private final int port;

  CclRulesIT(Servers servers) {
    this.port = servers.cluster().port();
  }

  private Connection open(String options) throws SQLException {
    Connection connection = MiniCluster.connect(port, "", options);
    Servers.run(connection, "USE " + HERE);
    return connection;
  }

  private List<String> shown() throws SQLException {
    try (Connection connection = open("");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW CCL_RULE " + RULE)) {
      assertTrue(row.next());
      assertEquals(TOLD, row.getString("RULE_NAME"));
      return List.of(
          row.getString("RUNNING"),
          row.getString("WAITING"),
          row.getString("KILLED"),
          row.getString("TOTAL_MATCH"));
    }
  }

  private void rule(String rest) throws SQLException {
    try (Connection connection = open("")) {
      Servers.run(connection, "CREATE CCL_RULE " + RULE + " " + rest);
    }
  }

  @BeforeEach
  void begin() throws SQLException {
    Servers.freshSchema(port, SCHEMA);
    try (Connection connection = open("")) {
      Servers.run(connection, "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20))");
      Servers.run(connection, "INSERT INTO t VALUES (1,'x'),(2,'y')");
    }
  }

  @AfterEach
  void end() throws SQLException {
    try (Connection connection = open("")) {
      Servers.run(connection, "CLEAR CCL_RULES");
    }
  }

  /** As text and prepared; they sleep at their mysqlds. */
  @Test
  void neverMoreThanTwoOfTwenty() throws Exception {
    rule("ON " + HERE + ".t FOR SELECT WITH MAX_CONCURRENCY=2, WAIT_QUEUE_SIZE=18");
    long start = System.nanoTime();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        boolean prepared = i % 2 == 0;
        answers.add(clients.submit(() -> read(prepared)));
      }
      int most = 0;
      while (answers.stream().anyMatch(answer -> !answer.isDone())) {
        most = Math.max(most, Integer.parseInt(shown().getFirst()));
      }
      int seen = most;
      assertTrue(seen <= 2, () -> seen + " at work");
      for (Future<Integer> answer : answers) {
        assertEquals(1, answer.get());
      }
    }
    // two at a time, 50 ms each: less than 500 ms would be three at a time
    assertTrue(System.nanoTime() - start >= 495_000_000L);
    ClusterProcess.await("free places", () -> counts("0", "0"));
    assertEquals(List.of("0", "0", "0", "20"), shown());
  }

  private int read(boolean prepared) throws SQLException {
    String sql = "SELECT a, SLEEP(0.05) FROM t WHERE a = ?";
    try (Connection connection = open(prepared ? "&useServerPrepStmts=true" : "");
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, 1);
      try (ResultSet row = statement.executeQuery()) {
        assertTrue(row.next());
        return row.getInt(1);
      }
    }
  }

  @Test
  void thoseWhoWaitAreKilledRefusedAndGoOnInTheirOrder() throws Exception {
    rule("ON *.t FOR UPDATE WITH MAX_CONCURRENCY=1, WAIT_QUEUE_SIZE=2, WAIT_TIMEOUT=60");
    try (Connection holder = open("");
        Connection writer = open("");
        Connection second = open("");
        Connection third = open("");
        Connection fourth = open("");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      String victim = Servers.column(second, "SELECT CONNECTION_ID()").getFirst();
      holder.setAutoCommit(false);
      Servers.run(holder, "INSERT INTO t VALUES (3,'z')");
      Future<?> working = threads.submit(updates(writer, 3));
      ClusterProcess.await("one at work", () -> counts("1", "0"));
      Future<?> killed = threads.submit(updates(second, 1));
      ClusterProcess.await("one that waits", () -> counts("1", "1"));
      Future<?> next = threads.submit(updates(third, 1));
      ClusterProcess.await("two that wait", () -> counts("1", "2"));
      assertEquals(
          List.of(List.of("Waiting for ccl rule " + TOLD), List.of("Waiting for ccl rule " + TOLD)),
          Servers.cells(
              port,
              "",
              "SELECT STATE FROM information_schema.PROCESSLIST WHERE INFO LIKE 'UPDATE t %' AND"
                  + " STATE LIKE 'Waiting for ccl%'"));
      assertEquals(3009, errno(threads.submit(updates(fourth, 2))));
      Servers.run(holder, "KILL QUERY " + victim);
      assertEquals(1317, errno(killed));
      Future<?> last = threads.submit(updates(fourth, 2));
      ClusterProcess.await("one more that waits", () -> counts("1", "2"));
      holder.commit();
      working.get();
      next.get();
      last.get();
      ClusterProcess.await("free places", () -> counts("0", "0"));
      assertEquals(List.of("0", "0", "1", "5"), shown());
    }
  }

  private boolean counts(String running, String waiting) {
    try {
      return shown().subList(0, 2).equals(List.of(running, waiting));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Callable<Void> updates(Connection connection, int a) {
    return () -> {
      Servers.run(connection, "UPDATE t SET b = 'n' WHERE a = " + a);
      return null;
    };
  }

  private static int errno(Future<?> failed) {
    Exception error = assertThrows(Exception.class, failed::get);
    return ((SQLException) error.getCause()).getErrorCode();
  }

  @Test
  void aDigestIsMysqls() throws Exception {
    String sql = "SELECT b FROM t WHERE a = 2";
    List<List<String>> digest = Servers.cells(port, "", "SELECT STATEMENT_DIGEST('" + sql + "')");
    try (Connection connection = open("")) {
      Servers.run(
          connection,
          // which other tests may have filled
          "TRUNCATE TABLE performance_schema.events_statements_summary_by_digest",
          sql);
      ClusterProcess.await("its name", () -> named(digest.getFirst().getFirst()));
      rule(
          "ON "
              + HERE
              + ".* TO 'root'@'%' FOR SELECT FILTER BY TEMPLATE('"
              + digest.getFirst().getFirst()
              + "') WITH MAX_CONCURRENCY=0");
      SQLException error = assertThrows(SQLException.class, () -> Servers.run(connection, sql));
      assertEquals(3009, error.getErrorCode());
      assertEquals(
          "Exceeding the max concurrency 0 per node of ccl rule " + TOLD, error.getMessage());
      Servers.run(connection, "PREPARE p FROM '" + sql + "'");
      assertEquals(
          3009,
          assertThrows(SQLException.class, () -> Servers.run(connection, "EXECUTE p"))
              .getErrorCode());
      Servers.run(connection, "SELECT a FROM t WHERE a = 2");
      Servers.run(connection, "SELECT b FROM t WHERE a > 2");
    }
  }

  /** The catalog of a session with temporary tables has versions of its own. */
  @Test
  void rulesHoldWhateverTemporaryTablesThereAre() throws Exception {
    String sql = "SELECT b FROM t WHERE a = 1";
    try (Connection connection = open("");
        Connection other = open("")) {
      Servers.run(
          connection,
          "CREATE TEMPORARY TABLE own (a INT PRIMARY KEY)",
          "SELECT a + 17 FROM own",
          "DROP TEMPORARY TABLE own",
          "CREATE TEMPORARY TABLE own (a INT PRIMARY KEY)",
          "SELECT a + 18 FROM own");
      rule("ON " + HERE + ".t FOR SELECT WITH MAX_CONCURRENCY=0");
      for (Connection each : List.of(other, connection)) {
        assertEquals(
            3009, assertThrows(SQLException.class, () -> Servers.run(each, sql)).getErrorCode());
      }
      Servers.run(other, "DROP CCL_RULE " + RULE);
      Servers.run(other, sql);
      Servers.run(connection, sql);
    }
  }

  private boolean named(String digest) {
    try {
      return !Servers.cells(
              port,
              "",
              "SELECT 1 FROM performance_schema.events_statements_summary_by_digest WHERE DIGEST"
                  + " = '"
                  + digest
                  + "' AND SCHEMA_NAME LIKE '%ccl%'")
          .isEmpty();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
