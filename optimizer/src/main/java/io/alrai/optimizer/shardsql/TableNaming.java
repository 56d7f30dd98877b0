package io.alrai.optimizer.shardsql;

import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.bind.Relation;
import java.util.Optional;

/** How a text names the physical tables. */
@FunctionalInterface
public interface TableNaming {
  /**
   * The schema to name, or none to leave an unqualified name as it is.
   *
   * @param qualified whether the client's text names the schema
   */
  Optional<Piece> schema(Table table, boolean qualified);

  /** The name within the schema. */
  default String name(Table table) {
    return table.name();
  }

  /** What stands in place of the schema for one use of a table. */
  default Optional<Piece> schema(Relation.Base use, boolean qualified) {
    return schema(use.table(), qualified);
  }

  /** The name within the schema for one use of a table. */
  default String name(Relation.Base use) {
    return name(use.table());
  }

  /**
   * For a text that runs under the place's physical schema: only names that the client qualified,
   * and broadcast tables, are touched.
   */
  static TableNaming underPlace(Catalog catalog) {
    return (table, qualified) ->
        isBroadcast(table)
            ? Optional.of(broadcastSchema(catalog, table))
            : qualified ? Optional.of(new Piece.PlaceSchema()) : Optional.empty();
  }

  /** For a text over broadcast tables that runs under their own schema. */
  static TableNaming underBroadcast(Catalog catalog) {
    return (table, qualified) ->
        qualified ? Optional.of(broadcastSchema(catalog, table)) : Optional.empty();
  }

  /** For a text that stands beside that of other places: every name is qualified. */
  static TableNaming everywhere(Catalog catalog) {
    return (table, qualified) ->
        Optional.of(isBroadcast(table) ? broadcastSchema(catalog, table) : new Piece.PlaceSchema());
  }

  /** The schema of a broadcast table on every DN. */
  static Piece broadcastSchema(Catalog catalog, Table table) {
    return new Piece.Text(catalog.broadcastSchema(table).quoted());
  }

  /** Whether every DN has a copy. */
  static boolean isBroadcast(Table table) {
    return table.partitioning() instanceof Partitioning.Broadcast;
  }
}
