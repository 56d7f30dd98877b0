package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.history.Anomaly;
import io.alrai.testing.history.Level;
import io.alrai.testing.history.Transaction.Outcome;
import io.alrai.testing.load.BankLoad;
import io.alrai.testing.load.RecordedLoad;
import io.alrai.tpcc.SteadyWriters;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** A bank, writers of rows and recorded transactions that work while a cluster is hit. */
record FaultClients(BankLoad bank, SteadyWriters writers, RecordedLoad recorded) {
  private static final int MOST_TOLD = 5;

  /** On a machine that has much else to do; the pauses are printed. */
  private static final int WORKS_SECONDS = 240;

  /** What happens to the cluster meanwhile. */
  @FunctionalInterface
  interface Strikes {
    void all() throws Exception;
  }

  /** All work until the last strike has ended; the writers end for good. */
  void workDuring(long seed, Strikes strikes) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor();
        writers) {
      writers.start();
      Future<?> running =
          runner.submit(() -> {
            bank.run(TimeUnit.DAYS.toSeconds(1), seed, stop);
            return null;
          });
      Future<?> recording =
          runner.submit(() -> {
            recorded.run(seed, stop);
            return null;
          });
      try {
        strikes.all();
      } finally {
        stop.set(true);
      }
      running.get();
      recording.get();
    }
  }

  /**
   * Waits until more than so many transfers and readings have been done, and more than so many rows
   * of each writer: each group has a leader and a majority then.
   */
  void awaitWork(int transfers, int readings, int rows) {
    long transfersBefore = bank.transfers();
    long readingsBefore = bank.readings();
    List<Long> before = writers.acknowledgedOfEach();
    ClusterProcess.await(
        "transfers, readings and rows after the fault",
        WORKS_SECONDS,
        () ->
            bank.transfers() > transfersBefore + transfers
                && bank.readings() > readingsBefore + readings
                && hasMore(writers.acknowledgedOfEach(), before, rows));
  }

  private static boolean hasMore(List<Long> now, List<Long> before, int rows) {
    return IntStream.range(0, now.size()).allMatch(i -> now.get(i) > before.get(i) + rows);
  }

  /** All that they have seen and done is right. */
  void check(int port) throws Exception {
    List<String> wrong = writers.wrong();
    List<Anomaly> anomalies = recorded.check(Level.SNAPSHOT, port);
    System.out.println(bank.text());
    System.out.println(recorded.text());
    System.out.println(writers.acknowledged() + " rows, errors: " + writers.errors());
    System.out.printf(
        "%d transactions: %d transfers, %d rows, %d recorded; wrong rows %d, anomalies %d, torn"
            + " totals %d of %d%n",
        bank.transfers() + writers.acknowledged() + committed(),
        bank.transfers(),
        writers.acknowledged(),
        committed(),
        wrong.size(),
        anomalies.size(),
        bank.tornTotals(),
        bank.readings());
    anomalies.stream().limit(MOST_TOLD).map(recorded::told).forEach(System.out::println);
    assertEquals(List.of(), wrong);
    assertEquals(List.of(), anomalies);
    assertEquals(List.of(), bank.explained(), bank.tornTotals() + " torn totals");
    assertEquals(List.of(), bank.checkAtRest(port));
  }

  /** Recorded transactions that were acknowledged as committed. */
  long committed() {
    return recorded.count(Outcome.COMMITTED);
  }
}
