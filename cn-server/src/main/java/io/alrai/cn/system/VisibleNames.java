package io.alrai.cn.system;

import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Procedure;
import io.alrai.gms.api.RoutineKind;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.text.Identifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What of information_schema's rows an account may see, as conditions on them. Pure. */
record VisibleNames(Catalog catalog, Access access) {
  /** Columns that name a schema and a table in it, by table. */
  private static final Map<String, List<String>> BY_TABLE =
      Map.ofEntries(
          Map.entry("CHECK_CONSTRAINTS", List.of("CONSTRAINT_SCHEMA")),
          Map.entry("COLUMNS", List.of("TABLE_SCHEMA", "TABLE_NAME")),
          Map.entry("COLUMNS_EXTENSIONS", List.of("TABLE_SCHEMA", "TABLE_NAME")),
          Map.entry("COLUMN_STATISTICS", List.of("SCHEMA_NAME", "TABLE_NAME")),
          Map.entry("EVENTS", List.of("EVENT_SCHEMA")),
          Map.entry("KEY_COLUMN_USAGE", List.of("TABLE_SCHEMA", "TABLE_NAME")),
          Map.entry("PARTITIONS", List.of("TABLE_SCHEMA", "TABLE_NAME")),
          Map.entry("REFERENTIAL_CONSTRAINTS", List.of("CONSTRAINT_SCHEMA", "TABLE_NAME")),
          Map.entry("SCHEMATA", List.of("SCHEMA_NAME")),
          Map.entry("SCHEMATA_EXTENSIONS", List.of("SCHEMA_NAME")),
          Map.entry("STATISTICS", List.of("TABLE_SCHEMA", "TABLE_NAME")),
          Map.entry("ST_GEOMETRY_COLUMNS", List.of("TABLE_SCHEMA", "TABLE_NAME")),
          Map.entry("TABLES", List.of("TABLE_SCHEMA", "TABLE_NAME")),
          Map.entry("TABLES_EXTENSIONS", List.of("TABLE_SCHEMA", "TABLE_NAME")),
          Map.entry("TABLE_CONSTRAINTS", List.of("TABLE_SCHEMA", "TABLE_NAME")),
          Map.entry("TABLE_CONSTRAINTS_EXTENSIONS", List.of("CONSTRAINT_SCHEMA", "TABLE_NAME")),
          Map.entry("VIEWS", List.of("TABLE_SCHEMA", "TABLE_NAME")),
          Map.entry("VIEW_TABLE_USAGE", List.of("VIEW_SCHEMA", "VIEW_NAME")));

  /** Those of them that have a row for each column, or for columns of a key. */
  private static final Set<String> BY_COLUMN =
      Set.of(
          "COLUMNS",
          "COLUMNS_EXTENSIONS",
          "COLUMN_STATISTICS",
          "KEY_COLUMN_USAGE",
          "STATISTICS",
          "ST_GEOMETRY_COLUMNS");

  private static final String BEFORE_DEFINITION = "TABLE_CATALOG,TABLE_SCHEMA,TABLE_NAME,IF(";
  private static final String BEHIND_DEFINITION =
      ",VIEW_DEFINITION,'') AS VIEW_DEFINITION,CHECK_OPTION,IS_UPDATABLE,DEFINER,SECURITY_TYPE,"
          + "CHARACTER_SET_CLIENT,COLLATION_CONNECTION";

  private static final String ROUTINES_BEFORE_DEFINITION =
      "SELECT SPECIFIC_NAME,ROUTINE_CATALOG,ROUTINE_SCHEMA,ROUTINE_NAME,ROUTINE_TYPE,DATA_TYPE,"
          + "CHARACTER_MAXIMUM_LENGTH,CHARACTER_OCTET_LENGTH,NUMERIC_PRECISION,NUMERIC_SCALE,"
          + "DATETIME_PRECISION,CHARACTER_SET_NAME,COLLATION_NAME,DTD_IDENTIFIER,ROUTINE_BODY,IF(";
  private static final String ROUTINES_BEHIND_DEFINITION =
      ",ROUTINE_DEFINITION,NULL) AS ROUTINE_DEFINITION,EXTERNAL_NAME,EXTERNAL_LANGUAGE,"
          + "PARAMETER_STYLE,IS_DETERMINISTIC,SQL_DATA_ACCESS,SQL_PATH,SECURITY_TYPE,CREATED,"
          + "LAST_ALTERED,SQL_MODE,ROUTINE_COMMENT,DEFINER,CHARACTER_SET_CLIENT,"
          + "COLLATION_CONNECTION,DATABASE_COLLATION FROM information_schema.ROUTINES WHERE ";

  /** A query of a table's visible rows; empty for a table that shows the same to everybody. */
  Optional<String> of(String table) {
    String upper = table.toUpperCase(Locale.ROOT);
    if (upper.equals("TRIGGERS")) {
      return Optional.of("SELECT * FROM information_schema.TRIGGERS WHERE " + triggers());
    }
    if (upper.equals("ROUTINES")) {
      return Optional.of(routines());
    }
    if (upper.equals("PARAMETERS")) {
      return Optional.of(
          "SELECT * FROM information_schema.PARAMETERS WHERE "
              + routines("SPECIFIC_SCHEMA", "SPECIFIC_NAME", this::knows));
    }
    List<String> columns = BY_TABLE.get(upper);
    if (columns == null) {
      return Optional.empty();
    }
    boolean byTable = columns.size() == 2;
    String condition =
        byTable
            ? tables(columns.get(0), columns.get(1), BY_COLUMN.contains(upper))
            : schemas(columns.getFirst());
    String shown =
        upper.equals("VIEWS") ? BEFORE_DEFINITION + definitions() + BEHIND_DEFINITION : "*";
    return Optional.of(
        "SELECT "
            + shown
            + " FROM information_schema."
            + Identifier.quote(upper)
            + " WHERE "
            + condition);
  }

  /** Whether a row of SHOW DATABASES is for the account. */
  boolean sees(String schema) {
    return isForAll(schema) || access.sees(schema);
  }

  private static boolean isForAll(String schema) {
    return schema.equals("information_schema") || schema.equals("performance_schema");
  }

  /** Whether a row of SHOW TABLES is for the account. */
  boolean sees(String schema, String table) {
    return schema.equalsIgnoreCase("information_schema")
        || schema.equals("performance_schema")
        || access.sees(schema, table);
  }

  /** Whether what tells of a column is for the account. */
  boolean sees(String schema, String table, String column) {
    return isForAll(schema)
        || access.seesColumnsOf(schema, table)
        || access.ofColumn(schema, table, column) != 0;
  }

  private String schemas(String column) {
    List<String> names = new ArrayList<>(List.of("information_schema", "performance_schema"));
    catalog.schemas().keySet().stream().filter(access::sees).sorted().forEach(names::add);
    if (access.sees("mysql")) {
      names.add("mysql");
    }
    return in(column, names);
  }

  private String tables(String schemaColumn, String tableColumn, boolean byColumn) {
    List<String> whole = new ArrayList<>(List.of("information_schema", "performance_schema"));
    List<String> conditions = new ArrayList<>();
    for (String schema : catalog.schemas().keySet().stream().sorted().toList()) {
      if (byColumn ? access.seesColumnsOf(schema) : access.seesAllOf(schema)) {
        whole.add(schema);
      } else if (!access.tablesOf(schema).isEmpty()) {
        List<String> named = new ArrayList<>();
        for (String table : access.tablesOf(schema)) {
          boolean some = byColumn && !access.seesColumnsOf(schema, table);
          if (some && !access.columnsOf(schema, table).isEmpty()) {
            conditions.add(
                "("
                    + in(schemaColumn, List.of(schema))
                    + " AND "
                    + in(tableColumn, List.of(table))
                    + " AND "
                    + columns(access.columnsOf(schema, table))
                    + ")");
          } else if (!some) {
            named.add(table);
          }
        }
        if (!named.isEmpty()) {
          conditions.add(
              "(" + in(schemaColumn, List.of(schema)) + " AND " + in(tableColumn, named) + ")");
        }
      }
    }
    conditions.add(in(schemaColumn, whole));
    return "(" + String.join(" OR ", conditions) + ")";
  }

  /** Names of columns are compared without regard to case. */
  private static String columns(Set<String> names) {
    return names.stream()
        .map(SystemRows::string)
        .collect(Collectors.joining(",", "COLUMN_NAME IN (", ")"));
  }

  /** Whether a row of SHOW TRIGGERS is for the account. */
  boolean seesTriggers(String schema, String table) {
    return (access.on(schema, table) & Privilege.TRIGGER.bit()) != 0;
  }

  private String triggers() {
    List<String> conditions = new ArrayList<>(List.of("FALSE"));
    for (Schema schema : catalog.schemas().values()) {
      List<String> shown =
          schema.tables().values().stream()
              .filter(table -> !table.triggers().isEmpty())
              .map(Table::name)
              .filter(table -> seesTriggers(schema.name(), table))
              .sorted()
              .toList();
      if (!shown.isEmpty()) {
        conditions.add(
            "("
                + in("EVENT_OBJECT_SCHEMA", List.of(schema.name()))
                + " AND "
                + in("EVENT_OBJECT_TABLE", shown)
                + ")");
      }
    }
    return String.join(" OR ", conditions);
  }

  /** What decides who may see a routine. */
  private record Owned(RoutineKind kind, String schema, String name, String definer) {
    static Owned of(Procedure procedure) {
      return new Owned(
          RoutineKind.PROCEDURE, procedure.schema(), procedure.name(), procedure.definer());
    }

    static Owned of(StoredFunction function) {
      return new Owned(
          RoutineKind.FUNCTION, function.schema(), function.name(), function.definer());
    }
  }

  /** Whether a routine may be seen; its text is another question. */
  private boolean knows(Owned routine) {
    return PrivilegeCheck.knowsRoutine(
        access, routine.kind(), routine.schema(), routine.name(), routine.definer());
  }

  private Optional<Owned> routine(RoutineKind kind, String schema, String name) {
    return switch (kind) {
      case PROCEDURE -> catalog.procedure(schema, name).map(Owned::of);
      case FUNCTION -> catalog.function(schema, name).map(Owned::of);
    };
  }

  /** Whether a row of SHOW PROCEDURE STATUS or SHOW FUNCTION STATUS is for the account. */
  boolean knows(RoutineKind kind, String schema, String name) {
    return routine(kind, schema, name).map(this::knows).orElse(false);
  }

  /** Whether the text in SHOW CREATE PROCEDURE or SHOW CREATE FUNCTION is for the account. */
  boolean seesText(RoutineKind kind, String schema, String name) {
    return routine(kind, schema, name).map(this::seesText).orElse(false);
  }

  private boolean seesText(Owned routine) {
    return PrivilegeCheck.seesRoutine(access, routine.definer());
  }

  private String routines() {
    return ROUTINES_BEFORE_DEFINITION
        + routines("ROUTINE_SCHEMA", "ROUTINE_NAME", this::seesText)
        + ROUTINES_BEHIND_DEFINITION
        + routines("ROUTINE_SCHEMA", "ROUTINE_NAME", this::knows);
  }

  private String routines(String schemaColumn, String nameColumn, Predicate<Owned> isShown) {
    List<String> conditions = new ArrayList<>(List.of("FALSE"));
    for (Schema schema : catalog.schemas().values()) {
      for (RoutineKind kind : RoutineKind.values()) {
        Stream<Owned> all =
            switch (kind) {
              case PROCEDURE -> schema.procedures().values().stream().map(Owned::of);
              case FUNCTION -> schema.functions().values().stream().map(Owned::of);
            };
        List<String> shown = all.filter(isShown).map(Owned::name).sorted().toList();
        if (!shown.isEmpty()) {
          conditions.add(
              "("
                  + in(schemaColumn, List.of(schema.name()))
                  + " AND ROUTINE_TYPE='"
                  + kind
                  + "' AND "
                  + in(nameColumn, shown)
                  + ")");
        }
      }
    }
    return "(" + String.join(" OR ", conditions) + ")";
  }

  /** The views whose text may be seen. */
  private String definitions() {
    List<String> conditions = new ArrayList<>(List.of("FALSE"));
    for (Schema schema : catalog.schemas().values()) {
      List<String> shown =
          schema.views().keySet().stream()
              .filter(view -> (access.on(schema.name(), view) & Privilege.SHOW_VIEW.bit()) != 0)
              .sorted()
              .toList();
      if (!shown.isEmpty()) {
        conditions.add(
            "("
                + in("TABLE_SCHEMA", List.of(schema.name()))
                + " AND "
                + in("TABLE_NAME", shown)
                + ")");
      }
    }
    return String.join(" OR ", conditions);
  }

  /** Compared byte by byte, as a binary string is. */
  private static String in(String column, List<String> names) {
    return names.stream()
        .map(SystemRows::hex)
        .collect(Collectors.joining(",", column + " IN (", ")"));
  }
}
