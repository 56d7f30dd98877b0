package io.alrai.cn.console;

import io.alrai.cn.analytic.AnalyticCounts;
import io.alrai.cn.analytic.AnalyticSelects;
import io.alrai.cn.analytic.IndexedTables;
import io.alrai.cn.analytic.SelectExamination;
import io.alrai.cn.columnar.RowTables;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.tx.SnapshotClock;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.serve.ColumnIndexes;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.type.Collations;
import io.alrai.executor.task.AnalyticExecutor;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.gms.api.Catalog;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Wires what answers SELECTs out of column indexes. Closed by the thread that runs the process. */
final class AnalyticRoom implements AutoCloseable {
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** What one query may hold off the heap. */
  private static final long MEMORY_BYTES = 512L << 20;

  /** What rows of tables without an index may take off the heap, of all queries together. */
  private static final long ROWS_BYTES = 256L << 20;

  private final ColumnIndexes indexes;
  private final Supplier<Catalog> catalog;
  private final SnapshotClock snapshots;
  private final SliceScheduler scheduler =
      new SliceScheduler(Runtime.getRuntime().availableProcessors(), SLICE_NANOS, System::nanoTime);

  AnalyticRoom(ColumnIndexes indexes, Supplier<Catalog> catalog, SnapshotClock snapshots) {
    this.indexes = indexes;
    this.catalog = catalog;
    this.snapshots = snapshots;
  }

  AnalyticSelects selects(ShardQueries queries, Collations collations, Metrics metrics) {
    IndexedTables tables = new IndexedTables(catalog, indexes, System::nanoTime);
    RowTables rows = new RowTables(queries, new MemoryBudget(ROWS_BYTES));
    return new AnalyticSelects(
        tables,
        rows,
        new SelectExamination(tables, rows, System::nanoTime, () -> snapshots.next(0).join()),
        new AnalyticExecutor(scheduler, System::nanoTime),
        MEMORY_BYTES,
        collations,
        AnalyticCounts.of(metrics));
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
