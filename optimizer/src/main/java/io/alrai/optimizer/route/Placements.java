package io.alrai.optimizer.route;

import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.PartitionFunction;
import io.alrai.executor.fragment.PartitionFunction.Method;
import io.alrai.executor.fragment.Plan.RaisedSequence;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.Targets;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.List;
import java.util.Optional;

/**
 * Where a table's rows are.
 *
 * @param catalog says so
 */
public record Placements(Catalog catalog) {
  /** Whether all rows are at one place: SINGLE, or one partition. */
  public boolean atOnePlace(Table table) {
    return !isBroadcast(table) && catalog.tableGroup(table).partitionGroups().size() == 1;
  }

  public static boolean isBroadcast(Table table) {
    return table.partitioning() instanceof Partitioning.Broadcast;
  }

  public List<ShardPlace> places(Table table) {
    return catalog.tableGroup(table).partitionGroups().stream()
        .map(group -> new ShardPlace(group.index(), group.physicalSchema(), group.dn()))
        .toList();
  }

  public static List<String> keyColumns(Table table) {
    return switch (table.partitioning()) {
      case Partitioning.Key key -> key.columns();
      case Partitioning.Hash hash -> List.of(hash.column());
      case Partitioning.Spread spread -> List.of();
      case Partitioning.Single single -> List.of();
      case Partitioning.Broadcast broadcast -> List.of();
    };
  }

  /** From key values to a place; of a table that has keys. */
  public static PartitionFunction function(Table table) {
    Method method = table.partitioning() instanceof Partitioning.Hash ? Method.HASH : Method.KEY;
    List<KeyColumn> columns =
        keyColumns(table).stream().map(name -> keyColumn(table, name)).toList();
    return new PartitionFunction(method, columns, table.partitioning().count());
  }

  /** The AUTO_INCREMENT column of a table whose ids come from a sequence. */
  public static Optional<Column> sequence(Table table) {
    return table
        .autoIncrementColumn()
        .filter(column -> !table.ownIds() && !table.temporary())
        .filter(column -> !column.name().equals(Table.IMPLICIT_KEY));
  }

  /** Its sequence, which goes on above what the column has. */
  public RaisedSequence raised(Table table, Column column) {
    return new RaisedSequence(
        table.sequence(),
        table.name(),
        column.name(),
        isBroadcast(table)
            ? new Targets.EveryDn(catalog.broadcastSchema(table))
            : new Targets.All(places(table)));
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
