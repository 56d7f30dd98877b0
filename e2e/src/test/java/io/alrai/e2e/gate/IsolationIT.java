package io.alrai.e2e.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.history.Anomaly;
import io.alrai.testing.history.Level;
import io.alrai.testing.history.Transaction.Outcome;
import io.alrai.testing.load.RecordedLoad;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random transactions through two CNs on three DNs that are killed, paused and given wrong clocks:
 * what the clients saw is snapshot isolation, and what was acknowledged stays. {@code
 * -Disolation.transactions=20000} makes it longer, {@code -Disolation.pause=MILLIS} is the time
 * between two faults, {@code -Disolation.seed=N} repeats what is done, and to whom.
 */
@Tag("faults")
final class IsolationIT {
  private static final int CNS = 2;
  private static final int DNS = 3;
  private static final int SESSIONS = 10;

  @Test
  void clientsSeeSnapshots() throws Exception {
    long seed = Long.getLong("isolation.seed", System.nanoTime());
    int transactions = Integer.getInteger("isolation.transactions", 2_000);
    System.out.println("-Disolation.seed=" + seed);
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "" + DNS, "--processes", "--cns", "" + CNS)) {
      Faults faults = new Faults(cluster, CNS, DNS, List.of(Faults.Kind.values()), seed);
      faults.prepare();
      RecordedLoad load =
          new RecordedLoad(
              new RecordedLoad.Size(
                  faults.ports(),
                  2 * DNS,
                  SESSIONS,
                  transactions,
                  List.of("SET innodb_lock_wait_timeout = 2")));
      load.create();
      struckWhileItRuns(load, faults, transactions, seed);
      System.out.println(load.text());
      faults.awaitNothingPrepared();
      List<Anomaly> anomalies = load.check(Level.SNAPSHOT, cluster.port());
      anomalies.stream().limit(5).map(load::told).forEach(System.out::println);
      assertEquals(List.of(), anomalies);
      assertTrue(load.count(Outcome.COMMITTED) > transactions / 2, load.text());
    }
  }

  private static void struckWhileItRuns(
      RecordedLoad load, Faults faults, int transactions, long seed) throws Exception {
    long pause = Long.getLong("isolation.pause", 1_500);
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Void> run =
          runner.submit(() -> {
            load.run(seed, stop);
            return null;
          });
      try {
        while (!run.isDone() && load.started() < transactions) {
          TimeUnit.MILLISECONDS.sleep(pause);
          faults.strike();
        }
      } finally {
        stop.set(true);
      }
      run.get();
    }
  }
}
