package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.alrai.tpcc.SteadyWriters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A cluster of one process and one replica becomes one of three members for each DN while clients
 * write; then what it was before is killed. {@code -Dmembers.grow=true}: the build has no time for
 * so many starts.
 */
@EnabledIfSystemProperty(named = "members.grow", matches = "true")
@Tag("faults")
final class GrownClusterIT {
  private static final String FOUNDER = "dn-1";
  private static final String JOINER = "dn-1-b";

  private int port;

  @Test
  void oneReplicaBecomesThreeUnderLoad() throws Exception {
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--dns", "1")) {
      port = cluster.port();
      SteadyWriters writers = new SteadyWriters("mysql://root@127.0.0.1:" + port, 2);
      writers.create();
      try (Connection admin = admin()) {
        Servers.run(admin, "CREATE TABLE steady.columns (id BIGINT PRIMARY KEY, n INT)");
        Servers.run(admin, "INSERT INTO steady.columns VALUES (1,1),(2,2)");
        AlterSystem.assertRefused(
            admin, "ADD LOGGER 'logger-1' TO 'dn-1'", "./alrai up --processes");
      }
      assertEquals(0, cluster.command("down"));
      cluster.startAgain("--dns", "2", "--processes");
      try (Connection admin = admin();
          SteadyWriters closed = writers) {
        AlterSystem.assertRefused(
            admin, "ADD LOGGER 'logger-1' TO 'dn-1'", "no process waits to join dn-1");
        closed.start();
        awaitWrites(writers, 50);
        writers.mark();
        grows(cluster, admin);
        assertEquals(0, writers.errorCount(), writers.errors());
        System.out.println("longest gap " + Math.round(writers.longestGapMillis()) + " ms");
        assertTrue(writers.longestGapMillis() < 5_000, writers::errors);

        ProcessHandle founder = cluster.role(FOUNDER).orElseThrow();
        ClusterProcess.pause(founder); // killed it would be there again, and perhaps lead
        awaitState(JOINER, "LEADING");
        awaitWrites(writers, 20);
        ClusterProcess.kill(founder);
        awaitState(FOUNDER, "FOLLOWING");
      }
      assertEquals(List.of(), writers.wrong());
      assertEquals(0, cluster.command("down"));
      cluster.startAgain();
      awaitState(FOUNDER, "FOLLOWING", "LEADING");
      awaitState(JOINER, "FOLLOWING", "LEADING");
      assertEquals(List.of(), writers.wrong());
      assertEquals(0, cluster.command("down"));
    }
  }

  private void grows(ClusterProcess cluster, Connection admin) throws SQLException {
    assertEquals(0, cluster.command("member", "add", "logger-1", "--to", "dn-1"));
    AlterSystem.awaitDone(admin, "ADD LOGGER 'logger-1' TO 'dn-1'");
    awaitState(FOUNDER, "LEADING");
    assertEquals(0, cluster.command("member", "add", JOINER, "--to", "dn-1"));
    AlterSystem.awaitDone(admin, "ADD FOLLOWER 'dn-1-b' TO 'dn-1'");
    awaitClone(cluster); // until it has found out it says that it follows
    awaitState(JOINER, "FOLLOWING");
    assertEquals(
        List.of("3"),
        Servers.column(admin, "SELECT COUNT(*) FROM information_schema.STORAGE_REPLICAS"));
  }

  private static void awaitClone(ClusterProcess cluster) {
    Path log = cluster.directory().resolve("log").resolve(JOINER + ".log");
    ClusterProcess.await(
        JOINER + " clones",
        120,
        () -> {
          try {
            return Files.readString(log).contains(JOINER + " has cloned");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private Connection admin() throws SQLException {
    return MiniCluster.connect(port, "", "");
  }

  private static void awaitWrites(SteadyWriters writers, long more) {
    long before = writers.fewest();
    ClusterProcess.await(more + " more rows", 60, () -> writers.fewest() > before + more);
  }

  private void awaitState(String member, String... wanted) {
    ClusterProcess.await(
        member + " is " + List.of(wanted),
        120,
        () -> state(member).stream().anyMatch(List.of(wanted)::contains));
  }

  /** The role and the state of a member; empty where it is none. */
  private List<String> state(String member) {
    try {
      return Servers.cells(port, "", "SHOW STORAGE REPLICAS").stream()
          .filter(row -> row.get(1).equals(member))
          .findFirst()
          .map(row -> List.of(row.get(2), row.get(3)))
          .orElse(List.of());
    } catch (SQLException nobodyLeads) {
      return List.of();
    }
  }
}
