package io.alrai.executor.task;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnTable;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.PlanNode.ColumnScan;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The scans of one query, all at its snapshot. Belongs to the query's thread. */
final class OpenScans implements AutoCloseable {
  private static final long CHECK_MILLIS = 20;

  private final AnalyticExecutor.Request request;
  private final List<TableScan> open = new ArrayList<>();

  OpenScans(AnalyticExecutor.Request request) {
    this.request = request;
  }

  /** Opens a scan of each partition; waits until they show the snapshot. */
  List<TableScan> open(ColumnScan scan) {
    List<TableScan> scans = new ArrayList<>();
    for (ColumnTable table : request.tables().partitions(scan.schema(), scan.table())) {
      List<Integer> ordinals = ordinals(scan, table.shape());
      ZoneFilter filter =
          scan.predicate()
              .map(predicate -> ZoneRanges.of(predicate, ordinals))
              .orElse(ZoneFilter.ALL);
      TableScan opened = await(table.scan(request.at(), ordinals, filter));
      open.add(opened);
      scans.add(opened);
    }
    return scans;
  }

  private TableScan await(CompletableFuture<TableScan> future) {
    try {
      while (true) {
        try {
          return future.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          request.cancellation().check();
        }
      }
    } catch (ExecutionException e) {
      throw AlraiException.causeOf(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      request.cancellation().cancel();
      request.cancellation().check();
      throw new IllegalStateException(e);
    } finally {
      future.cancel(false);
    }
  }

  private static List<Integer> ordinals(ColumnScan scan, TableShape shape) {
    List<Integer> ordinals = new ArrayList<>();
    for (int i = 0; i < scan.names().size(); i++) {
      int ordinal = shape.ordinal(scan.names().get(i));
      ordinals.add(ordinal);
      check(scan.columns().get(i), shape.columns().get(ordinal).kind());
    }
    return ordinals;
  }

  /** What the plan takes a column for must be what the index holds. */
  private static void check(ValueType type, ColumnKind kind) {
    boolean same =
        switch (kind) {
          case ColumnKind.Int whole ->
              type.kind() == (whole.unsigned() ? ValueKind.UNSIGNED : ValueKind.BIGINT);
          case ColumnKind.Decimal decimal ->
              type.kind() == ValueKind.DECIMAL
                  && type.scale() == decimal.scale()
                  && type.precision() >= decimal.precision();
          case ColumnKind.Floating floating ->
              type.kind() == ValueKind.DOUBLE && !floating.single();
          case ColumnKind.Date date -> type.kind() == ValueKind.DATE;
          case ColumnKind.DateTime moment -> type.kind() == ValueKind.DATETIME;
          case ColumnKind.Text text ->
              type.kind() == ValueKind.STRING
                  && type.collation().name().equalsIgnoreCase(text.collation());
          case ColumnKind.Timestamp timestamp -> false;
          case ColumnKind.Time time -> false;
          case ColumnKind.Bytes bytes -> false;
          case ColumnKind.Json json -> false;
          case ColumnKind.Label label -> false;
          case ColumnKind.LabelSet set -> false;
        };
    if (!same) {
      throw NotTaken.error("a column of " + kind + " as " + type);
    }
  }

  @Override
  public void close() {
    open.forEach(TableScan::close);
    open.clear();
  }
}
