package io.alrai.cn.analytic;

import io.alrai.columnar.serve.ColumnIndexes;
import io.alrai.gms.api.Catalog;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Whether any table of the catalog has a column index, asked for each SELECT. Thread-safe. */
public final class IndexedTables {
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<Catalog> catalog;
  private final ColumnIndexes indexes;
  private final LongSupplier clock;
  private volatile Found found = new Found(Long.MIN_VALUE, 0, false);

  private record Found(long catalogVersion, long atNanos, boolean any) {}

  /**
   * The tables of a catalog.
   *
   * @param clock nanoseconds from any start
   */
  public IndexedTables(Supplier<Catalog> catalog, ColumnIndexes indexes, LongSupplier clock) {
    this.catalog = catalog;
    this.indexes = indexes;
    this.clock = clock;
  }

  /** The indexes themselves. */
  public ColumnIndexes indexes() {
    return indexes;
  }

  /** The newest catalog. */
  Catalog catalog() {
    return catalog.get();
  }

  /** Whether there is one, or was within the last second. Never waits. */
  boolean any() {
    if (indexes == ColumnIndexes.NONE) {
      return false;
    }
    Catalog now = catalog.get();
    Found last = found;
    if (last.catalogVersion() == now.version() && clock.getAsLong() - last.atNanos() < KEPT_NANOS) {
      return last.any();
    }
    boolean any =
        now.schemas().values().stream()
            .flatMap(schema -> schema.tables().values().stream())
            .anyMatch(table -> indexes.find(table.schema(), table.name()).isPresent());
    found = new Found(now.version(), clock.getAsLong(), any);
    return any;
  }
}
