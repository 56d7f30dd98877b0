package io.alrai.e2e.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.load.BankLoad;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * 100 accounts on three DNs, eight writers, readers through both CNs: no total is ever torn, first
 * in peace, then under kills. {@code -Dbank.seconds=60} makes each part so long, {@code
 * -Dbank.faults=6} sets the number of kills, {@code -Dbank.seed=N} repeats moments and victims.
 */
@Tag("faults")
final class BankIT {
  private static final int CNS = 2;
  private static final int DNS = 3;

  @Test
  void noTotalIsTorn() throws Exception {
    long seed = Long.getLong("bank.seed", System.nanoTime());
    int seconds = Integer.getInteger("bank.seconds", 7);
    System.out.println("-Dbank.seed=" + seed);
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "" + DNS, "--processes", "--cns", "" + CNS)) {
      List<Faults.Kind> kills =
          List.of(Faults.Kind.KILLED_CN, Faults.Kind.KILLED_AGENT, Faults.Kind.KILLED_MYSQLD);
      Faults faults = new Faults(cluster, CNS, DNS, kills, seed);
      faults.prepare();
      BankLoad.Size size = new BankLoad.Size(faults.ports(), 100, DNS, 8, true);
      BankLoad peace = new BankLoad(size);
      peace.create();
      peace.run(seconds, seed, new AtomicBoolean());
      judge("in peace", peace, faults);
      assertEquals("", peace.unexpectedErrors());
      for (int port : faults.ports()) {
        assertTrue(ColumnIndexed.answered(port) > 0, "no SELECT by columns at " + port);
      }

      BankLoad struck = new BankLoad(size);
      struckWhileItRuns(struck, faults, seconds, seed);
      judge("under kills", struck, faults);
    }
  }

  private static void struckWhileItRuns(BankLoad bank, Faults faults, int seconds, long seed)
      throws Exception {
    int strikes = Integer.getInteger("bank.faults", 2);
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Void> run =
          runner.submit(() -> {
            bank.run(Math.max(seconds, 600), seed + 1_000, stop);
            return null;
          });
      try {
        for (int i = 0; i < strikes; i++) {
          works(bank);
          TimeUnit.MILLISECONDS.sleep(seconds * 1_000L / (strikes + 1));
          faults.strike();
        }
        works(bank);
      } finally {
        stop.set(true);
      }
      run.get();
    }
  }

  /** Transfers and readings come in again. */
  private static void works(BankLoad bank) {
    long transfers = bank.transfers();
    long readings = bank.readings();
    ClusterProcess.await(
        "transfers and readings behind the fault",
        () -> bank.transfers() > transfers + 20 && bank.readings() > readings + 20);
  }

  private static void judge(String when, BankLoad bank, Faults faults) throws Exception {
    System.out.println(when + ": " + bank.text());
    assertTrue(bank.transfers() > 0 && bank.readings() > 0, bank.text());
    assertEquals(List.of(), bank.explained(), bank.tornTotals() + " torn totals");
    faults.awaitNothingPrepared();
    for (int port : faults.ports()) {
      assertEquals(List.of(), bank.checkAtRest(port));
      ColumnIndexed.awaitReady(port, BankLoad.SCHEMA, "account");
      assertEquals(List.of(), ColumnIndexed.differences(port, BankLoad.SCHEMA, "account"));
    }
  }
}
