package io.alrai.gms.api;

import io.alrai.common.id.PhysicalSchema;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A logical schema (database).
 *
 * @param name compared with regard to case
 * @param stem what the names of its physical schemas begin with, and no other's: {@code a17} of the
 *     schema with the number 17. Schemas from before these numbers have their name for it
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
    String stem,
    String charset,
    String collation,
    int defaultPartitions,
    Map<String, Table> tables,
    Map<Long, TableGroup> tableGroups,
    Map<String, View> views,
    Map<String, Procedure> procedures,
    Map<String, StoredFunction> functions) {
  private static final String BROADCAST_SUFFIX = "_b";
  private static final String PARTITION_SUFFIX = "_p";
  private static final int PARTITION_DIGITS = 5;

  public Schema {
    tables = Map.copyOf(tables);
    tableGroups = Map.copyOf(tableGroups);
    views = Map.copyOf(views);
    procedures = Map.copyOf(procedures);
    functions = Map.copyOf(functions);
  }

  /** A schema without routines, whose physical schemas have its name as their stem. */
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

  /** A copy with other procedures. */
  public Schema withProcedures(Map<String, Procedure> others) {
    return with(tables, tableGroups, views, others, functions);
  }

  /** The function of that name, whatever its case. */
  public Optional<StoredFunction> function(String functionName) {
    return Optional.ofNullable(functions.get(Procedure.key(functionName)));
  }

  /** A copy with other functions. */
  public Schema withFunctions(Map<String, StoredFunction> others) {
    return with(tables, tableGroups, views, procedures, others);
  }

  /** A copy with other tables and groups. */
  public Schema withTables(Map<String, Table> others, Map<Long, TableGroup> groups) {
    return with(others, groups, views, procedures, functions);
  }

  /** A copy with other views. */
  public Schema withViews(Map<String, View> others) {
    return with(tables, tableGroups, others, procedures, functions);
  }

  private Schema with(
      Map<String, Table> otherTables,
      Map<Long, TableGroup> otherGroups,
      Map<String, View> otherViews,
      Map<String, Procedure> otherProcedures,
      Map<String, StoredFunction> otherFunctions) {
    return new Schema(
        name,
        stem,
        charset,
        collation,
        defaultPartitions,
        otherTables,
        otherGroups,
        otherViews,
        otherProcedures,
        otherFunctions);
  }

  /** The physical schema on every DN that holds the broadcast tables. */
  public PhysicalSchema broadcastSchema() {
    return broadcastSchema(stem);
  }

  /** The physical schema of broadcast tables, for a schema with that stem. */
  public static PhysicalSchema broadcastSchema(String stem) {
    return new PhysicalSchema(stem + BROADCAST_SUFFIX);
  }

  /** The physical schema of a partition group's number. */
  public PhysicalSchema physicalSchema(long number) {
    return new PhysicalSchema(
        stem
            + PARTITION_SUFFIX
            + String.format(Locale.ROOT, "%0" + PARTITION_DIGITS + "d", number));
  }

  /** The stem of the physical schemas of the schema with a number. */
  public static String stem(long number) {
    return "a" + number;
  }

  /** Whether a physical schema of the schema with a stem has that name. */
  public static boolean isPhysical(String stem, String name) {
    return name.startsWith(stem) && suffixEnd(name, stem.length()) == name.length();
  }

  /**
   * Where in a text the end of a physical schema's name ends.
   *
   * @param at where it would begin, with an underscore
   * @return -1 when there is none
   */
  static int suffixEnd(String text, int at) {
    int end = at + PARTITION_SUFFIX.length();
    if (text.startsWith(BROADCAST_SUFFIX, at)) {
      return end;
    }
    if (!text.startsWith(PARTITION_SUFFIX, at)) {
      return -1;
    }
    int digits = end;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end - digits < PARTITION_DIGITS ? -1 : end;
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
