package io.alrai.e2e.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A CN is stopped between PREPARE and the end of a commit over two DNs. Through the other CN,
 * readers of the rows answer as if nothing were, and writers wait only until the agents have
 * settled the transaction. {@code -Dsilent.hits=N} makes it longer.
 */
@Tag("alone")
final class SilentCoordinatorIT {
  private static final int DNS = 3;
  private static final int ROWS = 30;
  private static final int MOST_STOPS = 400;
  private static final long LOOK_MILLIS = 30;

  /** What is promised; the busiest of machines may take longer for one read, not for most. */
  private static final double READ_MILLIS = 100;

  private static final double WRITE_MILLIS = 3_000;

  private final long seed = Long.getLong("silent.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void readersDoNotWaitAndWritersWaitLittle() throws Exception {
    System.out.println("-Dsilent.seed=" + seed);
    int hits = Integer.getInteger("silent.hits", 3);
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "" + DNS, "--processes", "--cns", "2")) {
      create(cluster.port());
      Faults faults = new Faults(cluster, 2, DNS, List.of(Faults.Kind.PAUSED_CN), seed);
      faults.prepare();
      faults.awaitService();
      AtomicBoolean stop = new AtomicBoolean();
      try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor();
          DnDoors doors = faults.doors();
          Connection reader = MiniCluster.connect(cluster.port(), "silent", "")) {
        for (int i = 0; i < 200; i++) {
          total(reader);
        }
        Future<Integer> moving = runner.submit(() -> move(cluster.port() + 1, stop));
        try {
          for (int i = 0; i < hits; i++) {
            hit(cluster, doors, reader, runner);
          }
        } finally {
          stop.set(true);
        }
        System.out.println(moving.get() + " transfers of the CN that was stopped");
      }
      faults.awaitNothingPrepared();
      try (Connection last = MiniCluster.connect(cluster.port(), "silent", "")) {
        assertEquals(0, total(last));
      }
    }
  }

  private static void create(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE silent");
      statement.execute(
          "CREATE TABLE silent.account (id INT PRIMARY KEY, balance INT NOT NULL, touched INT NOT"
              + " NULL) PARTITION BY HASH(id) PARTITIONS "
              + DNS);
      for (int id = 0; id < ROWS; id++) {
        statement.execute("INSERT INTO silent.account VALUES (" + id + ", 0, 0)");
      }
    }
  }

  /** Moves money between rows 0 and 1, that is two DNs, through the CN that will be stopped. */
  private static int move(int port, AtomicBoolean stop) throws InterruptedException {
    int moved = 0;
    while (!stop.get()) {
      try (Connection connection = MiniCluster.connect(port, "silent", "&socketTimeout=30000");
          Statement statement = connection.createStatement()) {
        while (!stop.get()) {
          statement.execute("START TRANSACTION");
          statement.execute("UPDATE account SET balance = balance - 1 WHERE id = 0");
          statement.execute("UPDATE account SET balance = balance + 1 WHERE id = 1");
          statement.execute("COMMIT");
          moved++;
        }
      } catch (SQLException e) {
        // its transaction was settled while its CN was stopped, or the connection was lost
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
    return moved;
  }

  /** Stops the CN until a branch is found that stays prepared, and looks what others can do. */
  private void hit(ClusterProcess cluster, DnDoors doors, Connection reader, ExecutorService runner)
      throws Exception {
    ProcessHandle victim = cluster.role("cn-2").orElseThrow();
    for (int i = 0; i < MOST_STOPS; i++) {
      TimeUnit.MILLISECONDS.sleep(5 + random.nextInt(40));
      ClusterProcess.pause(victim);
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        List<String> prepared = doors.prepared();
        if (!prepared.isEmpty()) {
          System.out.println("after " + (i + 1) + " stops: " + prepared);
          others(cluster.port(), reader, doors, runner);
          return;
        }
      } finally {
        ClusterProcess.resume(victim);
      }
    }
    throw new AssertionError("no branch was prepared at any of " + MOST_STOPS + " stops");
  }

  private void others(int port, Connection reader, DnDoors doors, ExecutorService runner)
      throws Exception {
    List<Double> reads = new ArrayList<>();
    readFor(300, reader, reads);
    boolean stillPrepared = !doors.prepared().isEmpty();
    List<Future<Double>> writers = new ArrayList<>();
    for (int row = 0; row < 2; row++) {
      int id = row;
      writers.add(runner.submit(() -> touch(port, id)));
    }
    while (!writers.stream().allMatch(Future::isDone)) {
      readFor(50, reader, reads);
    }
    double first = reads.getFirst();
    double median = reads.stream().sorted().skip(reads.size() / 2).findFirst().orElseThrow();
    double longest = reads.stream().max(Double::compare).orElseThrow();
    System.out.printf(
        "%d reads: the first %.1f ms, median %.1f ms, longest %.1f ms; writers waited %.0f and"
            + " %.0f ms%s%n",
        reads.size(),
        first,
        median,
        longest,
        writers.get(0).get(),
        writers.get(1).get(),
        stillPrepared ? "" : " (settled before they came)");
    assertTrue(median < READ_MILLIS, "reads took " + reads);
    assertTrue(longest < READ_MILLIS * 5, "a read waited for the silent CN: " + reads);
    for (Future<Double> writer : writers) {
      assertTrue(writer.get() < WRITE_MILLIS, "a writer waited " + writer.get() + " ms");
    }
  }

  private static void readFor(long millis, Connection reader, List<Double> reads)
      throws SQLException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    do {
      long start = System.nanoTime();
      assertEquals(0, total(reader), "a torn total");
      reads.add((System.nanoTime() - start) / 1e6);
    } while (System.nanoTime() - end < 0);
  }

  private static long total(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT SUM(balance), COUNT(*) FROM account WHERE id < 20")) {
      assertTrue(row.next());
      assertEquals(20, row.getInt(2));
      return row.getLong(1);
    }
  }

  private static double touch(int port, int id) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "silent", "");
        Statement statement = connection.createStatement()) {
      long start = System.nanoTime();
      assertEquals(
          1, statement.executeUpdate("UPDATE account SET touched = touched + 1 WHERE id = " + id));
      return (System.nanoTime() - start) / 1e6;
    }
  }
}
