package io.alrai.tpcc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.jdbc.MysqlEndpoint;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One client of {@link SteadyWriters}: a thread, and what others ask of it. */
final class SteadyWriter {
  /** Deadlock and lock wait timeout: the row was not written. */
  private static final Set<Integer> REFUSALS = Set.of(1213, 1205);

  /** One row of so many is rolled back. */
  private static final int ROLLED_BACK = 16;

  private static final long REST_AFTER_ERROR_MILLIS = 5;

  private final MysqlEndpoint endpoint;
  private final int first;
  private final int step;
  private final LongSupplier nanoTime;
  private final Thread thread;
  private volatile boolean ending;

  @GuardedBy("this")
  private final BitSet acknowledged = new BitSet();

  @GuardedBy("this")
  private final BitSet refused = new BitSet();

  @GuardedBy("this")
  private final Map<String, Integer> errors = new TreeMap<>();

  @GuardedBy("this")
  private long autocommitErrors;

  @GuardedBy("this")
  private int sent;

  @GuardedBy("this")
  private long count;

  @GuardedBy("this")
  private long lastNanos;

  @GuardedBy("this")
  private long longestNanos;

  /**
   * A client that does nothing yet.
   *
   * @param first its first number
   * @param step between two of its numbers
   * @param nanoTime as {@link System#nanoTime}
   */
  SteadyWriter(MysqlEndpoint endpoint, int first, int step, LongSupplier nanoTime) {
    this.endpoint = endpoint;
    this.first = first;
    this.step = step;
    this.nanoTime = nanoTime;
    this.lastNanos = nanoTime.getAsLong();
    this.thread = Thread.ofPlatform().daemon().name("steady-" + first).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  void end() {
    ending = true;
  }

  void join() throws InterruptedException {
    thread.join();
  }

  private void run() {
    @Nullable Connection connection = null;
    try {
      while (!ending) {
        int turn = next();
        try {
          if (connection == null) {
            connection = endpoint.connect();
          }
          write(connection, turn);
          SteadyWriters.rest(1);
        } catch (SQLException e) {
          failed(turn, e);
          if (!REFUSALS.contains(e.getErrorCode())) {
            close(connection);
            connection = null;
          }
          SteadyWriters.rest(REST_AFTER_ERROR_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close(connection);
    }
  }

  private void write(Connection connection, int turn) throws SQLException {
    long id = first + (long) turn * step;
    try (Statement statement = connection.createStatement()) {
      if (isRolledBack(turn)) {
        refuse(turn); // whatever becomes of it: it was never committed
        statement.execute("START TRANSACTION");
        statement.execute("INSERT INTO steady VALUES (" + id + ")");
        statement.execute("ROLLBACK");
      } else {
        statement.execute("INSERT INTO steady VALUES (" + id + ")");
        acknowledge(turn);
      }
    }
  }

  private static boolean isRolledBack(int turn) {
    return turn % ROLLED_BACK == ROLLED_BACK - 1;
  }

  private static void close(@Nullable Connection connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        // nobody is there to say goodbye to
      }
    }
  }

  private synchronized int next() {
    return sent++;
  }

  private synchronized void refuse(int turn) {
    refused.set(turn);
  }

  private synchronized void acknowledge(int turn) {
    acknowledged.set(turn);
    count++;
    long now = nanoTime.getAsLong();
    longestNanos = Math.max(longestNanos, now - lastNanos);
    lastNanos = now;
  }

  private synchronized void failed(int turn, SQLException error) {
    if (REFUSALS.contains(error.getErrorCode())) {
      refused.set(turn);
    }
    if (!isRolledBack(turn)) {
      autocommitErrors++;
    }
    String message = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
    errors.merge(error.getErrorCode() + " " + message, 1, Integer::sum);
  }

  synchronized void mark() {
    longestNanos = 0;
  }

  /** Up to now, as nothing may have been acknowledged since. */
  synchronized long longestGapNanos() {
    return Math.max(longestNanos, nanoTime.getAsLong() - lastNanos);
  }

  synchronized long acknowledged() {
    return count;
  }

  synchronized long errorCount() {
    return errors.values().stream().mapToLong(Integer::longValue).sum();
  }

  /** Those of {@link #errorCount} that statements by autocommit met, and no transaction. */
  synchronized long autocommitErrorCount() {
    return autocommitErrors;
  }

  synchronized String errors() {
    return errors.entrySet().stream()
        .map(error -> error.getValue() + " x " + error.getKey())
        .collect(Collectors.joining("; "));
  }

  /** The first number that it has not sent. */
  synchronized long bound() {
    return first + (long) sent * step;
  }

  /**
   * Adds what is wrong with its rows.
   *
   * @param found how often each number is there
   */
  synchronized void compare(int[] found, List<String> wrong) {
    for (int turn = 0; turn < sent; turn++) {
      int id = first + turn * step;
      if (acknowledged.get(turn) && found[id] == 0) {
        wrong.add(id + " was acknowledged and is lost");
      }
      if (refused.get(turn) && found[id] > 0) {
        wrong.add(id + " was rolled back and is there");
      }
      if (found[id] > 1) {
        wrong.add(id + " is there " + found[id] + " times");
      }
    }
  }
}
