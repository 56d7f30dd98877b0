package io.alrai.e2e.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A mysqld or an agent that is stopped keeps no statement past its time, and no new client from
 * logging in. With {@code -Ddeadline.stopped=true} only.
 */
@Tag("alone")
@EnabledIfSystemProperty(named = "deadline.stopped", matches = "true")
final class StoppedDnIT {
  private static final int MILLIS = 300;
  private static final int MOST_LATE_MILLIS = 1_200;

  /** Copies of rows have connections beside the session's, which are closed after 1 s. */
  private static final int MOST_LATE_COPIES_MILLIS = 2_200;

  private static final int NEW_CLIENTS = 20;
  private static final int MOST_LOGIN_MILLIS = 2_000;

  /** After so long a CN knows of a mysqld that is silent. */
  private static final int KNOWN_SECONDS = 5;

  private static final String COPIED = "SELECT a, ROW_NUMBER() OVER (ORDER BY b) FROM t";
  private static final List<String> READS =
      List.of(
          "SELECT b FROM t WHERE a = 1",
          "SELECT b FROM t WHERE a = 2",
          "SELECT b FROM t WHERE a = 3",
          "SELECT b FROM t WHERE a = 4",
          "SELECT SUM(b) FROM t",
          "SELECT COUNT(*) FROM t JOIN u ON t.b = u.d");

  @Test
  void readsEndInTime() throws Exception {
    try (ClusterProcess cluster =
            ClusterProcess.up(List.of(), "--dns", "2", "--processes", "--cns", "1");
        Connection client = MiniCluster.connect(cluster.port(), "", "&socketTimeout=60000")) {
      Servers.run(
          client,
          "CREATE DATABASE s",
          "USE s",
          "CREATE TABLE t (a INT PRIMARY KEY, b INT)",
          "CREATE TABLE u (c INT PRIMARY KEY, d INT)",
          "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8)",
          "INSERT INTO u SELECT * FROM t",
          "SET GLOBAL row_cache = OFF");
      for (String sql : READS) {
        Servers.run(client, sql);
      }
      Servers.run(client, COPIED);
      newClientsAreServed(cluster, cluster.mysqld("dn-2").orElseThrow());
      Servers.run(client, "SET max_execution_time = " + MILLIS);
      List<String> all = new ArrayList<>(READS);
      all.add(COPIED);
      stopped(client, "the mysqld of dn-2", cluster.mysqld("dn-2").orElseThrow(), all);
      stopped(client, "dn-2", cluster.role("dn-2").orElseThrow(), READS);
    }
  }

  /**
   * What a login asks for, any DN may answer: one whose mysqld is known to be silent is not asked.
   */
  private static void newClientsAreServed(ClusterProcess cluster, ProcessHandle mysqld)
      throws Exception {
    ClusterProcess.pause(mysqld);
    try {
      TimeUnit.SECONDS.sleep(KNOWN_SECONDS);
      for (int i = 0; i < NEW_CLIENTS; i++) {
        long start = System.nanoTime();
        try (Connection fresh = MiniCluster.connect(cluster.port(), "", "&socketTimeout=60000");
            Statement statement = fresh.createStatement()) {
          Servers.only(statement, "SELECT @@version_comment");
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        System.out.printf("new client %d: %d ms%n", i, millis);
        assertTrue(millis < MOST_LOGIN_MILLIS, "new client " + i + ": " + millis + " ms");
      }
    } finally {
      ClusterProcess.resume(mysqld);
    }
  }

  private static void stopped(
      Connection client, String name, ProcessHandle victim, List<String> statements)
      throws Exception {
    ClusterProcess.pause(victim);
    int ended = 0;
    try {
      for (String sql : statements) {
        ended += inTime(client, name + ": " + sql, sql);
      }
    } finally {
      ClusterProcess.resume(victim);
    }
    assertTrue(ended >= 4, name + ": " + ended);
    ClusterProcess.await("reads behind the stop of " + name, 60, () -> reads(client));
  }

  private static boolean reads(Connection client) {
    try (Statement statement = client.createStatement()) {
      return Servers.only(statement, "SELECT SUM(b) FROM t").equals("36");
    } catch (SQLException e) {
      return false;
    }
  }

  private static int inTime(Connection client, String what, String sql) throws SQLException {
    long start = System.nanoTime();
    int errno = 0;
    try {
      Servers.run(client, sql);
    } catch (SQLException e) {
      errno = e.getErrorCode();
      assertEquals(3024, errno, what + ": " + e.getMessage());
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    System.out.printf("%s: error %d after %d ms%n", what, errno, millis);
    int late = sql.equals(COPIED) ? MOST_LATE_COPIES_MILLIS : MOST_LATE_MILLIS;
    assertTrue(millis < MILLIS + late, what + ": " + millis + " ms");
    return errno == 0 ? 0 : 1;
  }
}
