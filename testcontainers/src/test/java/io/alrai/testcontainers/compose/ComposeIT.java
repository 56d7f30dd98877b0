package io.alrai.testcontainers.compose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.alrai.tpcc.SteadyWriters;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** The cluster of compose.yaml, from its first start to its last; one cluster for all tests. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(480)
final class ComposeIT {
  private static final int MORE_ROWS = 50;
  private static final int WRITERS = 4;
  private static final ComposeCluster cluster = new ComposeCluster();
  private static boolean started;

  @BeforeAll
  static void up() throws IOException {
    assumeTrue(ComposeCluster.canRun(), "no Docker daemon answers, or it has no image of Alrai");
    started = true;
    long begun = System.nanoTime();
    cluster.up();
    System.out.printf("up and healthy after %d s%n", seconds(begun));
  }

  @AfterAll
  static void down() throws IOException {
    if (started) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void clientsAreServedThroughTheBalancerAndKnownByTheirAddress() throws Exception {
    try (Connection connection = ComposeCluster.balancer("").connectToServer();
        Statement statement = connection.createStatement()) {
      assertFalse(one(statement, "SELECT USER()").endsWith("@10.85.27.250"));
      statement.execute("CREATE DATABASE kept");
      statement.execute(
          "CREATE TABLE kept.t (id INT PRIMARY KEY, v VARCHAR(20))"
              + " PARTITION BY HASH(id) PARTITIONS 4");
      statement.execute("INSERT INTO kept.t VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')");
      assertEquals("4", one(statement, "SELECT COUNT(*) FROM kept.t"));
    }
    ComposeCluster.await("both CNs", 30, () -> cnsThatServe() == 2);
    ComposeCluster.await(
        "the figures of all roles in Prometheus", 60, () -> targets("up").size() == 12);
    assertEquals(List.of(), targets("down"));
  }

  private static int cnsThatServe() throws SQLException {
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      try (Connection connection = ComposeCluster.balancer("").connectToServer();
          Statement statement = connection.createStatement()) {
        seen.add(one(statement, "SELECT @@hostname"));
      }
    }
    return (int) seen.stream().distinct().count();
  }

  private static List<String> targets(String health) throws IOException, InterruptedException {
    String[] targets =
        ComposeCluster.get("http://127.0.0.1:9090/api/v1/targets?state=active")
            .split("\\{\"discoveredLabels\"", -1);
    return List.of(targets).stream()
        .filter(target -> target.contains("\"health\":\"" + health + "\""))
        .toList();
  }

  @Test
  @Order(2)
  void anyContainerMayBeKilledAndNoAcknowledgedRowIsLost() throws Exception {
    SteadyWriters writers = new SteadyWriters(ComposeCluster.server(), WRITERS);
    writers.create();
    try (writers) {
      writers.start();
      TpccBeside tpcc = TpccBeside.start(ComposeCluster.balancer("tpcc"));
      try (tpcc) {
        for (String service : ComposeCluster.SERVICES) {
          killed(service, writers, tpcc);
        }
        cluster.awaitHealthy();
      }
      tpcc.check();
      System.out.printf(
          "%d orders and %d rows were acknowledged%n", tpcc.orders(), writers.acknowledged());
    }
    assertEquals(List.of(), writers.wrong());
  }

  private static void killed(String service, SteadyWriters writers, TpccBeside tpcc)
      throws IOException {
    cluster.awaitHealthy(ComposeCluster.kind(service));
    int restarts = cluster.restarts(service);
    long begun = System.nanoTime();
    writers.mark();
    cluster.kill(service);
    ComposeCluster.await(service + " again", 60, () -> cluster.restarts(service) > restarts);
    long rows = writers.fewest();
    int orders = tpcc.orders();
    ComposeCluster.await(
        "rows and orders after the kill of " + service,
        90,
        () -> writers.fewest() > rows + MORE_ROWS && tpcc.orders() > orders);
    System.out.printf(
        "kill -9 of %s: no row for %.0f ms, %d s in all%n",
        service, writers.longestGapMillis(), seconds(begun));
  }

  @Test
  @Order(3)
  void noContainerTakesMoreMemoryThanItMay() throws Exception {
    for (String service : ComposeCluster.SERVICES) {
      assertTrue(Long.parseLong(cluster.inspect(service, "{{.HostConfig.Memory}}")) > 0, service);
      assertEquals("false", cluster.inspect(service, "{{.State.OOMKilled}}"), service);
    }
  }

  @Test
  @Order(4)
  void theBenchProfilePrintsItsReport() throws Exception {
    String report =
        cluster
            .command(
                "--profile",
                "bench",
                "run",
                "--rm",
                "-T",
                "bench",
                "mixed",
                "--warehouses",
                "1",
                "--terminals",
                "4",
                "--scale",
                "0.01",
                "--phase-seconds",
                "3",
                "--warm-up",
                "3",
                "--rounds",
                "1")
            .out();
    System.out.println(report);
    List<String> lines =
        report.lines().filter(line -> line.matches("[a-z_0-9.-]+ \\S+ \\S+ \\S+ \\S+")).toList();
    assertTrue(lines.size() >= 3, report);
  }

  @Test
  @Order(5)
  void restartAndDownAndUpKeepTheData() throws Exception {
    cluster.command("restart", "--timeout", "60");
    cluster.awaitHealthy();
    kept("after restart");
    cluster.command("down", "--timeout", "60");
    cluster.up();
    kept("after down and up");
  }

  private static void kept(String when) {
    ComposeCluster.await(
        "all rows " + when,
        60,
        () -> {
          try (Connection connection = ComposeCluster.balancer("kept").connect();
              Statement statement = connection.createStatement()) {
            statement.execute("REPLACE INTO t VALUES (4, 'd')");
            return one(
                    statement, "SELECT GROUP_CONCAT(id, v ORDER BY id SEPARATOR ' ') FROM kept.t")
                .equals("1a 2b 3c 4d");
          } catch (SQLException e) {
            System.out.println(when + ": " + e.getMessage());
            return false;
          }
        });
  }

  private static String one(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      assertTrue(rows.next());
      return rows.getString(1);
    }
  }

  private static long seconds(long sinceNanos) {
    return (System.nanoTime() - sinceNanos) / 1_000_000_000;
  }
}
