package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Each row of {@code t (a, b)} has one writer that gives it ascending numbers, by statements and
 * transactions of all kinds. What is read of it must be at least what was committed before the read
 * began, and at most what was begun when it ended.
 */
final class NumberedRows {
  private static final String PREPARED = "&useServerPrepStmts=true";

  private final int port;
  private final String schema;
  private final int keys;
  private final boolean faults;
  private final AtomicIntegerArray begun;
  private final AtomicIntegerArray committed;
  private final AtomicBoolean over = new AtomicBoolean();

  /** What happens meanwhile. */
  interface Meanwhile {
    void run() throws Exception;
  }

  private interface Load {
    int run(Connection connection) throws SQLException, InterruptedException;
  }

  /**
   * A load.
   *
   * @param keys rows 1 and up are there, an even number of them
   * @param faults whether errors are no failures
   */
  NumberedRows(int port, String schema, int keys, boolean faults) {
    this.port = port;
    this.schema = schema;
    this.keys = keys;
    this.faults = faults;
    this.begun = new AtomicIntegerArray(keys + 1);
    this.committed = new AtomicIntegerArray(keys + 1);
  }

  /** Runs it for so long, on the threads of its own. */
  void run(int seconds, Meanwhile meanwhile) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(5)) {
      List<Future<Integer>> writers =
          List.of(
              threads.submit(() -> repeat("", connection -> write(connection, 0))),
              threads.submit(() -> repeat(PREPARED, connection -> write(connection, 1))));
      List<Future<Integer>> readers =
          List.of(
              threads.submit(() -> repeat("", this::read)),
              threads.submit(() -> repeat("", this::read)),
              threads.submit(() -> repeat(PREPARED, this::read)));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      try {
        meanwhile.run();
        TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
      } finally {
        over.set(true);
      }
      int writes = sum(writers);
      int reads = sum(readers);
      assertTrue(writes > 100 && reads > 500, writes + " writes, " + reads + " reads");
    }
  }

  private static int sum(List<Future<Integer>> loads) throws Exception {
    int sum = 0;
    for (Future<Integer> load : loads) {
      sum += load.get();
    }
    return sum;
  }

  private int repeat(String properties, Load load) throws SQLException, InterruptedException {
    int done = 0;
    while (!over.get()) {
      try (Connection connection = MiniCluster.connect(port, schema, properties)) {
        while (!over.get()) {
          done += load.run(connection);
        }
      } catch (SQLException e) {
        if (!faults) {
          throw e;
        }
      }
    }
    return done;
  }

  /** Writer 0 has the odd rows. */
  private int write(Connection connection, int writer) throws SQLException, InterruptedException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int key = 1 + 2 * random.nextInt(keys / 2 - 1) + writer;
    int other = key + 2;
    int next = begun.incrementAndGet(key);
    try (Statement statement = connection.createStatement()) {
      switch (random.nextInt(5)) {
        case 0 -> {
          statement.execute("BEGIN");
          statement.execute("DELETE FROM t WHERE a = " + key);
          statement.execute("INSERT INTO t VALUES (" + key + ", " + next + ")");
          statement.execute("COMMIT");
        }
        case 1 -> {
          int second = begun.incrementAndGet(other);
          statement.execute("BEGIN");
          statement.execute("UPDATE t SET b = " + next + " WHERE a = " + key);
          statement.execute("UPDATE t SET b = " + second + " WHERE a = " + other);
          statement.execute("COMMIT");
          committed.set(other, second);
        }
        case 2 -> statement.execute("REPLACE INTO t VALUES (" + key + ", " + next + ")");
        default -> {
          try (PreparedStatement update =
              connection.prepareStatement("UPDATE t SET b = ? WHERE a = ?")) {
            update.setInt(1, next);
            update.setInt(2, key);
            update.executeUpdate();
          }
        }
      }
    }
    committed.set(key, next);
    if (random.nextInt(4) == 0) {
      TimeUnit.MILLISECONDS.sleep(30);
    }
    return 1;
  }

  private int read(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("SELECT b FROM t WHERE a = ?")) {
      for (int i = 0; i < 50; i++) {
        int key = 1 + ThreadLocalRandom.current().nextInt(keys);
        int least = committed.get(key);
        select.setInt(1, key);
        try (ResultSet rows = select.executeQuery()) {
          assertTrue(rows.next(), "row " + key + " is gone");
          int seen = rows.getInt(1);
          int most = begun.get(key);
          assertTrue(least <= seen && seen <= most, key + ": " + least + " " + seen + " " + most);
        }
      }
    }
    return 50;
  }
}
