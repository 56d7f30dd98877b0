package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.JdbcConnection;
import com.mysql.cj.jdbc.JdbcStatement;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that wait for whatever it may be end by KILL, CANCEL DDL and the client's leaving. */
@ExtendWith(Servers.Shared.class)
@Timeout(180)
class EndedStatementsIT {
  private static final String SCHEMA = "ended";
  private static final int BOUND_SECONDS = 20;
  private static final String LOCK = "LOCK TABLES " + SCHEMA + ".t WRITE";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private int port;
  private Connection admin;
  private Connection victim;

  @BeforeEach
  void open(Servers servers) throws SQLException {
    port = servers.cluster().port();
    Servers.freshSchema(port, SCHEMA);
    admin = MiniCluster.connect(port, "", "");
    Servers.run(
        admin,
        "USE " + SCHEMA,
        "CREATE TABLE t (a INT PRIMARY KEY, b INT)",
        "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3), (4, 4)");
    victim = MiniCluster.connect(port, SCHEMA, "");
  }

  @AfterEach
  void close() throws SQLException {
    ((JdbcConnection) victim).abortInternal();
    admin.close();
    threads.close();
  }

  private Future<?> start(String sql) {
    return threads.submit(() -> {
      Servers.run(victim, sql);
      return null;
    });
  }

  private String one(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return Servers.only(statement, sql);
    }
  }

  private static int errno(Future<?> running) throws Exception {
    try {
      running.get(BOUND_SECONDS, TimeUnit.SECONDS);
      return 0;
    } catch (ExecutionException e) {
      return ((SQLException) e.getCause()).getErrorCode();
    }
  }

  private interface SqlCondition {
    boolean holds() throws SQLException;
  }

  private static void awaitSql(String what, SqlCondition condition) {
    ClusterProcess.await(
        what,
        BOUND_SECONDS,
        () -> {
          try {
            return condition.holds();
          } catch (SQLException e) {
            throw new AssertionError(what, e);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET @x = BENCHMARK(1000000000000, SHA2('a', 512))",
        "SET @y = 1, @x = BENCHMARK(1000000000000, SHA2('a', 512))",
        "SELECT COUNT(*) FROM information_schema.TABLES WHERE SLEEP(1000) = 7",
        "INSERT INTO t SELECT a + 10, SLEEP(1000) FROM t"
      })
  void killQueryEndsWhatTheCnHasAMysqldCompute(String sql) throws Exception {
    String id = one(victim, "SELECT CONNECTION_ID()");
    Future<?> running = start(sql);
    TimeUnit.MILLISECONDS.sleep(1_000);
    assertFalse(running.isDone());
    Servers.run(admin, "KILL QUERY " + id);
    int errno = errno(running);
    assertTrue(errno == 1317 || errno == 0, "error " + errno);
    assertEquals("4", one(victim, "SELECT COUNT(*) FROM t WHERE a < 10"), "the session goes on");
  }

  /** A write asks a mysqld for the types of its values, and for its mistakes, before it begins. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t SELECT a + 10, CONCAT(b) FROM t",
        "INSERT INTO t SELECT a + 10, b FROM t ON DUPLICATE KEY UPDATE b = t.b",
        "UPDATE t x JOIN t y ON y.b = x.b SET x.b = y.b + 100"
      })
  @SuppressWarnings("try") // the locks are held
  void killQueryEndsWhatWaitsForTheTablesWithoutRows(String sql, Servers servers) throws Exception {
    String id = one(victim, "SELECT CONNECTION_ID()");
    try (DnDoors doors = servers.cluster().doors();
        DnDoors.Held one = doors.hold("dn-1", LOCK);
        DnDoors.Held two = doors.hold("dn-2", LOCK)) {
      Future<?> running = start(sql);
      awaitSql("the wait", () -> waits(doors, "dn-1") || waits(doors, "dn-2"));
      Servers.run(admin, "KILL QUERY " + id);
      assertEquals(1317, errno(running));
    }
    assertEquals("10", one(victim, "SELECT SUM(b) FROM t"), "nothing is written");
  }

  private static boolean waits(DnDoors doors, String dn) {
    return !doors
        .query(
            dn,
            "SELECT ID FROM information_schema.processlist"
                + " WHERE STATE LIKE 'Waiting for table metadata lock'")
        .isEmpty();
  }

  /** An ALTER TABLE that waits for a transaction's metadata locks. */
  private Future<?> hungAlter(Connection holder) throws SQLException {
    Servers.run(holder, "BEGIN", "SELECT * FROM t");
    Future<?> altering = start("ALTER TABLE t ADD COLUMN c INT");
    awaitSql("the step", () -> !shown("STEP").isEmpty());
    return altering;
  }

  private String shown(String column) throws SQLException {
    try (Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery("SHOW DDL")) {
      String text = "";
      while (rows.next()) {
        String value = rows.getString(column);
        text = value == null ? text : value;
      }
      return text;
    }
  }

  private void assertUndone(Connection holder) throws SQLException {
    awaitSql("the end of the job", () -> shown("JOB_ID").isEmpty());
    assertEquals(
        "0",
        one(
            admin,
            "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '"
                + SCHEMA
                + "' AND COLUMN_NAME = 'c'"));
    Servers.run(holder, "COMMIT");
    Servers.run(admin, "ALTER TABLE t ADD COLUMN c INT", "UPDATE t SET c = 1");
  }

  @Test
  void killQueryRollsDdlBack() throws Exception {
    String id = one(victim, "SELECT CONNECTION_ID()");
    try (Connection holder = MiniCluster.connect(port, SCHEMA, "")) {
      Future<?> altering = hungAlter(holder);
      Servers.run(admin, "KILL QUERY " + id);
      assertEquals(1317, errno(altering));
      assertUndone(holder);
    }
  }

  @Test
  void cancelDdlRollsItBack() throws Exception {
    try (Connection holder = MiniCluster.connect(port, SCHEMA, "")) {
      Future<?> altering = hungAlter(holder);
      awaitSql("a connection", () -> shown("WAITS_FOR").contains("connection"));
      assertTrue(shown("WAITS_FOR").startsWith("dn-"), shown("WAITS_FOR"));
      Servers.run(admin, "CANCEL DDL " + shown("JOB_ID"));
      assertEquals(1317, errno(altering));
      assertUndone(holder);
    }
    SQLException unknown =
        assertThrows(SQLException.class, () -> Servers.run(admin, "CANCEL DDL 123456789"));
    assertTrue(unknown.getMessage().contains("123456789"), unknown.getMessage());
  }

  @Test
  void ddlOfAClientThatGoesIsRolledBack() throws Exception {
    try (Connection holder = MiniCluster.connect(port, SCHEMA, "")) {
      String id = one(victim, "SELECT CONNECTION_ID()");
      Future<?> altering = hungAlter(holder);
      Servers.run(admin, "KILL " + id);
      assertThrows(ExecutionException.class, () -> altering.get(BOUND_SECONDS, TimeUnit.SECONDS));
      assertUndone(holder);
    }
  }

  /** A mysqld refuses to undo what has such a name as it refuses to do it. */
  @Test
  void namesThatAreTooLongLeaveNothingBehind() throws SQLException {
    String name = "n".repeat(65);
    for (String sql :
        List.of(
            "CREATE PROCEDURE " + name + "() SELECT 1",
            "CREATE FUNCTION " + name + "() RETURNS INT DETERMINISTIC RETURN 1",
            "CREATE TRIGGER " + name + " BEFORE INSERT ON t FOR EACH ROW SET NEW.b = 1",
            "CREATE VIEW " + name + " AS SELECT 1",
            "CREATE TABLE " + name + " (a INT)",
            "CREATE TABLE longer (" + name + " INT)",
            "CREATE TABLE longer (a INT, KEY " + name + " (a))",
            "ALTER TABLE t ADD COLUMN " + name + " INT",
            "RENAME TABLE t TO " + name,
            "CREATE DATABASE " + name)) {
      SQLException refusal = assertThrows(SQLException.class, () -> Servers.run(victim, sql), sql);
      assertEquals(1059, refusal.getErrorCode(), sql);
    }
    assertEquals("", shown("JOB_ID"));
    Servers.run(admin, "DROP DATABASE " + SCHEMA);
  }

  /** The connection is closed while its client still says nothing. */
  @Test
  void aFileThatDoesNotComeIsWaitedForForNetReadTimeout() throws Exception {
    CountDownLatch silent = new CountDownLatch(1);
    InputStream file =
        new InputStream() {
          @Override
          public int read() throws IOException {
            try {
              silent.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return -1;
          }
        };
    String id = one(victim, "SELECT CONNECTION_ID()");
    Servers.run(victim, "SET net_read_timeout = 1");
    Future<?> loading =
        threads.submit(() -> {
          try (Statement statement = victim.createStatement()) {
            statement.unwrap(JdbcStatement.class).setLocalInfileInputStream(file);
            return statement.execute("LOAD DATA LOCAL INFILE 'silent' INTO TABLE t");
          }
        });
    awaitSql(
        "the end of its connection",
        () ->
            one(admin, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = " + id)
                .equals("0"));
    assertFalse(loading.isDone());
    silent.countDown();
    assertThrows(ExecutionException.class, () -> loading.get(BOUND_SECONDS, TimeUnit.SECONDS));
    Servers.run(admin, "ALTER TABLE t ADD COLUMN c INT");
  }
}
