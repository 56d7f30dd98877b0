package io.alrai.cn.columnar;

import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Table;

/** Which tables can have a column index. Blocking; thread-safe. */
public final class IndexableTables {
  private final ShardQueries queries;

  /** Asks the mysqlds. */
  public IndexableTables(ShardQueries queries) {
    this.queries = queries;
  }

  /**
   * Finds out whether an index can hold the table's columns.
   *
   * @throws AlraiException ER_NOT_SUPPORTED_YET when not
   */
  public void check(Catalog catalog, Table table) {
    columns(IndexBuild.places(queries.links(), catalog, table).getFirst(), table);
  }

  /** The columns as they are there. */
  IndexedColumns columns(PartitionGroup place, Table table) {
    return IndexedColumns.read(
        queries, place.dn(), place.physicalSchema().name(), table.name(), table.primaryKey());
  }
}
