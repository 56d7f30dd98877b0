package io.alrai.optimizer.lower;

import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.PartitionFunction;
import io.alrai.executor.fragment.PartitionFunction.Method;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.List;

/**
 * Where a table's rows are.
 *
 * @param catalog says so
 */
record Placements(Catalog catalog) {
  /** Whether all rows are at one place: SINGLE, or one partition. */
  boolean atOnePlace(Table table) {
    return !isBroadcast(table) && catalog.tableGroup(table).partitionGroups().size() == 1;
  }

  static boolean isBroadcast(Table table) {
    return table.partitioning() instanceof Partitioning.Broadcast;
  }

  List<ShardPlace> places(Table table) {
    return catalog.tableGroup(table).partitionGroups().stream()
        .map(group -> new ShardPlace(group.index(), group.physicalSchema(), group.dn()))
        .toList();
  }

  static List<String> keyColumns(Table table) {
    return switch (table.partitioning()) {
      case Partitioning.Key key -> key.columns();
      case Partitioning.Hash hash -> List.of(hash.column());
      case Partitioning.Spread spread -> List.of();
      case Partitioning.Single single -> List.of();
      case Partitioning.Broadcast broadcast -> List.of();
    };
  }

  /** From key values to a place; of a table that has keys. */
  static PartitionFunction function(Table table) {
    Method method = table.partitioning() instanceof Partitioning.Hash ? Method.HASH : Method.KEY;
    List<KeyColumn> columns =
        keyColumns(table).stream().map(name -> keyColumn(table, name)).toList();
    return new PartitionFunction(method, columns, table.partitioning().count());
  }

  private static KeyColumn keyColumn(Table table, String name) {
    Column column =
        table
            .column(name)
            .orElseThrow(
                () -> new IllegalStateException("no key column " + name + " in " + table.name()));
    return new KeyColumn(
        column.name(),
        column.type(),
        column.unsigned(),
        column.length(),
        column.scale(),
        column.charset(),
        column.collation(),
        column.nullable());
  }
}
