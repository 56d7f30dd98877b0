package io.alrai.cn.admin;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DataNode;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.List;

/** Every place of a table, also of one that is on all DNs. Pure. */
final class TablePlaces {
  private TablePlaces() {}

  static List<PartitionGroup> of(Catalog catalog, Table table) {
    if (table.partitioning() instanceof Partitioning.Broadcast) {
      String physical = table.schema() + "_b";
      return catalog.dataNodes().stream()
          .map(DataNode::id)
          .map(dn -> new PartitionGroup(0, physical, dn))
          .toList();
    }
    return catalog.tableGroup(table).partitionGroups();
  }

  /**
   * A table by its name.
   *
   * @throws AlraiException 1046 without a schema, 1146 when there is no such table
   */
  static Table table(Catalog catalog, String schema, String name) {
    if (schema.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    return catalog
        .table(schema, name)
        .orElseThrow(() ->
            new AlraiException(
                ErrorCode.ER_NO_SUCH_TABLE, "Table '" + schema + "." + name + "' doesn't exist"));
  }
}
