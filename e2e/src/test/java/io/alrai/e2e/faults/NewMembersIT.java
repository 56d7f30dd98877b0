package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The logger of a DN's group is replaced while a client writes. {@code -Dmembers.follower=true}:
 * the follower, too, and the new one leads; as the build has no time for two more starts of
 * mysqlds.
 */
@EnabledIfSystemProperty(named = "members.follower", matches = "true|false")
@Tag("faults")
final class NewMembersIT {
  private static final boolean FOLLOWER = Boolean.getBoolean("members.follower");

  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final AtomicLong written = new AtomicLong();
  private volatile boolean over;
  private int port;

  @Test
  void aGroupIsReplacedUnderLoad() throws Exception {
    try (ClusterProcess cluster =
            ClusterProcess.up(List.of(), "--dns", "1", "--processes", "--replicas", "3");
        Connection admin = MiniCluster.connect(cluster.port(), "", "");
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      port = cluster.port();
      Servers.run(admin, "CREATE DATABASE d");
      Servers.run(admin, "CREATE TABLE d.t (id BIGINT PRIMARY KEY)");
      String first = "dn-1-a";
      String second = "dn-1-b";
      awaitStates(first, second);
      if (!state(first).getFirst().equals("LEADER")) {
        Servers.run(admin, "ALTER SYSTEM CHANGE_ROLE NODE 'dn-1-a' TO LEADER");
        awaitStates(first, second);
      }
      Future<?> writer = clients.submit(this::write);
      try {
        whatIsRefused(admin);
        aLoggerIsReplaced(cluster, admin);
        if (FOLLOWER) {
          aFollowerIsReplaced(cluster, admin);
          Servers.run(admin, "ALTER SYSTEM CHANGE_ROLE NODE 'dn-1-c' TO LEADER");
          awaitWrites(20);
        }
      } finally {
        over = true;
      }
      writer.get();
      assertEquals("[]", errors.toString());
      assertEquals(
          List.of(Long.toString(written.get())), Servers.column(admin, "SELECT COUNT(*) FROM d.t"));
      assertEquals(0, cluster.command("down"));
    }
  }

  private void aLoggerIsReplaced(ClusterProcess cluster, Connection admin) throws Exception {
    assertEquals(0, cluster.command("member", "add", "logger-2", "--to", "dn-1"));
    AlterSystem.awaitDone(admin, "ADD LOGGER 'logger-2' TO 'dn-1'");
    Servers.run(admin, "ALTER SYSTEM ADD LOGGER 'logger-2' TO 'dn-1'"); // once more
    Servers.run(admin, "ALTER SYSTEM DROP NODE 'logger-1' FROM 'dn-1'");
    Servers.run(admin, "ALTER SYSTEM ADD LOGGER 'logger-2' TO 'dn-1'");
    assertEquals(List.of("LOGGER", "FOLLOWING"), state("logger-2"));
    assertEquals(List.of(), state("logger-1"));
    ClusterProcess.kill(cluster.role("logger-1").orElseThrow());
    ClusterProcess.kill(cluster.role("dn-1-b").orElseThrow());
    awaitWrites(20); // the new one votes
  }

  private void aFollowerIsReplaced(ClusterProcess cluster, Connection admin) throws Exception {
    assertEquals(0, cluster.command("member", "add", "dn-1-c", "--to", "dn-1"));
    ClusterProcess.await("it waits", 60, () -> state("dn-1-c").contains("JOINING"));
    AlterSystem.awaitDone(admin, "ADD FOLLOWER 'dn-1-c' TO 'dn-1'");
    Servers.run(admin, "ALTER SYSTEM DROP NODE 'dn-1-b' FROM 'dn-1'");
    assertEquals(List.of(), state("dn-1-b"));
    ClusterProcess.await(
        "rows", 60, () -> state("dn-1-c").equals(List.of("FOLLOWER", "FOLLOWING")));
    assertEquals(0, cluster.command("member", "remove", "dn-1-b"));
    awaitWrites(20);
  }

  private static void whatIsRefused(Connection admin) {
    AlterSystem.assertRefused(
        admin, "ADD LOGGER 'logger-2' TO 'dn-1'", "no process waits to join dn-1 as 'logger-2'");
    AlterSystem.assertRefused(admin, "ADD LOGGER 'logger-2' TO 'dn-7'", "there is no DN 'dn-7'");
    AlterSystem.assertRefused(admin, "DROP NODE 'dn-1-a' FROM 'dn-1'", "leads its group");
    AlterSystem.assertRefused(
        admin, "DROP NODE 'nobody' FROM 'dn-1'", "dn-1 has no member 'nobody'");
  }

  private void awaitStates(String one, String other) {
    ClusterProcess.await(
        "a leader and a follower",
        60,
        () ->
            state(one).contains("FOLLOWING") && state(other).contains("LEADING")
                || state(other).contains("FOLLOWING") && state(one).contains("LEADING"));
  }

  /** The role and the state of a member; empty where it is none. */
  private List<String> state(String member) {
    try {
      return Servers.cells(port, "", "SHOW STORAGE REPLICAS").stream()
          .filter(row -> row.get(1).equals(member))
          .findFirst()
          .map(row -> List.of(row.get(2), row.get(3)))
          .orElse(List.of());
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitWrites(long more) {
    long before = written.get();
    ClusterProcess.await(
        more + " more rows", 60, () -> written.get() > before + more || !errors.isEmpty());
    assertEquals("[]", errors.toString());
  }

  /** Autocommit statements, each of which must be done once. */
  private Void write() throws SQLException {
    try (Connection client = MiniCluster.connect(port, "d", "")) {
      while (!over) {
        try {
          Servers.run(client, "INSERT INTO t VALUES (" + written.get() + ")");
          written.incrementAndGet();
        } catch (SQLException e) {
          errors.add(e.getErrorCode() + ": " + e.getMessage());
          return null;
        }
      }
    }
    return null;
  }
}
