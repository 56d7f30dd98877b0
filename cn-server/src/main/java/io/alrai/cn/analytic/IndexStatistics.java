package io.alrai.cn.analytic;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.ColumnTable;
import io.alrai.columnar.scan.Cursor;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.Zone;
import io.alrai.columnar.scan.ZoneMap;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.IndexSnapshot;
import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.optimizer.api.stats.ColumnStatistics;
import io.alrai.optimizer.api.stats.TableStatistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * What the zones of a column index tell of its table: ranges, and from them and from dictionaries
 * how many different values there may be. No row is read. Belongs to the thread that collects.
 */
public final class IndexStatistics {
  /** A dictionary of more entries than this part of the rows stands for many more values. */
  private static final double MANY = 0.5;

  /** Assumed of a column that has NULLs. */
  private static final double NULLS = 0.05;

  private final List<ColumnShape> shapes;
  private final List<Column> columns = new ArrayList<>();

  /** What was seen of one column so far. */
  private static final class Column {
    private double low = Double.POSITIVE_INFINITY;
    private double high = Double.NEGATIVE_INFINITY;
    private double entries;
    private boolean nulls;
  }

  private IndexStatistics(List<ColumnShape> shapes) {
    this.shapes = shapes;
    shapes.forEach(shape -> columns.add(new Column()));
  }

  /**
   * Looks at an index as of a timestamp; blocks until it has come so far.
   *
   * @throws AlraiException when it cannot be seen, or not in time
   */
  public static TableStatistics at(ColumnIndex index, HlcTimestamp at) {
    CompletableFuture<IndexSnapshot> opening = index.openAt(at);
    try (IndexSnapshot snapshot = opening.get(AnalyticRun.PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
      return of(index, snapshot);
    } catch (ExecutionException | TimeoutException e) {
      throw AlraiException.causeOf(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.causeOf(e);
    } finally {
      opening.cancel(false);
    }
  }

  /** Looks at the zones of all row groups. */
  private static TableStatistics of(ColumnIndex index, IndexSnapshot snapshot) {
    IndexStatistics statistics =
        new IndexStatistics(snapshot.partitions().getFirst().shape().columns());
    for (ColumnTable table : snapshot.partitions()) {
      try (TableScan scan =
          table.scan(snapshot.at(), List.of(), zones -> statistics.see(zones)).join()) {
        Cursor cursor = scan.cursor();
        while (cursor.next().isPresent()) {
          // rows of the delta have no zones
        }
      }
    }
    return statistics.result(Math.max(1, index.figures().rows()));
  }

  /** Takes a row group's zones; its rows are not wanted. */
  private boolean see(ZoneMap zones) {
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      switch (zones.zone(i)) {
        case Zone.Longs longs -> {
          column.low = Math.min(column.low, longs.min());
          column.high = Math.max(column.high, longs.max());
          column.nulls |= longs.hasNulls();
        }
        case Zone.Doubles doubles -> {
          column.low = Math.min(column.low, doubles.min());
          column.high = Math.max(column.high, doubles.max());
          column.nulls |= doubles.hasNulls();
        }
        case Zone.Strings strings -> {
          double size = strings.dictionary().size();
          double most = size > MANY * zones.rows() ? Double.MAX_VALUE : size;
          column.entries = Math.max(column.entries, most);
          column.nulls |= strings.hasNulls();
        }
        case Zone.OnlyNulls nulls -> column.nulls = true;
        case Zone.Unknown unknown -> {
          // may hold anything
        }
      }
    }
    return false;
  }

  private TableStatistics result(double rows) {
    Map<String, ColumnStatistics> known = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      statistics(columns.get(i), shapes.get(i).kind(), rows)
          .ifPresent(putAs(known, shapes.get(i).name()));
    }
    return new TableStatistics(rows, known);
  }

  private static Consumer<ColumnStatistics> putAs(
      Map<String, ColumnStatistics> known, String name) {
    return column -> known.put(name.toLowerCase(Locale.ROOT), column);
  }

  private static Optional<ColumnStatistics> statistics(
      Column column, ColumnKind kind, double rows) {
    double nulls = column.nulls ? NULLS : 0;
    if (column.high >= column.low) {
      double unit = kind instanceof ColumnKind.Decimal decimal ? Math.pow(10, decimal.scale()) : 1;
      double distinct = Math.min(rows, column.high - column.low + 1);
      return Optional.of(
          new ColumnStatistics(
              kind instanceof ColumnKind.Floating ? rows : distinct,
              nulls,
              Optional.of(new ColumnStatistics.Range(column.low / unit, column.high / unit)),
              Optional.empty()));
    }
    return column.entries == 0
        ? Optional.empty()
        : Optional.of(
            new ColumnStatistics(
                Math.min(rows, column.entries), nulls, Optional.empty(), Optional.empty()));
  }
}
