package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.JdbcConnection;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mysqld does not notice that a connection is closed while its statement waits for a lock. */
@ExtendWith(Servers.Shared.class)
@Timeout(180)
class LeftStatementsIT {
  private static final String SCHEMA = "leaving";
  private static final List<String> DNS = List.of("dn-1", "dn-2");
  private static final long SOON_MILLIS = 2_000;

  private static final String WAITING =
      "SELECT COUNT(*) FROM information_schema.processlist WHERE command <> 'Sleep'"
          + " AND (info LIKE '%mark%' AND info NOT LIKE '%processlist%'"
          + " OR info LIKE '%GET\\_LOCK%' AND info NOT LIKE '%processlist%')";

  private static void rows(Connection connection) throws SQLException {
    Servers.run(
        connection,
        "CREATE TABLE t (a INT PRIMARY KEY, mark INT) PARTITION BY KEY(a) PARTITIONS 4",
        "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8)");
  }

  private static int waiting(DnDoors doors) {
    return DNS.stream()
        .mapToInt(dn -> Integer.parseInt(doors.query(dn, WAITING).getFirst().getFirst()))
        .sum();
  }

  private static void assertSoonGone(DnDoors doors) throws InterruptedException {
    long begun = System.nanoTime();
    while (waiting(doors) > 0) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(millis < SOON_MILLIS, "still there");
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE t SET mark = mark + 1 WHERE a = 1",
        "UPDATE t SET mark = mark + 1",
        "BEGIN; UPDATE t SET mark = 20 WHERE a = 2; SELECT a, mark FROM t FOR UPDATE",
        "BEGIN; INSERT INTO t (a, mark) VALUES (9, 9), (1, 1)",
        "DELETE FROM t WHERE mark < 3",
        "SELECT GET_LOCK('mine', 1000)"
      })
  void itIsEndedThereWhenItsClientVanishes(String sql, Servers servers) throws Exception {
    int port = servers.cluster().port();
    Servers.freshSchema(port, SCHEMA);
    Path socket = servers.cluster().cluster().agents().getFirst().supervisor().socketPath();
    try (DnDoors doors = new DnDoors(socket.resolve("../..").normalize(), DNS);
        Connection holder = MiniCluster.connect(port, SCHEMA, "");
        Connection next = MiniCluster.connect(port, SCHEMA, "");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      rows(holder);
      Servers.run(
          holder, "SELECT GET_LOCK('mine', 0)", "BEGIN", "UPDATE t SET mark = 10 WHERE a = 1");
      Connection victim = MiniCluster.connect(port, SCHEMA, "&allowMultiQueries=true");
      threads.submit(() -> {
        try (Statement statement = victim.createStatement()) {
          return statement.execute(sql);
        }
      });
      ClusterProcess.await("the wait", 15, () -> waiting(doors) > 0);
      ((JdbcConnection) victim).abortInternal();
      assertSoonGone(doors);
      Servers.run(next, "SET innodb_lock_wait_timeout = 5", "UPDATE t SET mark = 30 WHERE a = 2");
      Servers.run(holder, "COMMIT");
    }
  }

  @Test
  void itIsEndedThereWhenItsCnDies() throws Exception {
    try (ClusterProcess cluster =
            ClusterProcess.up(List.of(), "--dns", "2", "--processes", "--cns", "2");
        DnDoors doors = new DnDoors(cluster.directory(), DNS);
        Connection holder = MiniCluster.connect(cluster.port(), "", "");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Servers.run(holder, "CREATE DATABASE " + SCHEMA, "USE " + SCHEMA);
      rows(holder);
      Servers.run(holder, "BEGIN", "UPDATE t SET mark = 10 WHERE a = 1");
      Connection victim = MiniCluster.connect(cluster.port() + 1, SCHEMA, "");
      threads.submit(() -> {
        Servers.run(victim, "UPDATE t SET mark = mark + 1 WHERE a = 1");
        return null;
      });
      ClusterProcess.await("the wait", 15, () -> waiting(doors) > 0);
      ClusterProcess.kill(cluster.role("cn-2").orElseThrow());
      assertSoonGone(doors);
      Servers.run(holder, "COMMIT");
    }
  }
}
