package io.alrai.e2e.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.columnar.wire.MemberFlight;
import io.alrai.cn.columnar.wire.MemberProof;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.CallOptions;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Column nodes beside two CNs: what embedded column indexes promise, and the death of nodes. */
@Tag("faults")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ColumnNodeIT {
  private static final String SUM = "SELECT /*+ WORKLOAD_TYPE(AP) */ SUM(b) FROM t";
  private static final int BIG = 700;

  /** Queries get what transactions leave: with more there would be hardly any. */
  private static final int WRITERS = 1;

  /** Four billion rows to look at. */
  private static final String LONG =
      "SELECT /*+ WORKLOAD_TYPE(AP) */ COUNT(*) FROM t a, t b, t c, t d, t e, t f"
          + " WHERE a.b + b.b + c.b + d.b + e.b + f.b = 7";

  private static NodeCluster cluster;

  @BeforeAll
  static void start() {
    cluster = NodeCluster.start(2);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static void indexed(String schema, int rows) throws SQLException {
    Servers.freshRows(cluster.port(0), schema, rows, 10);
    try (Connection connection = cluster.connect(0, schema)) {
      ColumnIndexed.create(connection, "t", "a");
    }
    ColumnIndexed.awaitReady(cluster.port(1), schema, "t");
  }

  @Test
  @Order(1)
  void everyTpchAnswerIsTheKnownOne() throws Exception {
    TpchOnNodes.answersAreTheKnownOnes(cluster);
    List<String> shown = shown(TpchOnNodes.SCHEMA);
    assertEquals(8, shown.size(), shown.toString());
    assertTrue(shown.stream().allMatch("READY"::equals), shown.toString());
    assertEquals(0, cluster.processes().command("status"));
  }

  private static List<String> shown(String schema) throws SQLException {
    List<String> states = new ArrayList<>();
    try (Connection connection = cluster.connect(1, schema);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW COLUMNAR INDEX")) {
      while (rows.next()) {
        if (rows.getString(1).equals(schema)) {
          states.add(rows.getString("STATE"));
        }
      }
    }
    return states;
  }

  /** Money moves between DNs through one CN; through the other all of it is always there. */
  @Test
  @Order(2)
  void everySumIsRightBesideTransfers() throws Exception {
    indexed("nodebank", 100);
    AtomicBoolean stop = new AtomicBoolean();
    List<CompletableFuture<Integer>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      Random random = new Random(i);
      writers.add(
          CompletableFuture.supplyAsync(
              () -> transfers(random, stop), task -> Thread.ofVirtual().start(task)));
    }
    long before = cluster.answered();
    int reads = 0;
    try (Connection one = cluster.connect(0, "nodebank");
        Connection two = cluster.connect(1, "nodebank");
        Statement first = one.createStatement();
        Statement second = two.createStatement()) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
      while (System.nanoTime() - end < 0) {
        assertEquals("1000", Servers.only(first, SUM));
        assertEquals("1000", Servers.only(second, SUM));
        reads += 2;
      }
    } finally {
      stop.set(true);
    }
    int transfers = 0;
    for (CompletableFuture<Integer> writer : writers) {
      transfers += writer.get();
    }
    System.out.println(reads + " sums beside " + transfers + " transfers");
    assertTrue(transfers > 50, "only " + transfers);
    assertEquals(reads, cluster.answered() - before);
    assertEquals(List.of(), ColumnIndexed.differences(cluster.port(1), "nodebank", "t"));
  }

  private static int transfers(Random random, AtomicBoolean stop) {
    int done = 0;
    try (Connection connection = cluster.connect(0, "nodebank");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      while (!stop.get()) {
        int one = 1 + random.nextInt(99);
        int other = one + 1 + random.nextInt(100 - one);
        statement.execute("UPDATE t SET b = b - 1 WHERE a = " + one);
        statement.execute("UPDATE t SET b = b + 1 WHERE a = " + other);
        connection.commit();
        done++;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return done;
  }

  @Test
  @Order(3)
  void aSessionReadsWhatItHasWritten() throws Exception {
    indexed("nodeown", 10);
    long before = cluster.answered();
    for (int cn = 0; cn < 2; cn++) {
      try (Connection connection = cluster.connect(cn, "nodeown");
          Statement statement = connection.createStatement()) {
        int sum = Integer.parseInt(Servers.only(statement, SUM));
        for (int i = 1; i <= 50; i++) {
          statement.execute("UPDATE t SET b = b + 1 WHERE a = " + (1 + i % 10));
          assertEquals(Integer.toString(sum + i), Servers.only(statement, SUM));
        }
      }
    }
    assertEquals(102, cluster.answered() - before);
  }

  private static long nodeBytes() {
    return cluster.queryBytes(1) + cluster.queryBytes(2);
  }

  @Test
  @Order(4)
  void killEndsAQueryOnItsNode() throws Exception {
    indexed("nodekill", 40);
    try (Connection connection = cluster.connect(0, "nodekill");
        Statement statement = connection.createStatement();
        Connection other = cluster.connect(0, "nodekill");
        Statement killer = other.createStatement()) {
      String id = Servers.only(statement, "SELECT CONNECTION_ID()");
      List<Long> millis = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        CompletableFuture<SQLException> victim =
            CompletableFuture.supplyAsync(
                () -> assertThrows(SQLException.class, () -> Servers.only(statement, LONG)),
                task -> Thread.ofPlatform().start(task));
        ClusterProcess.await("the query's begin", () -> nodeBytes() > 0);
        long start = System.nanoTime();
        killer.execute("KILL QUERY " + id);
        assertEquals(1317, victim.get().getErrorCode());
        millis.add((System.nanoTime() - start) / 1_000_000);
        ClusterProcess.await("the query's memory", () -> nodeBytes() == 0);
      }
      System.out.println("KILL QUERY ended queries of column nodes within " + millis + " ms");
      assertTrue(millis.stream().min(Long::compare).orElseThrow() < 100, millis.toString());
      assertEquals("400", Servers.only(statement, SUM));
    }
  }

  /** A client that leaves, or does not read on, keeps nothing on the node for long. */
  @Test
  @Order(5)
  void resultsComeAsTheyAreRead() throws Exception {
    indexed("nodebig", BIG);
    String all =
        "SELECT /*+ WORKLOAD_TYPE(AP) */ x.a, y.a, x.a + y.a, x.b, y.b, x.a * y.a FROM t x, t y"
            + " ORDER BY x.a, y.a";
    long before = cluster.answered();
    try (Connection connection = cluster.connect(1, "nodebig");
        Statement statement =
            connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
      statement.setFetchSize(Integer.MIN_VALUE);
      try (ResultSet rows = statement.executeQuery(all)) {
        int row = 0;
        while (rows.next()) {
          assertEquals(1 + row / BIG, rows.getInt(1));
          assertEquals(1 + row % BIG, rows.getInt(2));
          assertEquals((1 + row / BIG) * (1 + row % BIG), rows.getInt(6));
          row++;
        }
        assertEquals(BIG * BIG, row);
      }
    }
    assertEquals(1, cluster.answered() - before);
    Connection leaving = cluster.connect(1, "nodebig");
    Statement statement =
        leaving.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
    statement.setFetchSize(Integer.MIN_VALUE);
    ResultSet rows = statement.executeQuery(all);
    assertTrue(rows.next());
    assertTrue(nodeBytes() > 0, "the node has sent everything");
    leaving.abort(Runnable::run);
    ClusterProcess.await("the query's memory", () -> nodeBytes() == 0);
  }

  @Test
  @Order(6)
  @SuppressWarnings("try") // close() of a client may be interrupted
  void onlyMembersOfTheClusterAreLetIn() throws Exception {
    String[] address = cluster.configured(1, "listen").split(":");
    String host = address[0];
    int port = Integer.parseInt(address[1]);
    ClusterSecret ours = new ClusterSecret(cluster.configured(1, "secret"));
    ClusterSecret other = new ClusterSecret(ClusterSecret.fresh());
    try (BufferAllocator allocator = new RootAllocator(16 << 20);
        FlightClient stranger = new MemberFlight(other).client(allocator, host, port);
        FlightClient member = new MemberFlight(ours).client(allocator, host, port)) {
      assertThrows(RuntimeException.class, () -> stranger.authenticate(proof(other)));
      assertThrows(FlightRuntimeException.class, () -> state(stranger));
      assertThrows(RuntimeException.class, () -> member.authenticate(proof(other)));
      assertThrows(FlightRuntimeException.class, () -> state(member));
      member.authenticate(proof(ours));
      state(member);
    }
  }

  private static MemberProof proof(ClusterSecret secret) {
    return new MemberProof(secret, new NodeId("cn-9"));
  }

  private static void state(FlightClient client) {
    client
        .doAction(new Action("STATE"), CallOptions.timeout(10, TimeUnit.SECONDS))
        .forEachRemaining(answer -> {});
  }

  /** One node is left: it answers. None is: the row store does. They come back and serve. */
  @Test
  @Order(7)
  void killedNodesAreMissedByNobody() throws Exception {
    indexed("nodedies", 40);
    AtomicBoolean stop = new AtomicBoolean();
    List<CompletableFuture<List<Long>>> readers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int cn = i;
      readers.add(
          CompletableFuture.supplyAsync(
              () -> sums(cn, stop), task -> Thread.ofPlatform().start(task)));
    }
    try {
      ClusterProcess.kill(cluster.node(1));
      ClusterProcess.kill(cluster.node(2));
      ClusterProcess.await("the nodes", () -> runs(1) && runs(2));
      ColumnIndexed.awaitReady(cluster.port(0), "nodedies", "t");
      ColumnIndexed.awaitReady(cluster.port(1), "nodedies", "t");
      ClusterProcess.await("answers out of columns", ColumnNodeIT::answersAgain);
      // one that does not answer, but whose connections stay open
      ProcessHandle stopped = cluster.node(1);
      ClusterProcess.pause(stopped);
      try {
        ClusterProcess.await("answers without it", ColumnNodeIT::answersAgain);
      } finally {
        ClusterProcess.resume(stopped);
      }
    } finally {
      stop.set(true);
    }
    for (CompletableFuture<List<Long>> reader : readers) {
      List<Long> millis = reader.get();
      long longest = millis.stream().max(Long::compare).orElseThrow();
      System.out.println(millis.size() + " sums, the slowest in " + longest + " ms");
      assertTrue(longest < 5_000, millis.toString());
    }
    ColumnIndexed.awaitReady(cluster.port(1), "nodedies", "t");
    assertEquals(List.of(), ColumnIndexed.differences(cluster.port(1), "nodedies", "t"));
  }

  private static boolean runs(int node) {
    return cluster.processes().role("columnar-" + node).isPresent();
  }

  private static boolean answersAgain() {
    try (Connection connection = cluster.connect(0, "nodedies");
        Statement statement = connection.createStatement()) {
      long before = ColumnIndexed.answered(cluster.port(0));
      for (int i = 0; i < 10; i++) {
        assertEquals("400", Servers.only(statement, SUM));
      }
      return ColumnIndexed.answered(cluster.port(0)) - before >= 10;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** How long each took. */
  private static List<Long> sums(int cn, AtomicBoolean stop) {
    List<Long> millis = new ArrayList<>();
    try (Connection connection = cluster.connect(cn, "nodedies");
        Statement statement = connection.createStatement()) {
      while (!stop.get()) {
        long start = System.nanoTime();
        assertEquals("400", Servers.only(statement, SUM));
        millis.add((System.nanoTime() - start) / 1_000_000);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return millis;
  }
}
