package io.alrai.cn.analytic;

import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.ColumnIndexes;
import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.stats.StatisticsSource;
import io.alrai.optimizer.api.stats.TableStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Statistics of tables from their column indexes: the number of rows as it is, the rest as it was
 * when somebody last looked. Of a table without one, about how many rows it had then. Thread-safe.
 */
final class LearnedStatistics implements StatisticsSource {
  private static final Logger log = LoggerFactory.getLogger(LearnedStatistics.class);
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** A table that grew or shrank so much is looked at again. */
  private static final double CHANGED = 1.5;

  /** How an index that is ready is looked at as of a timestamp. Blocking. */
  @FunctionalInterface
  interface Look {
    /** The statistics that an index gives of its table. */
    TableStatistics of(Table table, ColumnIndex index, HlcTimestamp at);
  }

  private record Learned(TableStatistics statistics, long atNanos) {}

  private final ColumnIndexes indexes;
  private final Look look;
  private final ToDoubleFunction<Table> rowsOf;
  private final LongSupplier clock;
  private final Map<Long, Learned> known = new ConcurrentHashMap<>();

  /**
   * Statistics of these indexes.
   *
   * @param rowsOf about how many rows a table has that has no index; blocking
   * @param clock nanoseconds from any start
   */
  LearnedStatistics(
      ColumnIndexes indexes, Look look, ToDoubleFunction<Table> rowsOf, LongSupplier clock) {
    this.indexes = indexes;
    this.look = look;
    this.rowsOf = rowsOf;
    this.clock = clock;
  }

  @Override
  public TableStatistics of(Table table) {
    Learned learned = known.get(table.id());
    Optional<ColumnIndex> index = ready(table);
    if (index.isEmpty()) {
      return learned == null ? TableStatistics.UNKNOWN : learned.statistics();
    }
    long rows = index.get().figures().rows();
    if (rows == 0) {
      return TableStatistics.UNKNOWN;
    }
    return new TableStatistics(rows, learned == null ? Map.of() : learned.statistics().columns());
  }

  private Optional<ColumnIndex> ready(Table table) {
    return indexes.find(table.schema(), table.name()).filter(ColumnIndex::isReady);
  }

  /** Whether nobody has looked at a table's columns for long, or it has changed much since. */
  boolean isStale(Table table) {
    Learned learned = known.get(table.id());
    if (learned == null || clock.getAsLong() - learned.atNanos() > KEPT_NANOS) {
      return true;
    }
    double before = learned.statistics().rows();
    double now = of(table).rows();
    return now > before * CHANGED || before > now * CHANGED;
  }

  /**
   * Looks at a table's index as of a timestamp; blocks until it has come so far. Asks the DNs where
   * there is none.
   *
   * @return whether it could be seen
   */
  boolean learn(Table table, HlcTimestamp at) {
    try {
      Optional<ColumnIndex> index = ready(table);
      TableStatistics seen =
          index.isPresent()
              ? look.of(table, index.get(), at)
              : new TableStatistics(Math.max(1, rowsOf.applyAsDouble(table)), Map.of());
      known.put(table.id(), new Learned(seen, clock.getAsLong()));
      return true;
    } catch (RuntimeException e) {
      log.warn(
          "no statistics of {}.{}: {}",
          table.schema(),
          table.name(),
          AlraiException.causeOf(e).getMessage());
      // nor does every statement wait for it again
      known.put(table.id(), new Learned(of(table), clock.getAsLong()));
      return false;
    }
  }
}
