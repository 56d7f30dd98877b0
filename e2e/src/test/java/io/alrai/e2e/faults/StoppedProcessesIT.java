package io.alrai.e2e.faults;

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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * SIGSTOP of one process of a cluster under load: it keeps its connections, and its machine
 * acknowledges what is sent to it, but it does nothing. Others go on, those concerned get errors in
 * bounded time, and after SIGCONT all is well. {@code -Dstop.seconds=N} stops each for N seconds,
 * also those that are only stopped for a moment else.
 */
@Tag("faults")
final class StoppedProcessesIT {
  private static final int WORKERS = 12;

  /** An agent that does not answer is given up after some 16 s, a mysqld after 60. */
  private static final int AGENT_SECONDS = 21;

  private static final int MOMENT_SECONDS = 3;

  /** What a statement may take that is concerned: a mysqld's minute, a pool's 20 s, and more. */
  private static final int MOST_SECONDS = 100;

  /** Lost connections, no connection within the bound, rolled back, in doubt. */
  private static final Set<Integer> ALLOWED = Set.of(0, 1040, 1205, 1213, 1317, 2006, 2013);

  private static final int OWN = 8_500;

  private ClusterProcess cluster;

  @Test
  void othersGoOnAndAllIsWellBehindIt() throws Exception {
    int seconds = Integer.getInteger("stop.seconds", 0);
    try (ClusterProcess up =
        ClusterProcess.up(
            List.of(), "--dns", "2", "--processes", "--cns", "2", "--columnars", "1")) {
      cluster = up;
      try (Connection admin = MiniCluster.connect(up.port(), "", "")) {
        Servers.run(admin, "CREATE DATABASE s", "CREATE TABLE s.t (a INT PRIMARY KEY, b INT)");
        for (int i = 0; i < WORKERS; i++) {
          Servers.run(admin, "INSERT INTO s.t VALUES (" + i + ", 0)");
        }
      }
      stop("gms-1", role("gms-1"), Math.max(seconds, MOMENT_SECONDS), WORKERS);
      stop("columnar-1", role("columnar-1"), Math.max(seconds, MOMENT_SECONDS), WORKERS);
      stop("dn-1", role("dn-1"), Math.max(seconds, AGENT_SECONDS), 1);
      stop(
          "the mysqld of dn-2",
          cluster.mysqld("dn-2").orElseThrow(),
          Math.max(seconds, MOMENT_SECONDS),
          1);
    }
  }

  private ProcessHandle role(String name) {
    return cluster.role(name).orElseThrow();
  }

  /** How many workers must go on while it is stopped. */
  private void stop(String name, ProcessHandle victim, int seconds, int goOn) throws Exception {
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(new Worker(cluster.port() + i % 2, i));
    }
    ClusterProcess.await(
        "the first writes", () -> workers.stream().allMatch(w -> w.done.get() > 2));
    ClusterProcess.pause(victim);
    TimeUnit.MILLISECONDS.sleep(500);
    List<Integer> before = workers.stream().map(w -> w.done.get()).toList();
    TimeUnit.MILLISECONDS.sleep(seconds * 1_000L - 500);
    int went = 0;
    for (int i = 0; i < WORKERS; i++) {
      went += workers.get(i).done.get() > before.get(i) ? 1 : 0;
    }
    ClusterProcess.resume(victim);
    List<Integer> behind = workers.stream().map(w -> w.done.get()).toList();
    ClusterProcess.await(
        "writes of all behind the stop of " + name,
        MOST_SECONDS,
        () -> {
          for (int i = 0; i < WORKERS; i++) {
            if (workers.get(i).done.get() <= behind.get(i) + 1) {
              return false;
            }
          }
          return true;
        });
    int errors = 0;
    long longest = 0;
    for (Worker worker : workers) {
      worker.end();
      errors += worker.errors.get();
      longest = Math.max(longest, worker.longestMillis);
      assertEquals(List.of(), worker.wrong, name);
      worker.check();
    }
    System.out.printf(
        "%s stopped for %d s: %d of %d went on, %d errors, the longest statement took %d ms%n",
        name, seconds, went, WORKERS, errors, longest);
    assertTrue(went >= goOn, () -> "too few went on while " + name + " was stopped");
    assertTrue(longest < MOST_SECONDS * 1_000L, "a statement took " + longest + " ms");
  }

  /** Adds one to a row of its own, again and again. */
  private static final class Worker {
    private final int port;
    private final int id;
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger errors = new AtomicInteger();
    private final List<String> wrong = new ArrayList<>();
    private final Thread thread;
    private final int start;
    private volatile long longestMillis;
    private volatile boolean ended;

    Worker(int port, int id) throws SQLException {
      this.port = port;
      this.id = id;
      this.start = value();
      this.thread = Thread.startVirtualThread(this::run);
    }

    private void run() {
      while (!ended) {
        try (Connection connection = MiniCluster.connect(port, "s", "&socketTimeout=150000");
            Statement statement = connection.createStatement()) {
          while (!ended) {
            long sent = System.nanoTime();
            try {
              statement.executeUpdate("UPDATE t SET b = b + 1 WHERE a = " + id);
              done.incrementAndGet();
            } finally {
              longestMillis =
                  Math.max(longestMillis, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sent));
            }
          }
        } catch (SQLException e) {
          errors.incrementAndGet();
          if (!ALLOWED.contains(e.getErrorCode()) && e.getErrorCode() < OWN) {
            wrong.add(e.getErrorCode() + " " + e.getMessage());
          }
        }
      }
    }

    void end() throws InterruptedException {
      ended = true;
      thread.join();
    }

    private int value() throws SQLException {
      try (Connection connection = MiniCluster.connect(port, "s", "");
          Statement statement = connection.createStatement()) {
        return Integer.parseInt(Servers.only(statement, "SELECT b FROM t WHERE a = " + id));
      }
    }

    /** What was acknowledged is there; what failed may be. */
    void check() throws SQLException {
      int written = value() - start;
      assertTrue(
          written >= done.get() && written <= done.get() + errors.get(),
          () -> written + " of " + done + " writes and " + errors + " errors");
    }
  }
}
