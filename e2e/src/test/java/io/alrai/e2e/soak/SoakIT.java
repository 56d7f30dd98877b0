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
@Tag("alone")
@Timeout(value = 12, unit = TimeUnit.HOURS)
final class SoakIT {
  private static final int SECONDS = Integer.getInteger("soak.seconds", 15);

  private final long seed = Long.getLong("soak.seed", System.nanoTime());

  @Test
  void hostileClientsOfOneProcess() throws Exception {
    soak(1, false, "--dns", "2");
  }

  @Test
  void hostileClientsOfSeparateProcesses() throws Exception {
    soak(2, false, "--dns", "2", "--processes", "--cns", "2");
  }

  @Test
  void serversThatDieAndStallMeanwhile() throws Exception {
    soak(2, true, "--dns", "2", "--processes", "--cns", "2");
  }

  private void soak(int cns, boolean faults, String... arguments) throws Exception {
    System.out.println("-Dsoak.seed=" + seed);
    try (ClusterProcess cluster = ClusterProcess.up(List.of(), arguments);
        Soak soak = new Soak(cluster, cns, faults, seed)) {
      soak.run(SECONDS);
      soak.checkPools();
      assertEquals(0, cluster.command("down"));
      ClusterProcess.await("the end of all", 60, () -> cluster.processes().isEmpty());
      cluster.startAgain();
      soak.checkWitnesses();
    }
  }
}
