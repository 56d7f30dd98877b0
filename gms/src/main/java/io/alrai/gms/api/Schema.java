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
 * @param procedures by {@link Procedure#key}
 * @param functions by {@link StoredFunction#key}
 */
public record Schema(
    String name,
    String charset,
    String collation,
    int defaultPartitions,
    Map<String, Table> tables,
    Map<Long, TableGroup> tableGroups,
    Map<String, View> views,
    Map<String, Procedure> procedures,
    Map<String, StoredFunction> functions) {
  /** What the physical schema of the broadcast tables has behind the logical name. */
  public static final String BROADCAST_SUFFIX = "_b";

  /** Copies the maps. */
  public Schema {
    tables = Map.copyOf(tables);
    tableGroups = Map.copyOf(tableGroups);
    views = Map.copyOf(views);
    procedures = Map.copyOf(procedures);
    functions = Map.copyOf(functions);
  }

  /** One without routines. */
  public Schema(
      String name,
      String charset,
      String collation,
      int defaultPartitions,
      Map<String, Table> tables,
      Map<Long, TableGroup> tableGroups,
      Map<String, View> views) {
    this(
        name,
        charset,
        collation,
        defaultPartitions,
        tables,
        tableGroups,
        views,
        Map.of(),
        Map.of());
  }

  /** The table of that exact name. */
  public Optional<Table> table(String tableName) {
    return Optional.ofNullable(tables.get(tableName));
  }

  /** The view of that exact name. */
  public Optional<View> view(String viewName) {
    return Optional.ofNullable(views.get(viewName));
  }

  /** The procedure of that name, whatever its case. */
  public Optional<Procedure> procedure(String procedureName) {
    return Optional.ofNullable(procedures.get(Procedure.key(procedureName)));
  }

  /** The same with other procedures. */
  public Schema withProcedures(Map<String, Procedure> others) {
    return new Schema(
        name, charset, collation, defaultPartitions, tables, tableGroups, views, others, functions);
  }

  /** The function of that name, whatever its case. */
  public Optional<StoredFunction> function(String functionName) {
    return Optional.ofNullable(functions.get(Procedure.key(functionName)));
  }

  /** The same with other functions. */
  public Schema withFunctions(Map<String, StoredFunction> others) {
    return new Schema(
        name,
        charset,
        collation,
        defaultPartitions,
        tables,
        tableGroups,
        views,
        procedures,
        others);
  }

  /** The physical schema on every DN that holds the broadcast tables. */
  public String broadcastSchema() {
    return name + BROADCAST_SUFFIX;
  }
}
