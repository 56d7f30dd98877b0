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
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A GMS of three nodes loses its leader, or a follower, under load: no client gets an error, DDL
 * waits for the next leader. {@code -Dkill.rounds=N} makes it last longer, {@code -Dkill.seed=N}
 * repeats moments.
 */
@EnabledIfSystemProperty(named = "kill.rounds", matches = "[0-9]+")
@Tag("faults")
final class GmsOfThreeIT {
  private static final int CNS = 2;
  private static final int NODES = 3;

  /** CNs and DNs have the metrics' ports before the GMS nodes. */
  private static final int ROLES_BEFORE = CNS + 2;

  private static final int STOP_SECONDS = 5;

  /** Less than the GMS is waited for: on a machine that has much else to do all takes long. */
  private static final int MOST_SECONDS = 20;

  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
  private final int metrics = Ports.free();
  private int tables;

  @AfterEach
  void close() {
    http.shutdownNow();
  }

  private ClusterProcess up() {
    return ClusterProcess.up(
        List.of(),
        "--dns",
        "2",
        "--processes",
        "--cns",
        "" + CNS,
        "--gms",
        "" + NODES,
        "--metrics-port",
        "" + metrics,
        "--timestamp-source",
        "TSO");
  }

  /** Also timestamps come from the GMS. */
  @Test
  void clientsDoNotNoticeThatNodesGo() throws Exception {
    System.out.println("-Dkill.seed=" + seed);
    try (ClusterProcess cluster = up()) {
      BusyCluster busy = new BusyCluster(cluster, CNS, seed);
      busy.load();
      busy.withoutErrors();
      for (int round = 0; round < Integer.getInteger("kill.rounds", 1); round++) {
        nodesGo(cluster, busy);
        busy.check();
      }
      stopsAndStarts(cluster);
      busy.check();
    }
  }

  private void nodesGo(ClusterProcess cluster, BusyCluster busy) throws Exception {
    List<Prober> probers = new ArrayList<>();
    for (int i = 0; i < CNS; i++) {
      probers.add(new Prober(cluster.port() + i));
    }
    busy.run(
        12,
        random.nextLong(1_000),
        true,
        () -> {
          killed(cluster, leader());
          stopped(cluster, leader(), STOP_SECONDS);
          stopped(cluster, leader() % NODES + 1, 1);
        });
    for (Prober prober : probers) {
      prober.end();
    }
  }

  private void killed(ClusterProcess cluster, int node) throws SQLException {
    System.out.println("kill -9 of the leader gms-" + node);
    ClusterProcess.kill(role(cluster, node));
    ddl(cluster);
    ClusterProcess.await("the return of gms-" + node, () -> leads(node).isPresent());
  }

  private void stopped(ClusterProcess cluster, int node, int seconds)
      throws SQLException, InterruptedException {
    System.out.println("SIGSTOP of gms-" + node);
    ProcessHandle process = role(cluster, node);
    ClusterProcess.pause(process);
    try {
      long begin = System.nanoTime();
      ddl(cluster);
      long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      TimeUnit.MILLISECONDS.sleep(Math.max(0, seconds * 1_000L - took));
    } finally {
      ClusterProcess.resume(process);
    }
    ddl(cluster);
  }

  /** A table comes, changes and goes, at one CN after the other. */
  private void ddl(ClusterProcess cluster) throws SQLException {
    String table = "ddl.t" + tables++;
    List<String> statements =
        List.of(
            "CREATE TABLE " + table + " (a INT PRIMARY KEY, b INT)",
            "ALTER TABLE " + table + " ADD COLUMN c INT",
            "DROP TABLE " + table);
    for (int i = 0; i < statements.size(); i++) {
      try (Connection connection = MiniCluster.connect(cluster.port() + i % CNS, "", "")) {
        long begin = System.nanoTime();
        Servers.run(connection, "CREATE DATABASE IF NOT EXISTS ddl", statements.get(i));
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        System.out.println(statements.get(i) + ": " + millis + " ms");
        assertTrue(millis < MOST_SECONDS * 1_000, statements.get(i) + " took " + millis + " ms");
      }
    }
  }

  private static ProcessHandle role(ClusterProcess cluster, int node) {
    return cluster.role("gms-" + node).orElseThrow();
  }

  private int leader() {
    int[] found = new int[1];
    ClusterProcess.await(
        "a leader of the GMS",
        () -> {
          for (int node = 1; node <= NODES; node++) {
            if (leads(node).orElse(false)) {
              found[0] = node;
            }
          }
          return found[0] > 0;
        });
    return found[0];
  }

  /** Whether a node leads; empty while it does not say. */
  private Optional<Boolean> leads(int node) {
    URI uri = URI.create("http://127.0.0.1:" + (metrics + ROLES_BEFORE + node - 1) + "/metrics");
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(2)).build();
    try {
      String answer = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      return Optional.of(("\n" + answer).contains("\nalrai_gms_leads 1\n"));
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** All stop in order and start again, though one cannot start at first. */
  private void stopsAndStarts(ClusterProcess cluster) throws IOException, SQLException {
    assertEquals(0, cluster.command("down"));
    ClusterProcess.await("the end of all", () -> cluster.processes().isEmpty());
    Path late = cluster.directory().resolve("gms-1");
    Path away = cluster.directory().resolve("away");
    Files.move(late, away);
    Files.writeString(late, "no directory");
    cluster.startAgain();
    assertTrue(cluster.output().contains("gms-1"), cluster.output());
    ddl(cluster);
    Files.delete(late);
    Files.move(away, late);
    ClusterProcess.await("the start of gms-1", () -> leads(1).isPresent());
    try (Stream<Path> configs = Files.list(cluster.directory().resolve("etc"))) {
      assertEquals(NODES, configs.filter(file -> file.toString().contains("gms-")).count());
    }
  }

  /** Reads and writes, also rows that get numbers from the GMS, until it is ended. */
  private static final class Prober {
    private final int port;
    private final Thread thread;
    private volatile boolean ended;
    private volatile long longestMillis;
    private volatile int statements;
    private volatile Optional<SQLException> failure = Optional.empty();

    Prober(int port) throws SQLException {
      this.port = port;
      try (Connection connection = MiniCluster.connect(port, "", "")) {
        Servers.run(
            connection,
            "CREATE DATABASE IF NOT EXISTS probe",
            "CREATE TABLE IF NOT EXISTS probe.t (id INT PRIMARY KEY AUTO_INCREMENT, a INT)"
                + " PARTITION BY KEY(id) PARTITIONS 4");
      }
      this.thread = Thread.startVirtualThread(this::run);
    }

    private void run() {
      try (Connection connection = MiniCluster.connect(port, "probe", "&socketTimeout=60000");
          Statement statement = connection.createStatement()) {
        for (int i = 0; !ended; i++) {
          timed(statement, "INSERT INTO t (a) VALUES (" + i + "), (1), (2), (3)");
          timed(statement, "UPDATE t SET a = a + 1 WHERE id = " + i);
          timed(statement, "SELECT COUNT(*), SUM(a) FROM t");
        }
      } catch (SQLException e) {
        failure = Optional.of(e);
      }
    }

    private void timed(Statement statement, String sql) throws SQLException {
      long begin = System.nanoTime();
      statement.execute(sql);
      longestMillis =
          Math.max(longestMillis, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
      statements++;
    }

    void end() throws InterruptedException {
      ended = true;
      thread.join();
      System.out.printf("%d statements, the longest took %d ms%n", statements, longestMillis);
      assertEquals(Optional.empty(), failure);
      assertTrue(longestMillis < MOST_SECONDS * 1_000, longestMillis + " ms");
    }
  }
}
