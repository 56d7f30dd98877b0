package io.alrai.cn.system;

import io.alrai.gms.api.Account;
import io.alrai.gms.api.AccountLimits;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.PasswordRules;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.RoutineKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Alrai's accounts as MySQL's grant tables have them (MySQL Reference Manual, "Grant Tables"), as
 * queries without a table; those of a mysqld know its own accounts only. Pure.
 */
record GrantTables(Catalog catalog) {
  /** The privilege columns of mysql.user, in their places, and which privileges they are. */
  private static final List<String> GLOBAL =
      List.of(
          "Select",
          "Insert",
          "Update",
          "Delete",
          "Create",
          "Drop",
          "Reload",
          "Shutdown",
          "Process",
          "File",
          "Grant",
          "References",
          "Index",
          "Alter",
          "Show_db",
          "Super",
          "Create_tmp_table",
          "Lock_tables",
          "Execute",
          "Repl_slave",
          "Repl_client",
          "Create_view",
          "Show_view",
          "Create_routine",
          "Alter_routine",
          "Create_user",
          "Event",
          "Trigger",
          "Create_tablespace");

  private static final List<String> ROLE = List.of("Create_role", "Drop_role");

  private static final List<String> SCHEMA =
      List.of(
          "Select",
          "Insert",
          "Update",
          "Delete",
          "Create",
          "Drop",
          "Grant",
          "References",
          "Index",
          "Alter",
          "Create_tmp_table",
          "Lock_tables",
          "Create_view",
          "Show_view",
          "Create_routine",
          "Alter_routine",
          "Execute",
          "Event",
          "Trigger");

  /** The time of a grant, which is not kept. */
  private static final String NEVER = "0000-00-00 00:00:00";

  /** What is between the privileges of mysql.user and those for roles. */
  private static final List<String> OF_LOGIN =
      List.of(
          "ssl_type",
          "ssl_cipher",
          "x509_issuer",
          "x509_subject",
          "max_questions",
          "max_updates",
          "max_connections",
          "max_user_connections",
          "plugin",
          "authentication_string",
          "password_expired",
          "password_last_changed",
          "password_lifetime",
          "account_locked");

  private static final List<String> OF_REUSE =
      List.of(
          "Password_reuse_history",
          "Password_reuse_time",
          "Password_require_current",
          "User_attributes");

  /** The rows of a table of the schema mysql, as a query; empty for one that holds no accounts. */
  Optional<String> of(String table) {
    return switch (table.toLowerCase(Locale.ROOT)) {
      case "user" ->
          rows(
              columns(List.of("Host", "User"), GLOBAL, OF_LOGIN, ROLE, OF_REUSE),
              (account, rows) -> rows.accept(user(account)));
      case "db" -> rows(columns(List.of("Host", "Db", "User"), SCHEMA), GrantTables::schemas);
      case "tables_priv" ->
          rows(
              List.of(
                  "Host",
                  "Db",
                  "User",
                  "Table_name",
                  "Grantor",
                  "Timestamp",
                  "Table_priv",
                  "Column_priv"),
              GrantTables::tables);
      case "columns_priv" ->
          rows(
              List.of(
                  "Host", "Db", "User", "Table_name", "Column_name", "Timestamp", "Column_priv"),
              GrantTables::columns);
      case "procs_priv" ->
          rows(
              List.of(
                  "Host",
                  "Db",
                  "User",
                  "Routine_name",
                  "Routine_type",
                  "Grantor",
                  "Proc_priv",
                  "Timestamp"),
              GrantTables::routines);
      case "global_grants" ->
          rows(List.of("USER", "HOST", "PRIV", "WITH_GRANT_OPTION"), GrantTables::dynamic);
      case "role_edges" ->
          rows(
              List.of("FROM_HOST", "FROM_USER", "TO_HOST", "TO_USER", "WITH_ADMIN_OPTION"),
              GrantTables::roles);
      case "default_roles" ->
          rows(
              List.of("HOST", "USER", "DEFAULT_ROLE_HOST", "DEFAULT_ROLE_USER"),
              GrantTables::defaultRoles);
      default -> Optional.empty();
    };
  }

  /**
   * The rows that all accounts have.
   *
   * @param rowsOf gives those of one
   */
  private Optional<String> rows(
      List<String> columns, BiConsumer<Account, Consumer<List<@Nullable Object>>> rowsOf) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    catalog.accounts().values().stream()
        .sorted(Comparator.comparing(Account::host).thenComparing(Account::user))
        .forEach(account -> rowsOf.accept(account, rows::add));
    return Optional.of(SystemRows.query(columns, rows));
  }

  /** Privileges are written as in {@link #GLOBAL}. */
  @SafeVarargs
  private static List<String> columns(List<String>... parts) {
    List<String> columns = new ArrayList<>();
    for (List<String> part : parts) {
      boolean flags = part == GLOBAL || part == ROLE || part == SCHEMA;
      part.forEach(name -> columns.add(flags ? name + "_priv" : name));
    }
    return columns;
  }

  private static List<@Nullable Object> user(Account account) {
    List<@Nullable Object> row = new ArrayList<>(List.of(account.host(), account.user()));
    flags(row, GLOBAL, account.grants().global());
    row.add(account.requiresTls() ? "ANY" : "");
    row.addAll(List.of("", "", ""));
    AccountLimits limits = account.limits();
    row.addAll(List.of(limits.queries(), limits.updates(), limits.logins(), limits.sessions()));
    row.add(account.credential().plugin());
    row.add(account.credential().text());
    PasswordRules rules = account.password();
    row.add(yes(rules.expired()));
    row.add(
        rules.changedMillis() > 0
            ? new SystemRows.Time("FROM_UNIXTIME(" + rules.changedMillis() / 1_000 + ")")
            : null);
    boolean byDefault = rules.lifetimeDays() == PasswordRules.DEFAULT_LIFETIME;
    row.add(byDefault ? null : (Object) (long) rules.lifetimeDays());
    row.add(yes(account.locked()));
    flags(row, ROLE, account.grants().global());
    row.add(null);
    row.add(null);
    row.add(null);
    row.add(attributes(rules));
    return row;
  }

  private static @Nullable String attributes(PasswordRules rules) {
    return rules.failedLogins() == 0 && rules.lockDays() == 0
        ? null
        : "{\"Password_locking\": {\"failed_login_attempts\": "
            + rules.failedLogins()
            + ", \"password_lock_time_days\": "
            + rules.lockDays()
            + "}}";
  }

  private static void schemas(Account account, Consumer<List<@Nullable Object>> rows) {
    account
        .grants()
        .schemas()
        .forEach((schema, granted) -> {
          List<@Nullable Object> row =
              new ArrayList<>(List.of(account.host(), schema, account.user()));
          flags(row, SCHEMA, granted);
          rows.accept(row);
        });
  }

  private static void tables(Account account, Consumer<List<@Nullable Object>> rows) {
    Map<String, Map<String, Set<Privilege>>> ofColumns = ofColumns(account.grants());
    Map<String, Map<String, Set<Privilege>>> ofTables = account.grants().tables();
    for (String schema : both(ofTables, ofColumns)) {
      Map<String, Set<Privilege>> whole = ofTables.getOrDefault(schema, Map.of());
      Map<String, Set<Privilege>> some = ofColumns.getOrDefault(schema, Map.of());
      for (String table : both(whole, some)) {
        String ofTable = set(whole.getOrDefault(table, Set.of()));
        String ofSome = set(some.getOrDefault(table, Set.of()));
        rows.accept(
            List.of(account.host(), schema, account.user(), table, "", NEVER, ofTable, ofSome));
      }
    }
  }

  /** By schema and table, what there is for some of its columns. */
  private static Map<String, Map<String, Set<Privilege>>> ofColumns(Grants grants) {
    Map<String, Map<String, Set<Privilege>>> all = new TreeMap<>();
    grants
        .columns()
        .forEach((schema, tables) ->
            tables.forEach((table, columns) -> {
              Set<Privilege> some = new TreeSet<>();
              columns.values().forEach(some::addAll);
              all.computeIfAbsent(schema, name -> new TreeMap<>()).put(table, some);
            }));
    return all;
  }

  private static Set<String> both(Map<String, ?> one, Map<String, ?> other) {
    Set<String> keys = new TreeSet<>(one.keySet());
    keys.addAll(other.keySet());
    return keys;
  }

  private static void columns(Account account, Consumer<List<@Nullable Object>> rows) {
    account
        .grants()
        .columns()
        .forEach((schema, tables) ->
            tables.forEach((table, columns) ->
                columns.forEach((column, granted) ->
                    rows.accept(
                        List.of(
                            account.host(),
                            schema,
                            account.user(),
                            table,
                            column,
                            NEVER,
                            set(granted))))));
  }

  private static void routines(Account account, Consumer<List<@Nullable Object>> rows) {
    for (RoutineKind kind : RoutineKind.values()) {
      account
          .grants()
          .routines(kind)
          .forEach((schema, routines) ->
              routines.forEach((routine, granted) ->
                  rows.accept(
                      List.of(
                          account.host(),
                          schema,
                          account.user(),
                          routine,
                          kind.name(),
                          "",
                          set(granted),
                          NEVER))));
    }
  }

  private static void dynamic(Account account, Consumer<List<@Nullable Object>> rows) {
    account
        .grants()
        .dynamic()
        .forEach((privilege, grantable) ->
            rows.accept(List.of(account.user(), account.host(), privilege.name(), yes(grantable))));
  }

  private static void roles(Account account, Consumer<List<@Nullable Object>> rows) {
    account
        .roles()
        .granted()
        .forEach((role, admin) ->
            rows.accept(
                List.of(
                    Account.hostOf(role),
                    Account.userOf(role),
                    account.host(),
                    account.user(),
                    yes(admin))));
  }

  private static void defaultRoles(Account account, Consumer<List<@Nullable Object>> rows) {
    account.roles().defaults().stream()
        .sorted()
        .forEach(role ->
            rows.accept(
                List.of(
                    account.host(), account.user(), Account.hostOf(role), Account.userOf(role))));
  }

  private static String yes(boolean holds) {
    return holds ? "Y" : "N";
  }

  private static void flags(
      List<@Nullable Object> row, List<String> columns, Set<Privilege> granted) {
    for (String column : columns) {
      row.add(yes(granted.contains(privilege(column))));
    }
  }

  private static Privilege privilege(String column) {
    return switch (column) {
      case "Show_db" -> Privilege.SHOW_DATABASES;
      case "Create_tmp_table" -> Privilege.CREATE_TEMPORARY_TABLES;
      case "Repl_slave" -> Privilege.REPLICATION_SLAVE;
      case "Repl_client" -> Privilege.REPLICATION_CLIENT;
      default -> Privilege.valueOf(column.toUpperCase(Locale.ROOT));
    };
  }

  /** The words of a SET column, in its order. */
  private static String set(Set<Privilege> granted) {
    return granted.stream()
        .sorted()
        .map(privilege ->
            switch (privilege) {
              case CREATE_VIEW -> "Create View";
              case SHOW_VIEW -> "Show view";
              case ALTER_ROUTINE -> "Alter Routine";
              default ->
                  privilege.name().charAt(0)
                      + privilege.name().substring(1).toLowerCase(Locale.ROOT);
            })
        .collect(Collectors.joining(","));
  }
}
