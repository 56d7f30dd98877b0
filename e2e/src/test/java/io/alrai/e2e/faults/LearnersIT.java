package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Learners are added to two DNs while money is moved between these, and read: the total never
 * changes, whoever dies. {@code -Dlearners.replicas=1}: to DNs of one replica; {@code 3}: to groups
 * whose leaders change, too.
 */
@EnabledIfSystemProperty(named = "learners.replicas", matches = "[13]")
@Tag("faults")
final class LearnersIT {
  private static final int REPLICAS = Integer.getInteger("learners.replicas", 1);
  private static final int ACCOUNTS = 64;
  private static final int BALANCE = 1_000;

  private final int metrics = Ports.free();
  private final AtomicLong moved = new AtomicLong();
  private volatile boolean over;
  private int port;

  @Test
  void learnersServeReadsWhoeverDies() throws Exception {
    try (ClusterProcess cluster =
            ClusterProcess.up(
                List.of(),
                "--dns",
                "2",
                "--processes",
                "--replicas",
                Integer.toString(REPLICAS),
                "--metrics-port",
                Integer.toString(metrics));
        Connection admin = MiniCluster.connect(cluster.port(), "", "");
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      port = cluster.port();
      load(admin);
      Future<?> mover = clients.submit(this::move);
      try {
        whatIsRefused(admin);
        add(cluster, admin, "dn-1-r", "dn-1");
        add(cluster, admin, "dn-2-r", "dn-2");
        try (ReplicaReaders readers =
            new ReplicaReaders(port, true, ACCOUNTS, ACCOUNTS * BALANCE)) {
          awaitMostServed(readers);
          readers.killing();
          faults(cluster, admin, readers);
          System.out.println(readers + ", " + moved + " transactions");
          assertEquals(List.of(), readers.errors());
        }
        drop(cluster, admin);
      } finally {
        over = true;
      }
      mover.get();
      assertEquals(
          List.of(Integer.toString(ACCOUNTS * BALANCE)),
          Servers.column(admin, "SELECT SUM(balance) FROM bank.accounts"));
      assertTrue(moved.get() > 0, "nothing was moved");
      assertEquals(0, cluster.command("down"));
    }
  }

  /** Agents that have just been started are slow: most reads fall back at first. */
  private void awaitMostServed(ReplicaReaders readers) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    long reads;
    long fallbacks;
    do {
      reads = -measured("alrai_replica_reads_total");
      fallbacks = -measured("alrai_replica_fallbacks_total");
      awaitReads(readers);
      reads += measured("alrai_replica_reads_total");
      fallbacks += measured("alrai_replica_fallbacks_total");
      System.out.println(reads + " reads of replicas, " + fallbacks + " of them fell back");
    } while (fallbacks >= reads / 2 && System.nanoTime() < end);
    assertTrue(fallbacks < reads / 2, fallbacks + " of " + reads + " reads fell back");
  }

  /** What the CN has counted. */
  private long measured(String name) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + metrics + "/metrics");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
          .sum();
    }
  }

  private void load(Connection admin) throws SQLException {
    ReplicaReaders.createTables(admin, ACCOUNTS, BALANCE);
  }

  private static void whatIsRefused(Connection admin) {
    AlterSystem.assertRefused(
        admin, "ADD LEARNER 'x''%_' TO 'dn-1'", "no process waits to learn from dn-1 as 'x'%_'");
    AlterSystem.assertRefused(admin, "ADD LEARNER 'dn-1-r' TO 'dn-7'", "there is no DN 'dn-7'");
  }

  private void add(ClusterProcess cluster, Connection admin, String learner, String dn)
      throws Exception {
    assertEquals(0, cluster.command("member", "add", learner, "--to", dn, "--learner"));
    ClusterProcess.await("it waits", 60, () -> state(learner).contains("JOINING"));
    AlterSystem.assertRefused(
        admin, "ADD FOLLOWER '" + learner + "' TO '" + dn + "'", "ADD LEARNER");
    AlterSystem.awaitDone(admin, "ADD LEARNER '" + learner + "' TO '" + dn + "'");
    assertEquals(List.of("LEARNER", "FOLLOWING"), state(learner));
  }

  private void faults(ClusterProcess cluster, Connection admin, ReplicaReaders readers)
      throws Exception {
    if (REPLICAS == 3) {
      awaitFollower();
      Servers.run(admin, "ALTER SYSTEM CHANGE_ROLE NODE '" + with("FOLLOWER") + "' TO LEADER");
      awaitReads(readers);
      awaitFollower();
      ClusterProcess.kill(cluster.role(with("FOLLOWER")).orElseThrow()); // the source
      awaitReads(readers);
      awaitFollows("dn-1-r");
      awaitFollower();
    }
    ClusterProcess.kill(cluster.role(with("LEADER")).orElseThrow());
    awaitReads(readers);
    ClusterProcess.kill(cluster.role("dn-1-r").orElseThrow());
    ClusterProcess.kill(cluster.mysqld("dn-2-r").orElseThrow());
    awaitReads(readers);
    awaitFollows("dn-1-r");
    awaitFollows("dn-2-r");
    Servers.run(admin, "ALTER SYSTEM REBUILD NODE 'dn-1-r' OF 'dn-1'");
    awaitReads(readers);
  }

  private void drop(ClusterProcess cluster, Connection admin) throws Exception {
    Servers.run(admin, "ALTER SYSTEM DROP NODE 'dn-1-r' FROM 'dn-1'");
    assertEquals(List.of(), state("dn-1-r"));
    assertTrue(cluster.mysqld("dn-1-r").isEmpty(), "its mysqld runs");
    assertEquals(0, cluster.command("member", "remove", "dn-1-r"));
  }

  private void awaitFollower() {
    ClusterProcess.await("a follower", 60, () -> !with("FOLLOWER").isEmpty());
  }

  private void awaitFollows(String learner) {
    ClusterProcess.await(
        learner + " follows", 60, () -> state(learner).equals(List.of("LEARNER", "FOLLOWING")));
  }

  private static void awaitReads(ReplicaReaders readers) {
    long before = readers.fewest();
    ClusterProcess.await(
        "reads " + readers, 60, () -> readers.fewest() > before + 5 || !readers.errors().isEmpty());
    assertEquals(List.of(), readers.errors());
  }

  /** The member of dn-1 that leads or follows; empty for none. */
  private String with(String role) {
    return rows().stream()
        .filter(row -> row.get(0).equals("dn-1") && row.get(2).equals(role))
        .map(row -> row.get(1))
        .findFirst()
        .orElse("");
  }

  private List<String> state(String member) {
    return rows().stream()
        .filter(row -> row.get(1).equals(member))
        .findFirst()
        .map(row -> List.of(row.get(2), row.get(3)))
        .orElse(List.of());
  }

  private List<List<String>> rows() {
    try {
      return Servers.cells(port, "", "SHOW STORAGE REPLICAS");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private Void move() throws SQLException {
    try (Connection client = MiniCluster.connect(port, "bank", "")) {
      client.setAutoCommit(false);
      while (!over) {
        int from = ThreadLocalRandom.current().nextInt(ACCOUNTS);
        int to = ThreadLocalRandom.current().nextInt(ACCOUNTS);
        try {
          Servers.run(client, "UPDATE accounts SET balance=balance-1 WHERE id=" + from);
          Servers.run(client, "UPDATE accounts SET balance=balance+1 WHERE id=" + to);
          client.commit();
          moved.incrementAndGet();
        } catch (SQLException e) {
          rollBack(client);
        }
      }
    }
    return null;
  }

  /** Where a leader was killed, the next statement tells the same. */
  private static void rollBack(Connection client) {
    try {
      client.rollback();
    } catch (SQLException e) {
      System.out.println(e.getMessage());
    }
  }
}
