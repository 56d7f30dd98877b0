package io.alrai.e2e.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A column index whose mysqld gives no rows: its build ends, and others have their turn. */
@Timeout(240)
class StuckColumnIndexIT {
  private static final List<String> DNS = List.of("dn-1", "dn-2");
  private static final int BOUND_SECONDS = 15;
  private static final String INDEX = "CREATE CLUSTERED COLUMNAR INDEX ci ON ";
  private static MiniCluster mini;
  private static DnDoors doors;

  @BeforeAll
  static void start() {
    mini = MiniCluster.start(2);
    Path socket = mini.cluster().agents().getFirst().supervisor().socketPath();
    doors = new DnDoors(socket.resolve("../..").normalize(), DNS);
  }

  @AfterAll
  static void stop() {
    doors.close();
    mini.close();
  }

  @BeforeEach
  void tables() throws SQLException {
    try (Connection connection = mini.connect("")) {
      Servers.run(
          connection,
          "DROP DATABASE IF EXISTS stuck",
          "CREATE DATABASE stuck",
          "USE stuck",
          "CREATE TABLE locked (id INT PRIMARY KEY) PARTITION BY KEY(id) PARTITIONS 2",
          "CREATE TABLE free (id INT PRIMARY KEY) PARTITION BY KEY(id) PARTITIONS 2",
          "INSERT INTO locked VALUES (1), (2), (3), (4), (5), (6), (7), (8)",
          "INSERT INTO free SELECT * FROM locked");
    }
  }

  /** The partition of the table that is locked. */
  private static String place(String dn) {
    return doors
        .query(
            dn,
            "SELECT CONCAT('`', TABLE_SCHEMA, '`.locked') FROM information_schema.TABLES WHERE"
                + " TABLE_NAME = 'locked' AND TABLE_TYPE = 'BASE TABLE'")
        .getFirst()
        .getFirst();
  }

  /** The lock of somebody who is not Alrai. */
  private static DnDoors.Held lock(String dn) {
    return doors.hold(dn, "LOCK TABLES " + place(dn) + " WRITE");
  }

  /** Locks after a change that has the index built anew. */
  private static DnDoors.Held changeAndLock(String dn) {
    String table = place(dn);
    return doors.hold(
        dn, "ALTER TABLE " + table + " COMMENT = 'changed';LOCK TABLES " + table + " WRITE");
  }

  private static int waiting(String dn) {
    return doors
        .query(
            dn,
            "SELECT ID FROM information_schema.processlist WHERE STATE LIKE 'Waiting for table"
                + " metadata lock' AND INFO LIKE 'SELECT%locked%'")
        .size();
  }

  private static Future<?> run(ExecutorService threads, Connection connection, String sql) {
    return threads.submit(() -> {
      Servers.run(connection, sql);
      return null;
    });
  }

  private static int errno(Future<?> running) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> running.get(BOUND_SECONDS, TimeUnit.SECONDS));
    return ((SQLException) failed.getCause()).getErrorCode();
  }

  private static boolean isReady() {
    return mini.cluster()
        .columnIndexes()
        .find("stuck", "locked")
        .map(index -> index.isReady())
        .orElse(false);
  }

  private static String job(Connection admin) throws SQLException {
    try (Statement statement = admin.createStatement();
        ResultSet jobs = statement.executeQuery("SHOW DDL")) {
      while (jobs.next()) {
        if (jobs.getString("STATEMENT").contains("locked")) {
          return jobs.getString("JOB_ID");
        }
      }
      throw new AssertionError("no job");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"KILL QUERY", "KILL", "CANCEL DDL"})
  void whatEndsItsStatementEndsTheBuildAtOnce(String how) throws Exception {
    try (Connection victim = mini.connect("stuck");
        Connection other = mini.connect("stuck");
        Connection admin = mini.connect("stuck");
        Statement asking = victim.createStatement();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        DnDoors.Held held = lock("dn-1")) {
      String id = Servers.only(asking, "SELECT CONNECTION_ID()");
      Future<?> stuck = run(threads, victim, INDEX + "locked (id)");
      ClusterProcess.await("the build", BOUND_SECONDS, () -> waiting("dn-1") == 1);
      Future<?> next = run(threads, other, INDEX + "free (id)");
      Servers.run(admin, how + " " + (how.equals("CANCEL DDL") ? job(admin) : id));
      int errno = errno(stuck);
      assertTrue(errno == 1317 || how.equals("KILL"), "error " + errno);
      next.get(BOUND_SECONDS, TimeUnit.SECONDS);
      ClusterProcess.await("its end", BOUND_SECONDS, () -> waiting("dn-1") == 0);
      held.release();
      Servers.run(admin, INDEX + "locked (id)");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DROP INDEX ci ON locked", "ALTER TABLE locked ADD COLUMN c INT"})
  void ddlOnTheTableEndsABuildThatGoesOnByItself(String ddl) throws Exception {
    try (Connection connection = mini.connect("stuck");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Servers.run(connection, INDEX + "locked (id)");
      try (DnDoors.Held held = changeAndLock("dn-2")) {
        ClusterProcess.await("it is built anew", BOUND_SECONDS, () -> waiting("dn-2") == 1);
        Future<?> changing = run(threads, connection, ddl);
        ClusterProcess.await("the end of the build", BOUND_SECONDS, () -> waiting("dn-2") == 0);
        held.release();
        changing.get(BOUND_SECONDS, TimeUnit.SECONDS);
      }
    }
  }

  /** The next one waits no longer than the bound, and the client reads why. */
  @Test
  void aMysqldThatSendsNoRowForAMinuteIsNotWaitedFor() throws Exception {
    try (Connection connection = mini.connect("stuck");
        Connection other = mini.connect("stuck");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        DnDoors.Held held = lock("dn-1")) {
      Future<?> stuck = run(threads, connection, INDEX + "locked (id)");
      ClusterProcess.await("the build", BOUND_SECONDS, () -> waiting("dn-1") == 1);
      Future<?> next = run(threads, other, INDEX + "free (id)");
      ExecutionException failed =
          assertThrows(ExecutionException.class, () -> stuck.get(90, TimeUnit.SECONDS));
      assertTrue(failed.getMessage().contains("dn-1 has sent nothing for 60 s"), failed::toString);
      next.get(BOUND_SECONDS, TimeUnit.SECONDS);
      held.release();
      ClusterProcess.await("the next try", 90, () -> isReady());
      assertEquals("8", Servers.column(connection, "SELECT COUNT(*) FROM locked").getFirst());
    }
  }
}
