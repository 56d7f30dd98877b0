package io.alrai.tpcc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Figures of a run.
 *
 * @param warehouses warehouses found in the database
 * @param terminals connections
 * @param measured length of the measured phase
 * @param transactions one entry per type, measured phase only
 * @param errors every kind of error that occurred, warm-up included
 * @param seconds one entry per second of the measured phase
 */
public record TpccReport(
    int warehouses,
    int terminals,
    Duration measured,
    List<Transaction> transactions,
    List<ErrorFigure> errors,
    List<Second> seconds) {
  /**
   * Figures of one transaction type; latencies in microseconds, from the first attempt to the
   * acknowledged commit, of committed and rolled back transactions.
   *
   * @param committed acknowledged commits
   * @param rolledBack new orders with an unknown item, rolled back as specified
   * @param failed transactions given up after errors
   */
  public record Transaction(
      TpccTransactionType type,
      long committed,
      long rolledBack,
      long failed,
      long meanMicros,
      long p50Micros,
      long p90Micros,
      long p95Micros,
      long p99Micros,
      long maxMicros) {}

  /**
   * An error, by the server's number.
   *
   * @param code MySQL's error number, 0 if the driver made it up
   * @param sqlState SQLSTATE, empty if there is none
   * @param kind what the terminal did about it
   * @param count how often
   * @param example message of the first
   */
  public record ErrorFigure(
      int code, String sqlState, TpccErrorKind kind, long count, String example) {}

  /**
   * One second.
   *
   * @param newOrders new orders committed
   * @param transactions transactions committed
   * @param errors errors of any kind
   */
  public record Second(long newOrders, long transactions, long errors) {
    Second plus(Second other) {
      return new Second(
          newOrders + other.newOrders, transactions + other.transactions, errors + other.errors);
    }
  }

  public TpccReport {
    transactions = List.copyOf(transactions);
    errors = List.copyOf(errors);
    seconds = List.copyOf(seconds);
  }

  /** Committed new orders per minute. */
  public double tpmC() {
    long newOrders =
        transactions.stream()
            .filter(figure -> figure.type() == TpccTransactionType.NEW_ORDER)
            .mapToLong(Transaction::committed)
            .sum();
    return newOrders * 60_000.0 / measured.toMillis();
  }

  /** Committed transactions of all types per second. */
  public double transactionsPerSecond() {
    return transactions.stream().mapToLong(Transaction::committed).sum()
        * 1_000.0
        / measured.toMillis();
  }

  /** Errors that are not a matter of course under contention. */
  public long unexpectedErrors() {
    return errors.stream()
        .filter(figure -> figure.kind() != TpccErrorKind.RETRIED)
        .mapToLong(ErrorFigure::count)
        .sum();
  }

  /** The seconds summed up in windows of so many; a shorter rest at the end is left out. */
  public List<Second> windows(int secondsPerWindow) {
    List<Second> result = new ArrayList<>();
    for (int from = 0; from + secondsPerWindow <= seconds.size(); from += secondsPerWindow) {
      result.add(
          seconds.subList(from, from + secondsPerWindow).stream()
              .reduce(new Second(0, 0, 0), Second::plus));
    }
    return result;
  }

  /** The report for people; the first line is {@code tpmC N}. */
  public String text() {
    StringBuilder out = new StringBuilder();
    out.append("tpmC ").append(String.format(Locale.ROOT, "%.1f", tpmC())).append('\n');
    out.append(
        String.format(
            Locale.ROOT,
            "%d warehouses, %d terminals, %.0f s: %.1f transactions/s%n",
            warehouses,
            terminals,
            measured.toMillis() / 1000.0,
            transactionsPerSecond()));
    out.append(
        String.format(
            Locale.ROOT,
            "%-13s %9s %8s %7s %9s %9s %9s %9s %9s%n",
            "milliseconds",
            "committed",
            "rollback",
            "failed",
            "p50",
            "p90",
            "p95",
            "p99",
            "max"));
    for (Transaction figure : transactions) {
      out.append(
          String.format(
              Locale.ROOT,
              "%-13s %9d %8d %7d %9.2f %9.2f %9.2f %9.2f %9.2f%n",
              figure.type().label(),
              figure.committed(),
              figure.rolledBack(),
              figure.failed(),
              figure.p50Micros() / 1000.0,
              figure.p90Micros() / 1000.0,
              figure.p95Micros() / 1000.0,
              figure.p99Micros() / 1000.0,
              figure.maxMicros() / 1000.0));
    }
    if (errors.isEmpty()) {
      out.append("no errors\n");
    }
    for (ErrorFigure error : errors) {
      out.append(
          String.format(
              Locale.ROOT,
              "error %d (%s) %s: %d times, first: %s%n",
              error.code(),
              error.sqlState(),
              error.kind().label(),
              error.count(),
              error.example()));
    }
    return out.toString();
  }
}
