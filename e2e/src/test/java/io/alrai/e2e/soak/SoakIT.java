package io.alrai.e2e.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.testing.ClusterProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that go, stall and trickle in the middle of every kind of statement, servers that die and
 * stall, and witnesses who must not notice. {@code -Dsoak.seconds=1800} makes it last; {@code
 * -Dsoak.seed=N} repeats its choices.
 */
@Tag("faults")
@Timeout(value = 12, unit = TimeUnit.HOURS)
final class SoakIT {
  private static final int SECONDS = Integer.getInteger("soak.seconds", 15);

  private final long seed = Long.getLong("soak.seed", System.nanoTime());

  @Test
  void hostileClientsOfOneProcess() throws Exception {
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), "--dns", "2")) {
      soak(cluster, 1, false, () -> startAgain(cluster));
    }
  }

  @Test
  void hostileClientsOfProcessesWhichThenDieAndStall() throws Exception {
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "2", "--processes", "--cns", "2")) {
      soak(cluster, 2, false, () -> {});
      soak(cluster, 2, true, () -> startAgain(cluster));
    }
  }

  private void soak(ClusterProcess cluster, int cns, boolean faults, Runnable after)
      throws Exception {
    System.out.println("-Dsoak.seed=" + seed);
    try (Soak soak = new Soak(cluster, cns, faults, seed)) {
      soak.run(SECONDS);
      soak.checkPools();
      after.run();
      soak.checkWitnesses();
    }
  }

  private static void startAgain(ClusterProcess cluster) {
    assertEquals(0, cluster.command("down"));
    ClusterProcess.await("the end of all", 60, () -> cluster.processes().isEmpty());
    cluster.startAgain();
  }
}
