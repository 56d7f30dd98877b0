package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.load.BankLoad;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Nodes, each with a CN and a DN: money is moved between DNs that are local and remote, through
 * every node's port, and totals are never torn; {@code -Dnodes.kills=N}: nor while nodes, then
 * three, are killed and come back; {@code -Dnodes.replicas=3}: also with three that are the members
 * of one DN. {@code -Dnodes.seed=N} repeats victims.
 */
@Tag("faults")
final class NodesIT {
  private static final int KILLS = Integer.getInteger("nodes.kills", 0);
  private static final int MOST_SECONDS = 600;

  private final long seed = Long.getLong("nodes.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void nodesAreOneClusterUnderTransfers() throws Exception {
    System.out.println("-Dnodes.seed=" + seed);
    int nodes = KILLS == 0 ? 2 : 3;
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--nodes", "" + nodes)) {
      killed(cluster, nodes, nodes);
    }
  }

  /** Writes go on meanwhile at the other nodes. */
  @Test
  @EnabledIfSystemProperty(named = "nodes.replicas", matches = "3")
  void threeNodesAreOneDn() throws Exception {
    System.out.println("-Dnodes.seed=" + seed);
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--nodes", "3", "--replicas", "3")) {
      killed(cluster, 3, 1);
    }
  }

  private void killed(ClusterProcess cluster, int nodes, int dns) throws Exception {
    List<Integer> ports = IntStream.range(0, nodes).mapToObj(i -> cluster.port() + i).toList();
    BankLoad bank = new BankLoad(new BankLoad.Size(ports, 60, Math.max(2, dns), 2 * nodes, false));
    bank.create();
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Void> run =
          runner.submit(() -> {
            bank.run(MOST_SECONDS, seed, stop);
            return null;
          });
      try {
        works(bank);
        for (int kill = 0; kill < KILLS; kill++) {
          kill(cluster, 1 + random.nextInt(nodes), nodes == 3 && dns == 1 ? bank : null);
          works(bank);
        }
      } finally {
        stop.set(true);
      }
      run.get();
    }
    System.out.println(bank.text());
    assertEquals(List.of(), bank.explained(), bank.tornTotals() + " torn totals");
    for (int port : ports) {
      ClusterProcess.await("the total at " + port, () -> isWhole(bank, port));
    }
    assertEquals(0, cluster.command("down"));
    ClusterProcess.await("the end of all", () -> cluster.processes().isEmpty());
  }

  /** A node with its mysqld; returns when it has come back. */
  private static void kill(ClusterProcess cluster, int number, @Nullable BankLoad goesOn) {
    String name = "node-" + number;
    System.out.println("kill -9 of " + name);
    long before = cluster.role(name).orElseThrow().pid();
    ClusterProcess.kill(cluster.role(name).orElseThrow());
    if (goesOn != null) {
      works(goesOn);
    }
    ClusterProcess.await(
        "the return of " + name,
        () -> cluster.role(name).filter(now -> now.pid() != before).isPresent());
  }

  private static void works(BankLoad bank) {
    long transfers = bank.transfers();
    long readings = bank.readings();
    ClusterProcess.await(
        "transfers and readings",
        () -> bank.transfers() > transfers + 20 && bank.readings() > readings + 20);
  }

  /** What was prepared when a node was killed is still to be brought to its end. */
  private static boolean isWhole(BankLoad bank, int port) {
    try {
      return bank.checkAtRest(port).isEmpty();
    } catch (SQLException e) {
      return false;
    }
  }
}
