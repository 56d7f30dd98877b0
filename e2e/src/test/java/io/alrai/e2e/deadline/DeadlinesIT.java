package io.alrai.e2e.deadline;

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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A SELECT ends after its {@code max_execution_time}, and any statement over rows after its {@code
 * alrai_statement_timeout}, on whatever way it is answered.
 */
@ExtendWith(Servers.Shared.class)
@Timeout(180)
class DeadlinesIT {
  private static final String SCHEMA = "deadl%ine";
  private static final int MILLIS = 200;

  /** The bound is 100 ms; the machine may be busy. */
  private static final int MOST_LATE_MILLIS = 5_000;

  private static final int TIMEOUT = 3024;
  private static final String TEXT =
      "Query execution was interrupted, maximum statement execution time exceeded";

  private int port;
  private Connection admin;
  private Connection client;

  @BeforeEach
  void open(Servers servers) throws SQLException {
    port = servers.cluster().port();
    Servers.freshSchema(port, SCHEMA);
    admin = connect("");
    Servers.run(
        admin,
        "CREATE TABLE t (a INT PRIMARY KEY, b INT)",
        "CREATE TABLE u (c INT PRIMARY KEY, d INT)",
        "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8)",
        "INSERT INTO u SELECT * FROM t",
        "CREATE TABLE p (k INT, n INT, PRIMARY KEY (k, n)) PARTITION BY KEY (k) PARTITIONS 4",
        "INSERT INTO p VALUES (1, 1), (1, 2), (1, 3)");
    client = connect("");
    assertGoesOn(client); // what is new to a JVM takes longer
  }

  private Connection connect(String properties) throws SQLException {
    Connection connection = MiniCluster.connect(port, "", properties);
    connection.setCatalog(SCHEMA);
    return connection;
  }

  @AfterEach
  void close() throws SQLException {
    client.close();
    admin.close();
  }

  private interface Run {
    void run() throws SQLException;
  }

  private static void assertEnds(Run run) {
    long start = System.nanoTime();
    SQLException error = assertThrows(SQLException.class, run::run);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertEquals(TIMEOUT, error.getErrorCode(), error.getMessage());
    assertEquals("HY000", error.getSQLState());
    assertTrue(error.getMessage().contains(TEXT), error.getMessage());
    assertTrue(millis >= MILLIS - 1 && millis < MILLIS + MOST_LATE_MILLIS, millis + " ms");
  }

  private static void read(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        rows.getString(1);
      }
    }
  }

  private void assertGoesOn(Connection connection) throws SQLException {
    Servers.run(connection, "SET max_execution_time = 0", "SET alrai_statement_timeout = 0");
    try (Statement statement = connection.createStatement()) {
      assertEquals("1", Servers.only(statement, "SELECT b FROM t WHERE a = 1"));
      assertEquals("36", Servers.only(statement, "SELECT SUM(b) FROM t"));
      assertEquals("8", Servers.only(statement, "SELECT COUNT(*) FROM t JOIN u ON t.b = u.d"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT n FROM p WHERE k = 1 AND SLEEP(20) = 7",
        "SELECT b FROM t WHERE SLEEP(20) = 7",
        "SELECT b, SUM(b + SLEEP(20)) FROM t GROUP BY b ORDER BY b",
        "SELECT COUNT(*) FROM t JOIN u ON t.b = u.d WHERE SLEEP(20) = 7",
        "SELECT a, ROW_NUMBER() OVER (ORDER BY b) FROM t WHERE SLEEP(20) = 7",
        "SELECT COUNT(*) FROM information_schema.TABLES WHERE SLEEP(20) = 7",
        "WITH c AS (SELECT b FROM t WHERE SLEEP(20) = 7) SELECT COUNT(*) FROM c",
        "SELECT b INTO @x FROM t WHERE SLEEP(20) = 7",
        "SELECT b FROM t WHERE SLEEP(20) = 7 FOR UPDATE",
        "TABLE t UNION SELECT c, d FROM u WHERE SLEEP(20) = 7",
      })
  void selectsEnd(String sql) throws SQLException {
    Servers.run(client, "SET max_execution_time = " + MILLIS);
    try (Statement statement = client.createStatement()) {
      assertEnds(() -> statement.execute(sql));
    }
    assertGoesOn(client);
  }

  /** MySQL does not say that SLEEP alone was ended. */
  @Test
  void sleepAloneReturns() throws SQLException {
    Servers.run(client, "BEGIN"); // else a KILL that takes its time closes the connection
    try (Statement statement = client.createStatement()) {
      assertEquals(
          "1",
          Servers.only(statement, "SELECT /*+ MAX_EXECUTION_TIME(" + MILLIS + ") */ SLEEP(20)"));
    }
    Servers.run(client, "COMMIT");
    assertGoesOn(client);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE t SET b = b WHERE a = 1 AND SLEEP(1) = 0",
        "INSERT INTO u SELECT a + 100, b + 100 FROM t WHERE a < 3 AND SLEEP(0.4) = 0",
        "DO SLEEP(1)",
        "CALL p()",
      })
  void otherStatementsDoNot(String sql) throws SQLException {
    Servers.run(
        client,
        "CREATE PROCEDURE p() SELECT COUNT(*) FROM t WHERE SLEEP(0.2) = 0",
        "SET max_execution_time = " + MILLIS);
    long start = System.nanoTime();
    Servers.run(client, sql);
    assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(2 * MILLIS));
    assertGoesOn(client);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "&useServerPrepStmts=true",
        "&useServerPrepStmts=true&useCursorFetch=true&defaultFetchSize=2"
      })
  void preparedOnesEnd(String properties) throws SQLException {
    try (Connection connection = connect(properties);
        PreparedStatement one =
            connection.prepareStatement(
                "SELECT /*+ MAX_EXECUTION_TIME(200) */ n FROM p WHERE k = ? AND SLEEP(?) = 7");
        PreparedStatement all =
            connection.prepareStatement("SELECT b FROM t WHERE b > ? AND SLEEP(?) = 7")) {
      one.setInt(1, 1);
      one.setInt(2, 20);
      assertEnds(one::executeQuery);
      Servers.run(connection, "SET max_execution_time = " + MILLIS);
      all.setInt(1, 0);
      all.setInt(2, 20);
      assertEnds(all::executeQuery);
      assertGoesOn(connection);
    }
    Servers.run(client, "PREPARE p FROM 'SELECT b FROM t WHERE SLEEP(20) = 7'");
    Servers.run(client, "SET max_execution_time = " + MILLIS);
    assertEnds(() -> Servers.run(client, "EXECUTE p"));
  }

  @Test
  void aTransactionGoesOn() throws SQLException {
    Servers.run(
        client,
        "SET max_execution_time = " + MILLIS,
        "BEGIN",
        "UPDATE t SET b = 10 WHERE a = 1",
        "UPDATE t SET b = 20 WHERE a = 2",
        "UPDATE t SET b = 30 WHERE a = 3");
    try (Statement statement = client.createStatement()) {
      assertEnds(() -> read(statement, "SELECT n FROM p WHERE k = 1 AND SLEEP(20) = 7"));
      assertEnds(() -> read(statement, "SELECT SUM(b) FROM t WHERE SLEEP(20) = 7"));
    }
    try (Connection other = connect("");
        Statement waits = other.createStatement()) {
      Servers.run(other, "BEGIN", "UPDATE u SET d = 70 WHERE c = 7");
      assertEnds(() ->
          read(waits, "SELECT /*+ MAX_EXECUTION_TIME(200) */ b FROM t WHERE a = 1 FOR UPDATE"));
      assertEnds(
          () -> read(waits, "SELECT /*+ MAX_EXECUTION_TIME(200) */ SUM(b) FROM t FOR SHARE"));
      Servers.run(other, "COMMIT");
    }
    Servers.run(client, "COMMIT", "SET max_execution_time = 0");
    assertEquals("90", Servers.column(client, "SELECT SUM(b) FROM t").getFirst());
    assertEquals("99", Servers.column(client, "SELECT SUM(d) FROM u").getFirst());
  }

  @Test
  void theGlobalValueIsForNewSessions() throws SQLException {
    Servers.run(admin, "SET GLOBAL max_execution_time = " + MILLIS);
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      assertEquals("200", Servers.only(statement, "SELECT @@max_execution_time"));
      assertEnds(() -> read(statement, "SELECT b FROM t WHERE SLEEP(20) = 7"));
      Servers.run(connection, "SET max_execution_time = 0");
      read(statement, "SELECT b FROM t WHERE a = 1 AND SLEEP(0.5) = 0");
    } finally {
      Servers.run(admin, "SET GLOBAL max_execution_time = DEFAULT");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE p SET n = n + 10 WHERE k = 1 AND SLEEP(20) = 0",
        "UPDATE t SET b = b + 10 WHERE SLEEP(20) = 0",
        "INSERT INTO u SELECT a + 100, b FROM t WHERE SLEEP(20) = 0",
        "DELETE FROM t WHERE b < 7 ORDER BY SLEEP(20)",
        "CALL slow()",
        "SELECT b FROM t WHERE SLEEP(20) = 7",
      })
  void allStatementsOverRowsHaveAStatementTimeout(String sql) throws SQLException {
    Servers.run(
        client,
        "CREATE PROCEDURE slow() BEGIN UPDATE t SET b = b + 10 WHERE SLEEP(20) = 0; END",
        "SET max_execution_time = 30000",
        "BEGIN",
        "UPDATE u SET d = 70 WHERE c = 7",
        "UPDATE u SET d = 80 WHERE c = 8",
        "SET alrai_statement_timeout = " + MILLIS);
    assertEnds(() -> Servers.run(client, sql));
    Servers.run(client, "COMMIT");
    assertEquals("171", Servers.column(admin, "SELECT SUM(d) FROM u").getFirst());
    assertEnds(() -> Servers.run(client, sql));
    Servers.run(client, "SET alrai_statement_timeout = 0", "UPDATE u SET d = c");
    assertEquals("6", Servers.column(client, "SELECT SUM(n) FROM p").getFirst());
    assertGoesOn(client);
  }

  @Test
  void writesBehindALockEnd() throws SQLException {
    Servers.run(client, "BEGIN", "UPDATE t SET b = 10 WHERE a = 1");
    try (Connection other = connect("")) {
      Servers.run(other, "SET alrai_statement_timeout = " + MILLIS);
      assertEnds(() -> Servers.run(other, "UPDATE t SET b = 11 WHERE a = 1"));
      assertEnds(() -> Servers.run(other, "UPDATE t SET b = b + 1"));
      Servers.run(
          other,
          "SET alrai_statement_timeout = 0",
          "BEGIN",
          "UPDATE t SET b = 20 WHERE a = 2",
          "SET alrai_statement_timeout = " + MILLIS);
      assertEnds(() -> Servers.run(other, "DELETE FROM t WHERE a = 1"));
      Servers.run(other, "COMMIT");
    }
    Servers.run(client, "COMMIT");
    assertEquals("63", Servers.column(client, "SELECT SUM(b) FROM t").getFirst());
  }

  @Test
  void theStatementTimeoutIsAVariable() throws SQLException {
    Servers.run(admin, "SET GLOBAL alrai_statement_timeout = 12345");
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      assertEquals("12345", Servers.only(statement, "SELECT @@alrai_statement_timeout"));
      Servers.run(connection, "SET alrai_statement_timeout = 7777");
      assertEquals("7777", Servers.only(statement, "SELECT @@SESSION.alrai_statement_timeout"));
      assertEquals("12345", Servers.only(statement, "SELECT @@GLOBAL.alrai_statement_timeout"));
      for (String wrong : new String[] {"-1", "'x'", "99999999999999"}) {
        SQLException refusal =
            assertThrows(
                SQLException.class,
                () -> Servers.run(connection, "SET alrai_statement_timeout = " + wrong));
        assertEquals(1231, refusal.getErrorCode(), wrong);
      }
      Servers.run(connection, "SET alrai_statement_timeout = DEFAULT");
      assertEquals("12345", Servers.only(statement, "SELECT @@alrai_statement_timeout"));
    } finally {
      Servers.run(admin, "SET GLOBAL alrai_statement_timeout = DEFAULT");
    }
  }

  @Test
  void queriesByColumnsEnd() throws Exception {
    Servers.run(
        admin,
        "CREATE TABLE big (id INT PRIMARY KEY, g INT)",
        "INSERT INTO big WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
            + " WHERE i < 1000) SELECT i, i % 3 FROM n",
        "CREATE CLUSTERED COLUMNAR INDEX by_id ON big (id)",
        "SET workload_type = AP");
    String sql =
        "SELECT x.g, COUNT(*), SUM(y.id + z.id) FROM big x JOIN big y ON x.g = y.g"
            + " JOIN big z ON y.g = z.g JOIN big w ON z.g = w.g GROUP BY x.g";
    try (Statement statement = admin.createStatement()) {
      StringBuilder plan = new StringBuilder();
      try (ResultSet rows = statement.executeQuery("EXPLAIN COST " + sql)) {
        while (rows.next()) {
          plan.append(rows.getString(1)).append('\n');
        }
      }
      assertTrue(plan.toString().contains("AP"), plan::toString);
      Servers.run(admin, "SET max_execution_time = " + MILLIS);
      assertEnds(() -> read(statement, sql));
      Servers.run(admin, "SET max_execution_time = 0");
      assertEquals("1000", Servers.only(statement, "SELECT COUNT(*) FROM big"));
    }
  }
}
