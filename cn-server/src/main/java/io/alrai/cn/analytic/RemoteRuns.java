package io.alrai.cn.analytic;

import io.alrai.cn.columnar.RemotePlans;
import io.alrai.cn.columnar.RowTables;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.exchange.PlanRows;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Has plans run on column nodes: this process chooses the snapshot and gives the rows to the
 * client. Thread-safe.
 */
final class RemoteRuns {
  private final RemotePlans nodes;
  private final IndexedTables tables;
  private final RowTables rows;
  private final AnalyticResources resources;

  RemoteRuns(RemotePlans nodes, IndexedTables tables, RowTables rows, AnalyticResources resources) {
    this.nodes = nodes;
    this.tables = tables;
    this.rows = rows;
    this.resources = resources;
  }

  /** Runs a plan to its end; the rows are to be closed; empty where only rows can be read. */
  Optional<AnalyticRows> run(AskedSelect asked, ChosenPlan chosen, List<ColumnDefinition> columns) {
    Optional<HlcTimestamp> at = snapshot(asked, chosen);
    if (at.isEmpty()) {
      return Optional.empty();
    }
    boolean hurries = asked.locksRows();
    PlanRows result = begin(asked, chosen, at.get());
    return Optional.of(
        new AnalyticRows(
            columns,
            result,
            asked.cancellation(),
            () -> {
              if (!hurries) {
                resources.threads().pace(asked.cancellation());
              }
            },
            result::close));
  }

  private Optional<HlcTimestamp> snapshot(AskedSelect asked, ChosenPlan chosen) {
    return StatementTables.open(tables.indexes(), rows, tables.catalog(), asked, chosen)
        .map(StatementTables::at);
  }

  private PlanRows begin(AskedSelect asked, ChosenPlan chosen, HlcTimestamp at) {
    Catalog catalog = tables.catalog();
    List<Table> read = new ArrayList<>();
    for (ScannedTables.Name name : ScannedTables.of(chosen.plan())) {
      read.add(
          catalog
              .table(name.schema(), name.table())
              .orElseThrow(() ->
                  new AlraiException(
                      ErrorCode.ALRAI_CATALOG_CONFLICT, "the table " + name + " is gone")));
    }
    return nodes.run(
        new RemotePlans.Sent(chosen.plan(), read, at, resources.queryBytes().getAsLong()),
        asked.cancellation());
  }

  /** What EXPLAIN ANALYZE says of it; empty where only rows can be read. */
  Optional<List<String>> measured(AskedSelect asked, ChosenPlan chosen) {
    long start = System.nanoTime();
    Optional<HlcTimestamp> at = snapshot(asked, chosen);
    if (at.isEmpty()) {
      return Optional.empty();
    }
    long ready = System.nanoTime();
    try (PlanRows result = begin(asked, chosen, at.get())) {
      return Optional.of(
          AnalyticExplanation.measured(
              at.get(),
              String.format(
                  Locale.ROOT,
                  "took: %.1f ms, of which %.1f ms until it had a snapshot; on a column node",
                  (System.nanoTime() - start) / 1e6,
                  (ready - start) / 1e6),
              result));
    }
  }
}
