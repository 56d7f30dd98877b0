package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.testing.ClusterProcess;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * kill -9 in the middle of TPC-C. Moments and victims come from a seed that is printed: {@code
 * -Dkill.seed=N} repeats them, {@code -Dkill.rounds=N} makes it last longer.
 */
@Tag("faults")
final class KilledClusterIT {
  private static final int SECONDS = 7;

  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void oneProcessLosesItsJvmAndItsMysqlds() throws Exception {
    System.out.println("-Dkill.seed=" + seed);
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--dns", "2")) {
      BusyCluster busy = new BusyCluster(cluster, 1, seed);
      busy.load();
      int rounds = Integer.getInteger("kill.rounds", 2);
      int first = random.nextInt(4);
      for (int round = 0; round < rounds; round++) {
        embedded(cluster, busy, (first + round) % 4);
        busy.check();
      }
      assertEquals(0, cluster.command("down"));
      ClusterProcess.await("the end of all", () -> cluster.processes().isEmpty());
    }
  }

  private void embedded(ClusterProcess cluster, BusyCluster busy, int victim) throws Exception {
    long before = random.nextLong(2_500);
    switch (victim) {
      case 0 -> {
        System.out.println("kill -9 of the JVM, started again at once");
        busy.run(
            SECONDS,
            before,
            true,
            () -> {
              cluster.kill();
              cluster.startAgain();
            });
      }
      case 1, 2 -> {
        String dn = "dn-" + victim;
        System.out.println("kill -9 of the mysqld of " + dn);
        busy.run(
            SECONDS, before, true, () -> ClusterProcess.kill(cluster.mysqld(dn).orElseThrow()));
      }
      default -> {
        System.out.println("kill -9 of the JVM, started when nobody is there any more");
        busy.run(
            SECONDS,
            before,
            false,
            () -> {
              cluster.kill();
              ClusterProcess.await(
                  "the end of the mysqlds", 5, () -> cluster.processes().isEmpty());
            });
        cluster.startAgain();
      }
    }
  }

  @Test
  void separateProcessesLoseOneAfterTheOther() throws Exception {
    System.out.println("-Dkill.seed=" + seed);
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "2", "--processes", "--cns", "2")) {
      BusyCluster busy = new BusyCluster(cluster, 2, seed);
      busy.load();
      List<String> victims = List.of("cn-1", "dn-1", "mysqld of dn-2", "gms-1");
      int rounds = Integer.getInteger("kill.rounds", 2);
      int first = random.nextInt(victims.size());
      for (int round = 0; round < rounds; round++) {
        String victim = victims.get((first + round) % victims.size());
        System.out.println("kill -9 of the " + victim);
        busy.run(
            SECONDS,
            random.nextLong(2_500),
            true,
            () ->
                ClusterProcess.kill(
                    (victim.startsWith("mysqld") ? cluster.mysqld("dn-2") : cluster.role(victim))
                        .orElseThrow()));
        busy.check();
      }
      System.out.println("kill -9 of the process that keeps the others");
      cluster.kill();
      busy.run(2, 0, true, () -> {});
      cluster.startAgain();
      busy.check();
      cluster.kill();
      assertEquals(0, cluster.command("down"));
      ClusterProcess.await("the end of all", () -> cluster.processes().isEmpty());
    }
  }
}
