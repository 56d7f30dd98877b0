package io.alrai.cn.columnar;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.StatementViews;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.version.LoadedRows;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads tables that have no column index out of the row store, into columns, for statements that
 * read others from their indexes. Blocking; virtual threads. Thread-safe.
 */
public final class RowTables {
  /** More is not begun. */
  public static final double MOST_EXPECTED = 500_000;

  /** More are not read, whatever was expected. */
  private static final long MOST_ROWS = 2_000_000;

  private static final int EXPLAINED_ROWS = 9;
  private static final int EXPLAINED_FILTERED = 10;
  private static final double PERCENT = 100;

  private final ShardQueries queries;
  private final MemoryBudget budget;

  /**
   * Tables of a cluster.
   *
   * @param queries facts about the tables
   * @param budget for the rows of all statements together
   */
  public RowTables(ShardQueries queries, MemoryBudget budget) {
    this.queries = queries;
    this.budget = budget;
  }

  private Map<DnId, List<PartitionGroup>> places(Catalog catalog, Table table) {
    return IndexBuild.places(queries.links(), catalog, table).stream()
        .collect(
            Collectors.groupingBy(PartitionGroup::dn, LinkedHashMap::new, Collectors.toList()));
  }

  /** The DNs that have the rows. */
  public Set<DnId> dns(Catalog catalog, List<RowScan> scans) {
    Set<DnId> dns = new LinkedHashSet<>();
    scans.forEach(scan -> dns.addAll(places(catalog, scan.table()).keySet()));
    return dns;
  }

  /** About how many rows a scan gives, as the mysqlds guess. */
  public double estimate(Catalog catalog, RowScan scan) {
    double rows = 0;
    for (Map.Entry<DnId, List<PartitionGroup>> place : places(catalog, scan.table()).entrySet()) {
      Sql sql =
          Sql.of("EXPLAIN FORMAT=TRADITIONAL ")
              .add(
                  everywhere(
                      place.getValue(),
                      scan,
                      schema -> Sql.of("SELECT 1 FROM ").name(schema, scan.table().name())));
      for (List<@Nullable String> line : queries.query(place.getKey(), "", sql)) {
        rows += number(line.get(EXPLAINED_ROWS)) * number(line.get(EXPLAINED_FILTERED)) / PERCENT;
      }
    }
    return rows;
  }

  private static double number(@Nullable String text) {
    return text == null ? 0 : Double.parseDouble(text);
  }

  /** One statement for all partitions of a DN. */
  private static Sql everywhere(
      List<PartitionGroup> places, RowScan scan, Function<String, Sql> select) {
    Sql condition = scan.condition().map(text -> Sql.of(" WHERE ").written(text)).orElse(Sql.EMPTY);
    return Sql.join(
        " UNION ALL ",
        places.stream()
            .map(place -> select.apply(place.physicalSchema().name()).add(condition))
            .toList());
  }

  /**
   * Reads what a scan wants.
   *
   * @param shards the session's, which reads in its transaction if there is one
   * @param views of the statement on the table's DNs, open at the snapshot; none where the
   *     transaction reads at it
   * @param at the snapshot
   * @throws AlraiException ER_OUT_OF_RESOURCES past the budget, ER_NOT_SUPPORTED_YET for values
   *     that are not held in columns, ALRAI_CATALOG_CONFLICT while the table changes
   */
  public FetchedTable read(
      RowScan scan, Catalog catalog, SessionShards shards, StatementViews views, HlcTimestamp at) {
    Map<DnId, List<PartitionGroup>> places = places(catalog, scan.table());
    IndexedColumns columns = columns(places, scan);
    List<ShardCall> calls = new ArrayList<>();
    try (LoadedRows rows = new LoadedRows(columns.shape(), budget)) {
      places.forEach((dn, groups) -> {
        Sql sql = everywhere(groups, scan, schema -> columns.select(schema, scan.table().name()));
        ShardStatement text = ShardStatement.text(sql);
        calls.add(shards.copying(() -> shards.start(dn, "", text, RowAccess.CONSISTENT, views)));
      });
      RowTexts texts = new RowTexts(columns.shape());
      calls.forEach(call -> read(call, texts, rows));
      String name = scan.table().schema() + "." + scan.table().name();
      return new FetchedTable(name, rows.finish(at), rows.rows());
    } finally {
      calls.forEach(ShardCall::close);
    }
  }

  /**
   * They are looked at after the views: a table that was changed before has its new columns, one
   * that is changed later cannot be read at the views.
   */
  private IndexedColumns columns(Map<DnId, List<PartitionGroup>> places, RowScan scan) {
    Set<String> wanted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    wanted.addAll(scan.columns());
    List<IndexedColumns> seen = new ArrayList<>();
    places.forEach((dn, groups) ->
        groups.forEach(group ->
            seen.add(
                IndexedColumns.read(
                    queries,
                    dn,
                    group.physicalSchema().name(),
                    scan.table().name(),
                    wanted::contains))));
    boolean complete = seen.getFirst().expressions().size() == wanted.size();
    if (!complete || seen.stream().distinct().count() > 1) {
      throw new AlraiException(
          ErrorCode.ALRAI_CATALOG_CONFLICT, "the columns of " + scan.table().name() + " change");
    }
    return seen.getFirst();
  }

  private static void read(ShardCall call, RowTexts texts, LoadedRows rows) {
    call.columns();
    byte[] row;
    while ((row = call.nextRow()) != null) {
      if (rows.rows() == MOST_ROWS) {
        throw new AlraiException(
            ErrorCode.ER_OUT_OF_RESOURCES, "more than " + MOST_ROWS + " rows of one table");
      }
      rows.add(texts.read(row));
    }
    call.status();
  }
}
