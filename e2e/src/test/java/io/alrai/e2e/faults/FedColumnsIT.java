package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.Ports;
import io.alrai.testing.load.BankLoad;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A column node reads the logs of two DNs at members that follow, while money moves and these
 * members are killed and stopped, and leaders changed and killed: totals are never torn, and
 * nothing is built anew. With {@code -Dfeed.rounds=N}: so many times.
 */
@EnabledIfSystemProperty(named = "feed.rounds", matches = "[0-9]+")
@Tag("faults")
@Tag("alone")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class FedColumnsIT {
  private static final int ACCOUNTS = 64;
  private static final int SETTLED_SECONDS = 90;
  private static final long STOPPED_MILLIS = 6_000;

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void totalsAreWholeWhoeverFeeds() throws Exception {
    try (ClusterProcess cluster =
            ClusterProcess.up(
                List.of(),
                "--dns",
                "2",
                "--processes",
                "--replicas",
                "3",
                "--columnars",
                "1",
                "--metrics-port",
                Integer.toString(Ports.free()));
        ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor()) {
      BankLoad bank =
          new BankLoad(new BankLoad.Size(List.of(cluster.port()), ACCOUNTS, 2, 4, true));
      bank.create();
      AtomicBoolean stop = new AtomicBoolean();
      Future<?> running =
          runner.submit(() -> {
            bank.run(TimeUnit.MINUTES.toSeconds(30), 1, stop);
            return null;
          });
      try {
        leadersSendNothing(cluster, bank);
        for (int round = 0; round < Integer.getInteger("feed.rounds"); round++) {
          faults(cluster, bank);
        }
      } finally {
        stop.set(true);
      }
      running.get();
      System.out.println(bank.text());
      assertEquals(List.of(), bank.explained(), bank.tornTotals() + " torn totals");
      assertEquals(List.of(), bank.checkAtRest(cluster.port()));
      assertEquals(List.of(), lines(cluster, "built anew"));
      assertEquals(0, cluster.command("down"));
    }
  }

  /** All that the node reads it has from members that follow. */
  private void leadersSendNothing(ClusterProcess cluster, BankLoad bank) throws Exception {
    awaitFollowers(cluster);
    List<Long> leaders = sent(cluster, "LEADER");
    List<Long> followers = sent(cluster, "FOLLOWER");
    works(bank);
    works(bank);
    assertEquals(leaders, sent(cluster, "LEADER"), "bytes that leaders have sent");
    List<Long> now = sent(cluster, "FOLLOWER");
    for (int dn = 0; dn < 2; dn++) {
      assertTrue(now.get(dn) > followers.get(dn), followers + " bytes, then " + now);
    }
    System.out.println("sent by leaders " + leaders + ", by followers " + now);
  }

  private void faults(ClusterProcess cluster, BankLoad bank) throws Exception {
    awaitFollowers(cluster);
    tell(cluster, "kill -9 of the follower that feeds");
    ClusterProcess.kill(cluster.role(member(cluster, 1, "FOLLOWER")).orElseThrow());
    works(bank);
    awaitFollowers(cluster);
    tell(cluster, "SIGSTOP of the follower that feeds");
    ProcessHandle stopped = cluster.role(member(cluster, 2, "FOLLOWER")).orElseThrow();
    ClusterProcess.pause(stopped);
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOPPED_MILLIS);
    works(bank);
    TimeUnit.NANOSECONDS.sleep(Math.max(0, until - System.nanoTime()));
    ClusterProcess.resume(stopped);
    works(bank);
    awaitFollowers(cluster);
    tell(cluster, "another leader");
    try (Connection admin = MiniCluster.connect(cluster.port(), "", "")) {
      Servers.run(
          admin,
          "ALTER SYSTEM CHANGE_ROLE NODE '" + member(cluster, 1, "FOLLOWER") + "' TO LEADER");
    }
    works(bank);
    awaitFollowers(cluster);
    tell(cluster, "kill -9 of a leader's mysqld");
    ClusterProcess.kill(cluster.mysqld(member(cluster, 2, "LEADER")).orElseThrow());
    works(bank);
    awaitFollowers(cluster);
    tell(cluster, "no fault");
  }

  private static void tell(ClusterProcess cluster, String what) {
    System.out.println(what + "; fed by " + feeders(cluster));
  }

  /** Transfers and readings come in again. */
  private static void works(BankLoad bank) {
    long transfers = bank.transfers();
    long readings = bank.readings();
    ClusterProcess.await(
        "transfers and readings",
        SETTLED_SECONDS,
        () -> bank.transfers() > transfers + 20 && bank.readings() > readings + 20);
  }

  private static void awaitFollowers(ClusterProcess cluster) {
    ClusterProcess.await(
        "followers that feed, and not " + feeders(cluster),
        SETTLED_SECONDS,
        () -> {
          List<String> wanted = new ArrayList<>();
          for (int dn = 1; dn <= 2; dn++) {
            members(cluster, dn).stream()
                .filter(row -> row.get(2).equals("FOLLOWER") && row.get(3).equals("FOLLOWING"))
                .forEach(row -> wanted.add(row.get(1)));
          }
          return wanted.size() == 2 && feeders(cluster).equals(String.join(",", wanted));
        });
  }

  private static String feeders(ClusterProcess cluster) {
    try (Connection client = MiniCluster.connect(cluster.port(), "", "")) {
      return Servers.column(client, "SHOW COLUMNAR INDEX").isEmpty()
          ? ""
          : Servers.cells(cluster.port(), "", "SHOW COLUMNAR INDEX").getFirst().get(10);
    } catch (SQLException e) {
      return e.getMessage();
    }
  }

  private static List<List<String>> members(ClusterProcess cluster, int dn) {
    try {
      return Servers.cells(cluster.port(), "", "SHOW STORAGE REPLICAS WHERE DN = 'dn-" + dn + "'");
    } catch (SQLException e) {
      return List.of();
    }
  }

  private static String member(ClusterProcess cluster, int dn, String role) {
    return members(cluster, dn).stream()
        .filter(row -> row.get(2).equals(role))
        .map(row -> row.get(1))
        .findFirst()
        .orElseThrow();
  }

  /** Bytes of logs that the members of that role have sent since their start. */
  private List<Long> sent(ClusterProcess cluster, String role) throws Exception {
    List<Long> sent = new ArrayList<>();
    for (int dn = 1; dn <= 2; dn++) {
      sent.add(sentBy(cluster, member(cluster, dn, role)));
    }
    return sent;
  }

  private long sentBy(ClusterProcess cluster, String member) throws Exception {
    Properties config = new Properties();
    try (var in =
        Files.newInputStream(cluster.directory().resolve("etc/" + member + ".properties"))) {
      config.load(in);
    }
    URI uri = URI.create("http://127.0.0.1:" + config.getProperty("metrics.port") + "/metrics");
    String answer =
        http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).body();
    return answer
        .lines()
        .filter(line -> line.startsWith("alrai_log_bytes_sent_total"))
        .map(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(answer));
  }

  private static List<String> lines(ClusterProcess cluster, String text) throws IOException {
    Path log = cluster.directory().resolve("log/columnar-1.log");
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.contains(text)).toList();
    }
  }
}
