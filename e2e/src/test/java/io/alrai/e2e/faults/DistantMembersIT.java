package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.e2e.machine.MemberNetwork;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Members of groups that are 1, 5 and 30 ms apart, the CN beside the leaders: a commit waits for
 * one round between them, and what does not write waits for none. Prints {@code name value unit
 * baseline ratio}; the baseline is the same without a distance. {@code -Ddistance.seconds=N} for
 * each figure.
 */
@EnabledIfSystemProperty(named = "distance.seconds", matches = "[0-9]+")
@Tag("faults")
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class DistantMembersIT {
  private static final int DNS = 2;
  private static final int ROWS = 1_000;
  private static final int CLIENTS = 32;
  private static final List<Integer> DISTANCES = List.of(1, 5, 30);

  /** For what a machine with other work on it does late. */
  private static final double SLACK_MILLIS = 10;

  private final Random random = new Random(Long.getLong("distance.seed", System.nanoTime()));
  private final long nanos = TimeUnit.SECONDS.toNanos(Integer.getInteger("distance.seconds", 5));

  /** What one client does again and again. */
  private interface Work {
    void run(Statement statement, int id) throws SQLException;
  }

  /** Medians in milliseconds, and transactions a second of many clients. */
  private record Figures(double commit, double twoDns, double read, double many) {}

  @Test
  void aCommitWaitsForOneRoundBetweenMembers() throws Exception {
    MemberNetwork network = MemberNetwork.open(DNS).orElse(null);
    Assumptions.assumeTrue(network != null, "no network of the test's own");
    try (network;
        ClusterProcess cluster =
            ClusterProcess.upAfter(
                List.of(network), "--dns", "" + DNS, "--processes", "--replicas", "3")) {
      GroupMembers members = new GroupMembers(cluster, random, DNS);
      create(cluster.port());
      figures(cluster.port()); // JVMs compile
      Figures near = figures(cluster.port());
      List<String> wrong = new ArrayList<>();
      for (int distance : DISTANCES) {
        List<String> leaders = List.of(members.leader(1), members.leader(2));
        network.delayAmong(all(members), distance);
        Figures far = figures(cluster.port());
        network.heal();
        members.awaitWhole(1);
        members.awaitWhole(2);
        print(distance, near, far);
        double round = 2 * distance;
        if (far.commit < round || far.commit > near.commit + round + SLACK_MILLIS) {
          wrong.add("a commit at " + distance + " ms: " + far.commit + " ms");
        }
        if (far.read > near.read + SLACK_MILLIS) {
          wrong.add("a read at " + distance + " ms: " + far.read + " ms");
        }
        if (!leaders.equals(List.of(members.leader(1), members.leader(2)))) {
          wrong.add("others lead since members are " + distance + " ms apart");
        }
      }
      assertEquals(List.of(), wrong);
      assertEquals(0, cluster.command("down"));
    }
  }

  private static Set<String> all(GroupMembers members) {
    Set<String> all = new TreeSet<>(members.all(1));
    all.addAll(members.all(2));
    return all;
  }

  private static void create(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "")) {
      Servers.run(
          connection,
          "CREATE DATABASE far",
          "CREATE TABLE far.r (id INT PRIMARY KEY, v INT NOT NULL) PARTITION BY HASH(id) PARTITIONS 2");
      try (Statement statement = connection.createStatement()) {
        for (int id = 0; id < ROWS; id++) {
          statement.addBatch("INSERT INTO far.r VALUES (" + id + ", 0)");
        }
        statement.executeBatch();
      }
    }
  }

  private Figures figures(int port) throws Exception {
    Work write =
        (statement, id) -> statement.execute("UPDATE far.r SET v = v + 1 WHERE id = " + id);
    Work both =
        (statement, id) -> {
          statement.execute("BEGIN");
          statement.execute("UPDATE far.r SET v = v - 1 WHERE id = " + id);
          statement.execute("UPDATE far.r SET v = v + 1 WHERE id = " + (id + 1));
          statement.execute("COMMIT");
        };
    Work read = (statement, id) -> statement.execute("SELECT v FROM far.r WHERE id = " + id);
    double commit = median(client(port, 0, ROWS, write));
    double twoDns = median(client(port, 0, ROWS - 1, both));
    double reads = median(client(port, 0, ROWS, read));
    return new Figures(commit, twoDns, reads, manyClients(port, write));
  }

  private double manyClients(int port, Work write) throws Exception {
    int each = ROWS / CLIENTS;
    long transactions = 0;
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<long[]>> all = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int from = i * each;
        all.add(threads.submit(() -> client(port, from, from + each, write)));
      }
      for (Future<long[]> one : all) {
        transactions += one.get().length;
      }
    }
    return transactions * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
  }

  /** How many nanoseconds each time took, on rows of its own. */
  private long[] client(int port, int from, int to, Work work) throws SQLException {
    LongStream.Builder took = LongStream.builder();
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      long end = System.nanoTime() + nanos;
      int id = from;
      for (long begun = System.nanoTime(); begun < end; ) {
        work.run(statement, id);
        id = id + 1 < to ? id + 1 : from;
        long now = System.nanoTime();
        took.add(now - begun);
        begun = now;
      }
    }
    return took.build().toArray();
  }

  private static double median(long[] nanos) {
    assertTrue(nanos.length > 0);
    Arrays.sort(nanos);
    return nanos[nanos.length / 2] / (double) TimeUnit.MILLISECONDS.toNanos(1);
  }

  private static void print(int distance, Figures near, Figures far) {
    String name = "distance_" + distance + "ms_";
    print(name + "commit", far.commit, "ms", near.commit);
    print(name + "commit_of_two_dns", far.twoDns, "ms", near.twoDns);
    print(name + "read", far.read, "ms", near.read);
    print(name + CLIENTS + "_writers", far.many, "transactions/s", near.many);
  }

  private static void print(String name, double value, String unit, double baseline) {
    System.out.printf(
        Locale.ROOT, "%s %.2f %s %.2f %.3f%n", name, value, unit, baseline, value / baseline);
  }
}
