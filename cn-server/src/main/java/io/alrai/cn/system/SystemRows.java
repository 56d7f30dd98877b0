package io.alrai.cn.system;

import io.alrai.cn.settings.CnVariables;
import io.alrai.cn.variable.KnownVariables;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.Privilege;
import io.alrai.optimizer.api.text.Identifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tables of information_schema, mysql and performance_schema that only Alrai can fill, as queries
 * without a table: accounts and their privileges, and who is connected. Pure but for the list of
 * sessions, for which all CNs are asked.
 */
record SystemRows(
    Catalog catalog, Access access, ClusterSessions sessions, LockWaitTable lockWaits) {
  /**
   * Stands after a UNION, so that a mysqld reads all its rows before it looks at a condition. It
   * would else move the condition into the UNION: it writes it as text for that and reads it again,
   * and under NO_BACKSLASH_ESCAPES it does not read the quotes that it has written.
   */
  static final String WHOLE = " LIMIT 18446744073709551615";

  /** A value that is an expression of date and time. */
  record Time(String sql) {}

  /** The rows of a table, as a query; empty for a table that the mysqld fills. */
  Optional<String> of(String schema, String table) {
    return switch (schema.toLowerCase(Locale.ROOT)) {
      case "information_schema" -> of(table);
      case "mysql" -> new GrantTables(catalog).of(table);
      case "performance_schema" ->
          table.equalsIgnoreCase("processlist")
              ? Optional.of(
                  "SELECT p.*,'PRIMARY' AS EXECUTION_ENGINE FROM ("
                      + sessions.query(true)
                      + ") AS p")
              : variables(table.toLowerCase(Locale.ROOT));
      case "sys" ->
          LockWaitTable.isNamed(table) ? Optional.of(lockWaits.query()) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Without what reveals a mysqld's files, for accounts that may not know them. */
  private Optional<String> variables(String table) {
    if (!table.equals("global_variables") && !table.equals("session_variables")
        || CnVariables.seesServers(access)) {
      return Optional.empty();
    }
    String hidden =
        KnownVariables.hidden().stream().map(SystemRows::string).collect(Collectors.joining(","));
    return Optional.of(
        "SELECT v.VARIABLE_NAME,IF(v.VARIABLE_NAME IN ("
            + hidden
            + "),'',v.VARIABLE_VALUE) AS VARIABLE_VALUE FROM performance_schema."
            + table
            + " AS v");
  }

  private Optional<String> of(String table) {
    return switch (table.toUpperCase(Locale.ROOT)) {
      case "USER_PRIVILEGES" ->
          Optional.of(
              query(
                  List.of("GRANTEE", "TABLE_CATALOG", "PRIVILEGE_TYPE", "IS_GRANTABLE"), global()));
      case "SCHEMA_PRIVILEGES" ->
          Optional.of(
              query(
                  List.of(
                      "GRANTEE", "TABLE_CATALOG", "TABLE_SCHEMA", "PRIVILEGE_TYPE", "IS_GRANTABLE"),
                  schemas()));
      case "TABLE_PRIVILEGES" ->
          Optional.of(
              query(
                  List.of(
                      "GRANTEE",
                      "TABLE_CATALOG",
                      "TABLE_SCHEMA",
                      "TABLE_NAME",
                      "PRIVILEGE_TYPE",
                      "IS_GRANTABLE"),
                  tables()));
      case "COLUMN_PRIVILEGES" ->
          Optional.of(
              query(
                  List.of(
                      "GRANTEE",
                      "TABLE_CATALOG",
                      "TABLE_SCHEMA",
                      "TABLE_NAME",
                      "COLUMN_NAME",
                      "PRIVILEGE_TYPE",
                      "IS_GRANTABLE"),
                  columns()));
      case "PROCESSLIST" -> Optional.of(sessions.query(false));
      default -> new RoleRows(catalog, access).of(table.toUpperCase(Locale.ROOT));
    };
  }

  private List<Account> accounts() {
    boolean all = (access.in("mysql") & Privilege.SELECT.bit()) != 0;
    return catalog.accounts().values().stream()
        .filter(account -> all || account.key().equals(access.account()))
        .sorted(Comparator.comparing(Account::key))
        .toList();
  }

  private static String grantee(Account account) {
    return "'" + account.user() + "'@'" + account.host() + "'";
  }

  private List<List<@Nullable Object>> global() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Account account : accounts()) {
      Grants grants = account.grants();
      add(rows, List.of(grantee(account), "def"), grants.global());
      grants
          .dynamic()
          .forEach((privilege, grantable) ->
              rows.add(
                  List.of(grantee(account), "def", privilege.name(), grantable ? "YES" : "NO")));
    }
    return rows;
  }

  private List<List<@Nullable Object>> schemas() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Account account : accounts()) {
      account
          .grants()
          .schemas()
          .forEach((schema, privileges) ->
              add(rows, List.of(grantee(account), "def", schema), privileges));
    }
    return rows;
  }

  private List<List<@Nullable Object>> tables() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Account account : accounts()) {
      account
          .grants()
          .tables()
          .forEach((schema, tables) ->
              tables.forEach((table, privileges) ->
                  add(rows, List.of(grantee(account), "def", schema, table), privileges)));
    }
    return rows;
  }

  /** Whether they may be granted on is kept with the table. */
  private List<List<@Nullable Object>> columns() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Account account : accounts()) {
      Grants grants = account.grants();
      grants
          .columns()
          .forEach((schema, tables) ->
              tables.forEach((table, columns) ->
                  columns.forEach((column, privileges) -> {
                    Set<Privilege> shown = EnumSet.copyOf(privileges);
                    if (grants.at(GrantScope.ofTable(schema, table)).contains(Privilege.GRANT)) {
                      shown.add(Privilege.GRANT);
                    }
                    add(rows, List.of(grantee(account), "def", schema, table, column), shown);
                  })));
    }
    return rows;
  }

  /** One row for each privilege; GRANT OPTION stands beside the others. */
  private static void add(
      List<List<@Nullable Object>> rows, List<String> where, Set<Privilege> privileges) {
    String grantable = privileges.contains(Privilege.GRANT) ? "YES" : "NO";
    List<String> names =
        privileges.stream()
            .filter(privilege -> privilege != Privilege.GRANT)
            .map(Privilege::sql)
            .toList();
    for (String name : names.isEmpty() ? List.of("USAGE") : names) {
      List<@Nullable Object> row = new ArrayList<>(where);
      row.add(name);
      row.add(grantable);
      rows.add(row);
    }
  }

  static String query(List<String> columns, List<List<@Nullable Object>> rows) {
    if (rows.isEmpty()) {
      return columns.stream()
          .map(column -> "'' AS " + Identifier.quote(column))
          .collect(Collectors.joining(",", "SELECT ", " FROM DUAL WHERE 1=0"));
    }
    List<String> selects = new ArrayList<>();
    for (List<@Nullable Object> row : rows) {
      StringBuilder select = new StringBuilder("SELECT ");
      for (int i = 0; i < columns.size(); i++) {
        select.append(i == 0 ? "" : ",").append(literal(row.get(i)));
        select.append(" AS ").append(Identifier.quote(columns.get(i)));
      }
      selects.add(select.toString());
    }
    return String.join(" UNION ALL ", selects) + WHOLE;
  }

  private static String literal(@Nullable Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof Time time) {
      return time.sql();
    }
    return value instanceof Long number
        ? number.toString()
        : string(value.toString()) + " COLLATE utf8mb4_general_ci";
  }

  /** A string that is compared by the collation of what it is compared with. */
  static String string(String text) {
    return "_utf8mb4 " + hex(text);
  }

  /** A string that reads the same under every sql_mode and character set. */
  static String hex(String text) {
    return "x'" + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)) + "'";
  }
}
