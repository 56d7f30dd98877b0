package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What SELECTs over column indexes may have, and how they end. */
@Tag("alone")
@ExtendWith(Servers.Shared.class)
final class ColumnIsolationIT {
  private static final int ROWS = 40;
  private static final String SUM = "SELECT /*+ WORKLOAD_TYPE(AP) */ SUM(b) FROM t";

  /** Four billion rows to look at. */
  private static final String LONG =
      "SELECT /*+ WORKLOAD_TYPE(AP) */ COUNT(*) FROM t a, t b, t c, t d, t e, t f"
          + " WHERE a.b + b.b + c.b + d.b + e.b + f.b = 7";

  private static Connection indexed(Servers servers, String schema) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, schema, ROWS, 10);
    Connection connection = MiniCluster.connect(port, schema, "");
    ColumnIndexed.create(connection, "t", "a");
    return connection;
  }

  private static long memory(int port) {
    return status(port, "Alrai_ap_memory_bytes");
  }

  /** The error of a query that somebody will end. */
  private static CompletableFuture<SQLException> victim(Statement statement) {
    return CompletableFuture.supplyAsync(
        () -> assertThrows(SQLException.class, () -> Servers.only(statement, LONG)),
        task -> Thread.ofPlatform().start(task));
  }

  @Test
  void killEndsAQueryWithinATenthOfASecondAndFreesItsMemory(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection connection = indexed(servers, "colkill");
        Statement statement = connection.createStatement();
        Connection other = MiniCluster.connect(port, "colkill", "");
        Statement killer = other.createStatement()) {
      String id = Servers.only(statement, "SELECT CONNECTION_ID()");
      List<Long> millis = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        CompletableFuture<SQLException> victim = victim(statement);
        ClusterProcess.await("the query's begin", () -> memory(port) > 0);
        long start = System.nanoTime();
        killer.execute("KILL QUERY " + id);
        assertEquals(1317, victim.get().getErrorCode());
        millis.add((System.nanoTime() - start) / 1_000_000);
        ClusterProcess.await("the query's memory", () -> memory(port) == 0);
      }
      System.out.println("KILL QUERY ended queries within " + millis + " ms");
      assertTrue(millis.stream().min(Long::compare).orElseThrow() < 100, millis.toString());
      assertEquals("400", Servers.only(statement, SUM));
    }
  }

  /** A hundredth of a processor: after each slice nobody has one for a second. */
  @Test
  void whoIsHeldBackEndsAtOnceAndWhoHasLocksIsNot(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection connection = indexed(servers, "colheld");
        Statement statement = connection.createStatement();
        Connection other = MiniCluster.connect(port, "colheld", "");
        Statement locking = other.createStatement()) {
      assertEquals("400", Servers.only(locking, SUM));
      String id = Servers.only(statement, "SELECT CONNECTION_ID()");
      locking.execute("SET GLOBAL ap_cpu_quota = 1");
      try {
        locking.execute("START TRANSACTION");
        assertEquals("10", Servers.only(locking, "SELECT b FROM t WHERE a = 7 FOR UPDATE"));
        List<Long> sums = new ArrayList<>();
        List<Long> kills = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          CompletableFuture<SQLException> victim = victim(statement);
          ClusterProcess.await("the query's begin", () -> memory(port) > 0);
          long start = System.nanoTime();
          assertEquals("400", Servers.only(locking, SUM));
          sums.add((System.nanoTime() - start) / 1_000_000);
          start = System.nanoTime();
          locking.execute("KILL QUERY " + id);
          assertEquals(1317, victim.get().getErrorCode());
          kills.add((System.nanoTime() - start) / 1_000_000);
          ClusterProcess.await("the query's memory", () -> memory(port) == 0);
        }
        locking.execute("COMMIT");
        System.out.println("held back: sums of who has locks " + sums + ", KILL " + kills + " ms");
        assertTrue(sums.stream().min(Long::compare).orElseThrow() < 300, sums.toString());
        assertTrue(kills.stream().min(Long::compare).orElseThrow() < 100, kills.toString());
      } finally {
        locking.execute("SET GLOBAL ap_cpu_quota = DEFAULT");
      }
    }
  }

  @Test
  void aClientThatLeavesTakesItsQueryAlong(Servers servers) throws Exception {
    int port = servers.cluster().port();
    indexed(servers, "colgone").close();
    Connection connection = MiniCluster.connect(port, "colgone", "");
    CompletableFuture<SQLException> victim = victim(connection.createStatement());
    ClusterProcess.await("the query's begin", () -> memory(port) > 0);
    connection.abort(Runnable::run);
    long start = System.nanoTime();
    ClusterProcess.await("the query's memory", () -> memory(port) == 0);
    System.out.println(
        "the memory of a client that left was free within "
            + (System.nanoTime() - start) / 1_000_000
            + " ms");
    victim.get();
  }

  @Test
  void fiftyAtOnceStarveNobody(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection connection = indexed(servers, "colfifty");
        Statement statement = connection.createStatement()) {
      List<Connection> clients = new ArrayList<>();
      List<CompletableFuture<SQLException>> slow = new ArrayList<>();
      List<CompletableFuture<String>> quick = new ArrayList<>();
      try {
        for (int i = 0; i < 50; i++) {
          Connection client = MiniCluster.connect(port, "colfifty", "");
          clients.add(client);
          Statement own = client.createStatement();
          if (i < 10) {
            slow.add(victim(own));
          } else {
            quick.add(
                CompletableFuture.supplyAsync(
                    () -> sum(own), task -> Thread.ofPlatform().start(task)));
          }
          if (i == 10) {
            // more slow ones than may run at once: the others wait until these are found out
            ClusterProcess.await("a query that waits", () -> status(port, "Alrai_ap_waiting") > 0);
          }
        }
        long start = System.nanoTime();
        assertEquals("10", Servers.only(statement, "SELECT b FROM t WHERE a = 7"));
        for (CompletableFuture<String> one : quick) {
          assertEquals("400", one.get());
        }
        System.out.println(
            "40 short queries behind 10 long ones: "
                + (System.nanoTime() - start) / 1_000_000
                + " ms");
        assertTrue(slow.stream().noneMatch(CompletableFuture::isDone));
      } finally {
        for (Connection client : clients) {
          client.abort(Runnable::run);
        }
      }
      ClusterProcess.await("the memory of all", () -> memory(port) == 0);
    }
  }

  private static long status(int port, String name) {
    try {
      return ColumnIndexed.status(port, name);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static String sum(Statement statement) {
    try {
      return Servers.only(statement, SUM);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void settingsAreGlobalVariables(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    try (Connection connection = indexed(servers, "colset");
        Statement statement = connection.createStatement()) {
      assertEquals("1", Servers.only(statement, "SELECT @@ap_isolation"));
      statement.execute("SET GLOBAL ap_isolation = OFF, GLOBAL ap_cpu_quota = 50");
      try {
        assertEquals("0", Servers.only(statement, "SELECT @@GLOBAL.ap_isolation"));
        assertEquals("50", Servers.only(statement, "SELECT @@ap_cpu_quota"));
        assertEquals("400", Servers.only(statement, SUM));
        assertEquals(
            "ap_cpu_quota", Servers.only(statement, "SHOW GLOBAL VARIABLES LIKE 'ap_cpu%'"));
        assertRefused(statement, 1229, "SET ap_cpu_quota = 10");
        assertRefused(statement, 1231, "SET GLOBAL ap_cpu_quota = -1");
        assertRefused(statement, 1232, "SET GLOBAL ap_cpu_quota = 'half'");
        assertRefused(statement, 1235, "SET PERSIST ap_cpu_quota = 10");
        assertRefused(statement, 1238, "SELECT @@SESSION.ap_cpu_quota");
        // what was right in a SET that fails is not set either
        assertRefused(statement, 1231, "SET GLOBAL ap_cpu_quota = 10, GLOBAL ap_time_slice = 0");
        assertEquals("50", Servers.only(statement, "SELECT @@ap_cpu_quota"));
      } finally {
        statement.execute("SET GLOBAL ap_isolation = DEFAULT, GLOBAL ap_cpu_quota = DEFAULT");
      }
      assertEquals("1", Servers.only(statement, "SELECT @@ap_isolation"));
      long before = ColumnIndexed.answered(port);
      assertEquals("400", Servers.only(statement, SUM));
      assertEquals(1, ColumnIndexed.answered(port) - before);
    }
  }

  private static void assertRefused(Statement statement, int errno, String sql) {
    assertEquals(
        errno,
        assertThrows(SQLException.class, () -> statement.execute(sql), sql).getErrorCode(),
        sql);
  }
}
