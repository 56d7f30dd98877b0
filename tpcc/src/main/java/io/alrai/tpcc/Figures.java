package io.alrai.tpcc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** What all terminals count together. Safe for several threads. */
final class Figures {
  private record ErrorId(int code, String sqlState, TpccErrorKind kind) {}

  private record ErrorCount(AtomicLong count, String example) {}

  private final Phases phases;
  private final AtomicLongArray newOrders;
  private final AtomicLongArray transactions;
  private final AtomicLongArray errorsPerSecond;
  private final Map<ErrorId, ErrorCount> errors = new ConcurrentHashMap<>();

  Figures(Phases phases) {
    this.phases = phases;
    this.newOrders = new AtomicLongArray(phases.seconds());
    this.transactions = new AtomicLongArray(phases.seconds());
    this.errorsPerSecond = new AtomicLongArray(phases.seconds());
  }

  Phases phases() {
    return phases;
  }

  void committed(TpccTransactionType type, long nanos) {
    if (phases.isOver(nanos)) {
      return;
    }
    int second = phases.second(nanos);
    transactions.incrementAndGet(second);
    if (type == TpccTransactionType.NEW_ORDER) {
      newOrders.incrementAndGet(second);
    }
  }

  TpccErrorKind error(SQLException error, long nanos) {
    TpccErrorKind kind = TpccErrorKind.of(error);
    String state = error.getSQLState() == null ? "" : error.getSQLState();
    String message = error.getMessage() == null ? "" : error.getMessage();
    errors
        .computeIfAbsent(
            new ErrorId(error.getErrorCode(), state, kind),
            id -> new ErrorCount(new AtomicLong(), message.lines().findFirst().orElse("")))
        .count()
        .incrementAndGet();
    errorsPerSecond.incrementAndGet(phases.second(nanos));
    return kind;
  }

  TpccReport.Second second(int second) {
    return new TpccReport.Second(
        newOrders.get(second), transactions.get(second), errorsPerSecond.get(second));
  }

  TpccReport report(int warehouses, List<TerminalCounts> terminals, Duration warmUp) {
    TerminalCounts sum = new TerminalCounts();
    terminals.forEach(sum::add);
    List<TpccReport.ErrorFigure> errorFigures = new ArrayList<>();
    errors.forEach((id, count) ->
        errorFigures.add(
            new TpccReport.ErrorFigure(
                id.code(), id.sqlState(), id.kind(), count.count().get(), count.example())));
    errorFigures.sort(Comparator.comparingLong(TpccReport.ErrorFigure::count).reversed());
    List<TpccReport.Second> seconds = new ArrayList<>();
    for (int second = (int) warmUp.toSeconds(); second < phases.seconds(); second++) {
      seconds.add(second(second));
    }
    Duration measured = Duration.ofNanos(phases.endNanos() - phases.measureNanos());
    return new TpccReport(
        warehouses, terminals.size(), measured, sum.report(), errorFigures, seconds);
  }
}
