package io.alrai.tpcc;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What one terminal counts in the measured phase, by type. For one thread. */
final class TerminalCounts {
  private static final class OfType {
    private final LatencyHistogram latencies = new LatencyHistogram();
    private long committed;
    private long rolledBack;
    private long failed;
  }

  private final Map<TpccTransactionType, OfType> counts = new EnumMap<>(TpccTransactionType.class);

  TerminalCounts() {
    for (TpccTransactionType type : TpccTransactionType.values()) {
      counts.put(type, new OfType());
    }
  }

  private OfType of(TpccTransactionType type) {
    return Objects.requireNonNull(counts.get(type));
  }

  void ended(TpccTransactionType type, Outcome outcome, long micros) {
    OfType count = of(type);
    count.latencies.record(micros);
    if (outcome instanceof Outcome.RolledBack) {
      count.rolledBack++;
    } else {
      count.committed++;
    }
  }

  void failed(TpccTransactionType type) {
    of(type).failed++;
  }

  void add(TerminalCounts other) {
    for (TpccTransactionType type : TpccTransactionType.values()) {
      OfType mine = of(type);
      OfType theirs = other.of(type);
      mine.latencies.add(theirs.latencies);
      mine.committed += theirs.committed;
      mine.rolledBack += theirs.rolledBack;
      mine.failed += theirs.failed;
    }
  }

  List<TpccReport.Transaction> report() {
    List<TpccReport.Transaction> result = new ArrayList<>();
    for (TpccTransactionType type : TpccTransactionType.values()) {
      OfType count = of(type);
      result.add(
          new TpccReport.Transaction(
              type,
              count.committed,
              count.rolledBack,
              count.failed,
              count.latencies.meanMicros(),
              count.latencies.percentileMicros(50),
              count.latencies.percentileMicros(90),
              count.latencies.percentileMicros(95),
              count.latencies.percentileMicros(99),
              count.latencies.maxMicros()));
    }
    return result;
  }
}
