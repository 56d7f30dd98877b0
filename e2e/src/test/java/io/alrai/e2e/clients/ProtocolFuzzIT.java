package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Clients that send wrong bytes: nobody gets in, nothing hangs, no error is internal, nothing is
 * left over, and others are served. {@code -Dfuzz.seconds} lengthens it, {@code -Dfuzz.seed}
 * repeats it.
 */
class ProtocolFuzzIT {
  private static final int SECONDS = Integer.getInteger("fuzz.seconds", 30);
  private static final long SEED = Long.getLong("fuzz.seed", System.nanoTime());
  private static final int CLIENTS = 8;
  private static final long MOST_KILOBYTES = 650 << 10;

  private final AtomicLong numbers = new AtomicLong();

  @Test
  void wrongBytesHarmNobody() throws Exception {
    System.out.println("-Dfuzz.seed=" + SEED);
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--dns", "2")) {
      create(cluster.port());
      long end = System.nanoTime() + SECONDS * 1_000_000_000L;
      int served = 0;
      try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
        List<Future<?>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          clients.add(threads.submit(() -> misbehave(cluster.port(), end)));
        }
        while (System.nanoTime() < end) {
          serve(cluster.port());
          served++;
        }
        for (Future<?> client : clients) {
          client.get();
        }
      }
      System.out.println(
          numbers + " sessions with wrong bytes; others were served " + served + " times");
      // on a new connection: a wrong byte makes a KILL 1 of an execution
      try (Connection connection = MiniCluster.connect(cluster.port(), "", "");
          Statement statement = connection.createStatement()) {
        assertEquals(
            Integer.toString(6 * served),
            Servers.only(statement, "SELECT SUM(b) FROM fuzz.served"));
        ClusterProcess.await("the end of all sessions", () -> sessions(statement) == 1);
      }
      assertTrue(cluster.process().isAlive());
      assertTrue(cluster.kilobytes("VmRSS") < MOST_KILOBYTES, cluster.kilobytes("VmRSS") + " KiB");
      for (String never :
          List.of("OutOfMemoryError", "by a defect", "internal error", "never told")) {
        assertFalse(cluster.output().contains(never), cluster.output());
      }
    }
  }

  private static void create(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "")) {
      Servers.run(
          connection,
          "CREATE DATABASE fuzz",
          "CREATE TABLE fuzz.t (a INT PRIMARY KEY, b VARCHAR(200)) PARTITION BY KEY(a)"
              + " PARTITIONS 4",
          "CREATE TABLE fuzz.served (a INT PRIMARY KEY, b INT)",
          "INSERT INTO fuzz.served VALUES (1,0), (2,0), (3,0), (4,0), (5,0), (6,0)",
          "CREATE USER stranger IDENTIFIED BY 'never told'");
    }
  }

  private Void misbehave(int port, long end) throws Exception {
    while (System.nanoTime() < end) {
      long number = numbers.getAndIncrement();
      try {
        new WrongSession(port, SEED + number).run();
      } catch (Exception | AssertionError e) {
        throw new AssertionError("-Dfuzz.seed=" + (SEED + number) + ", its first session", e);
      }
    }
    return null;
  }

  /** A transaction over both DNs, on a connection of its own. */
  private static void serve(int port) throws Exception {
    try (Connection connection = MiniCluster.connect(port, "fuzz", "");
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      assertEquals(6, statement.executeUpdate("UPDATE served SET b = b + 1"));
      statement.execute("COMMIT");
    }
  }

  private static int sessions(Statement statement) {
    try (ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
      int count = 0;
      while (rows.next()) {
        count++;
      }
      return count;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
