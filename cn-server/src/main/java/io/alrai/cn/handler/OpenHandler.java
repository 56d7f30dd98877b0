package io.alrai.cn.handler;

import io.alrai.cn.shard.ShardQueries;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.text.Identifier;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A table that a session has opened by HANDLER. One virtual thread at a time. */
final class OpenHandler {
  private final String name;
  private final String schema;
  private final String table;
  private @Nullable Table known;
  private @Nullable TableKeys keys;
  private long catalogVersion = -1;
  private String key = "";
  private Position position = Position.Outside.START;

  /**
   * On a table.
   *
   * @param name its alias, or the table's name
   */
  OpenHandler(String name, String schema, String table) {
    this.name = name;
    this.schema = schema;
    this.table = table;
  }

  String name() {
    return name;
  }

  String schema() {
    return schema;
  }

  String table() {
    return table;
  }

  /** The table as FROM names it, under an alias. */
  String from(String alias) {
    return Identifier.quote(schema)
        + "."
        + Identifier.quote(table)
        + " AS "
        + Identifier.quote(alias);
  }

  /** Whether it is on that table. */
  boolean isOn(String otherSchema, String otherTable) {
    return schema.equals(otherSchema) && table.equals(otherTable);
  }

  /** Begins anew. */
  void reset() {
    position = Position.Outside.START;
  }

  /**
   * The table's indexes; when they are other ones than before it begins anew.
   *
   * @return empty when there is no such table
   */
  Optional<TableKeys> keys(Catalog catalog, ShardQueries queries) {
    if (keys != null && catalog.version() == catalogVersion) {
      return Optional.of(keys);
    }
    Table now = catalog.table(schema, table).orElse(null);
    TableKeys fresh = now == null ? null : TableKeys.read(queries, now);
    if (!Objects.equals(now, known) || !Objects.equals(fresh, keys)) {
      reset();
    }
    known = now;
    keys = fresh;
    catalogVersion = catalog.version();
    return Optional.ofNullable(keys);
  }

  /** Where it is in the order of an index; at the start of any other than the last one. */
  Position position(TableKey of) {
    return of.name().equals(key) ? position : Position.Outside.START;
  }

  /** It is there now. */
  void moved(TableKey of, Position to) {
    key = of.name();
    position = to;
  }
}
