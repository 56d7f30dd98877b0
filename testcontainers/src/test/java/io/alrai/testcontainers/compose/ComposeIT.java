package io.alrai.testcontainers.compose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.tpcc.SteadyWriters;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The cluster of compose.yaml, from its first start to its last; one cluster for all tests. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(480)
@EnabledIfSystemProperty(named = "docker.daemon", matches = "true")
final class ComposeIT {
  private static final int MORE_ROWS = 50;
  private static final int WRITERS = 4;

  /** What a container exits with that Docker had to kill. */
  private static final String KILLED = "137";

  /** How often Docker has to have started each container again. */
  private static final Map<String, Integer> restarts = new HashMap<>();

  private static ComposeCluster cluster;

  @BeforeAll
  static void up() throws IOException {
    cluster = new ComposeCluster();
    long begun = System.nanoTime();
    cluster.up();
    System.out.printf("up and healthy after %d s%n", seconds(begun));
  }

  @AfterAll
  static void down() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void clientsAreServedThroughTheBalancerAndKnownByTheirAddress() throws Exception {
    try (Connection connection = cluster.balancer("").connectToServer();
        Statement statement = connection.createStatement()) {
      assertFalse(one(statement, "SELECT USER()").endsWith("@" + ComposeCluster.BALANCER));
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
    assertTrue(cluster.prometheus("/api/v1/rules").contains("\"AlraiProcessDown\""), "no alerts");
  }

  private static int cnsThatServe() throws SQLException {
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      try (Connection connection = cluster.balancer("").connectToServer();
          Statement statement = connection.createStatement()) {
        seen.add(one(statement, "SELECT @@hostname"));
      }
    }
    return (int) seen.stream().distinct().count();
  }

  private static List<String> targets(String health) throws IOException, InterruptedException {
    String[] targets =
        cluster.prometheus("/api/v1/targets?state=active").split("\\{\"discoveredLabels\"", -1);
    return List.of(targets).stream()
        .filter(target -> target.contains("\"health\":\"" + health + "\""))
        .toList();
  }

  @Test
  @Order(2)
  void aCnThatIsStoppedLetsATransactionEnd() throws Exception {
    String cn;
    try (Connection connection = cluster.balancer("kept").connect();
        Statement statement = connection.createStatement()) {
      cn = one(statement, "SELECT @@hostname");
      statement.execute("BEGIN");
      statement.execute("INSERT INTO t VALUES (5, 'e')");
      Process stopping = cluster.stopping(cn);
      ComposeCluster.await("HAProxy's turn from " + cn, 30, () -> cluster.isDown(cn));
      statement.execute("INSERT INTO t VALUES (6, 'f')");
      statement.execute("COMMIT");
      assertTrue(stopping.waitFor(90, TimeUnit.SECONDS), "the end of " + cn);
    }
    assertNotEquals(KILLED, cluster.inspect(cn, "{{.State.ExitCode}}"));
    try (Connection connection = cluster.balancer("kept").connect();
        Statement statement = connection.createStatement()) {
      assertEquals("6", one(statement, "SELECT COUNT(*) FROM t"));
      statement.execute("DELETE FROM t WHERE id > 4");
    }
    cluster.command("start", cn);
    cluster.awaitHealthy();
  }

  @Test
  @Order(3)
  void anyContainerMayBeKilledAndNoAcknowledgedRowIsLost() throws Exception {
    for (String service : ComposeCluster.SERVICES) {
      restarts.put(service, cluster.restarts(service));
    }
    SteadyWriters writers = new SteadyWriters(cluster.server(), WRITERS);
    writers.create();
    try (writers) {
      writers.start();
      TpccBeside tpcc = TpccBeside.start(cluster.balancer("tpcc"));
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
    int before = cluster.restarts(service);
    long begun = System.nanoTime();
    writers.mark();
    cluster.kill(service);
    restarts.merge(service, 1, Integer::sum);
    ComposeCluster.await(service + " again", 60, () -> cluster.restarts(service) > before);
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

  /** What took more memory was killed: all of a container since its start, or a part of it now. */
  @Test
  @Order(4)
  void noContainerEndedButThoseThatTheTestKilled() throws Exception {
    for (String service : ComposeCluster.SERVICES) {
      assertTrue(Long.parseLong(cluster.inspect(service, "{{.HostConfig.Memory}}")) > 0, service);
      assertEquals(restarts.get(service), cluster.restarts(service), service);
      assertEquals("false", cluster.inspect(service, "{{.State.OOMKilled}}"), service);
    }
  }

  @Test
  @Order(5)
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
                "5",
                "--warm-up",
                "2",
                "--rounds",
                "1")
            .out();
    System.out.println(report);
    List<String> lines =
        report.lines().filter(line -> line.matches("[a-z_0-9.-]+ \\S+ \\S+ \\S+ \\S+")).toList();
    assertTrue(lines.size() >= 3, report);
  }

  @Test
  @Order(6)
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
          try (Connection connection = cluster.balancer("kept").connect();
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
