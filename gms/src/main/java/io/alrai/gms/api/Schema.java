package io.alrai.gms.api;

import java.util.Map;
import java.util.Optional;

/**
 * A logical schema (database).
 *
 * @param name compared with regard to case
 * @param charset default character set
 * @param collation default collation
 * @param defaultPartitions partitions of a table that does not say how many
 * @param tables by name
 * @param tableGroups by id
 * @param views by name; no table has the same name
 */
public record Schema(
    String name,
    String charset,
    String collation,
    int defaultPartitions,
    Map<String, Table> tables,
    Map<Long, TableGroup> tableGroups,
    Map<String, View> views) {
  /** What the physical schema of the broadcast tables has behind the logical name. */
  public static final String BROADCAST_SUFFIX = "_b";

  /** Copies the maps. */
  public Schema {
    tables = Map.copyOf(tables);
    tableGroups = Map.copyOf(tableGroups);
    views = Map.copyOf(views);
  }

  /** The table of that exact name. */
  public Optional<Table> table(String tableName) {
    return Optional.ofNullable(tables.get(tableName));
  }

  /** The view of that exact name. */
  public Optional<View> view(String viewName) {
    return Optional.ofNullable(views.get(viewName));
  }

  /** The physical schema on every DN that holds the broadcast tables. */
  public String broadcastSchema() {
    return name + BROADCAST_SUFFIX;
  }
}
