package io.alrai.cn.analytic;

import io.alrai.cn.columnar.FetchedTable;
import io.alrai.cn.columnar.RowScan;
import io.alrai.cn.columnar.RowTables;
import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.tx.ColumnReads;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.ColumnIndexes;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The tables of one statement at one snapshot: column indexes, and in place of those that are
 * missing the rows themselves. Belongs to the statement's thread, which closes it after its scans.
 */
final class StatementTables implements ColumnIndexes, AutoCloseable {
  private final ColumnIndexes indexes;
  private final HlcTimestamp at;
  private final StatementViews views;
  private final Map<ScannedTables.Name, FetchedTable> fetched = new HashMap<>();

  private StatementTables(ColumnIndexes indexes, HlcTimestamp at, StatementViews views) {
    this.indexes = indexes;
    this.at = at;
    this.views = views;
  }

  /** Indexes alone, at a snapshot that was chosen elsewhere. */
  static StatementTables at(ColumnIndexes indexes, HlcTimestamp at) {
    return new StatementTables(indexes, at, StatementViews.NONE);
  }

  /**
   * Chooses the snapshot and opens the views that {@link #fetch} needs.
   *
   * @return empty where the statement must read rows only
   */
  static Optional<StatementTables> open(
      ColumnIndexes indexes,
      RowTables rows,
      Catalog catalog,
      AskedSelect asked,
      ChosenPlan chosen) {
    SessionShards shards = asked.shards();
    if (chosen.rows().isEmpty()) {
      return shards
          .awaitColumnSnapshot()
          .map(at -> new StatementTables(indexes, at, StatementViews.NONE));
    }
    Set<DnId> dns = rows.dns(catalog, chosen.rows());
    SessionTransaction transaction = asked.session().transaction();
    return shards.copying(() ->
        shards.onLoop(() ->
            ColumnReads.possible(transaction)
                ? shards
                    .views(dns, false)
                    .thenApply(views ->
                        snapshot(transaction, views)
                            .map(at -> new StatementTables(indexes, at, views)))
                : CompletableFuture.completedFuture(Optional.empty())));
  }

  /** The snapshot at which the indexes are read stays the transaction's. */
  private static Optional<HlcTimestamp> snapshot(
      SessionTransaction transaction, StatementViews views) {
    if (!views.isNone()) {
      return Optional.of(views.at());
    }
    transaction.views().keepSnapshot();
    return transaction.snapshot();
  }

  /** The snapshot. */
  HlcTimestamp at() {
    return at;
  }

  /**
   * Reads the rows and ends the views; once.
   *
   * @throws AlraiException what the row store may be asked instead; 1317 when that was ended
   */
  void fetch(RowTables rows, Catalog catalog, SessionShards shards, List<RowScan> scans) {
    try {
      for (RowScan scan : scans) {
        String schema = scan.table().schema();
        String table = scan.table().name();
        if (!catalog.table(schema, table).equals(Optional.of(scan.table()))) {
          throw new AlraiException(
              ErrorCode.ALRAI_CATALOG_CONFLICT, "the table " + table + " has changed");
        }
        fetched.put(
            new ScannedTables.Name(schema, table), rows.read(scan, catalog, shards, views, at));
      }
    } finally {
      shards.endViews(views);
    }
  }

  @Override
  public Optional<ColumnIndex> find(String schema, String table) {
    FetchedTable rows = fetched.get(new ScannedTables.Name(schema, table));
    return rows == null ? indexes.find(schema, table) : Optional.of(rows);
  }

  @Override
  public void close() {
    fetched.values().forEach(FetchedTable::close);
    fetched.clear();
  }
}
