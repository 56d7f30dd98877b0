package io.alrai.cn.system;

import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.RoutineKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tables of information_schema about the session's roles (MySQL Reference Manual,
 * "INFORMATION_SCHEMA APPLICABLE_ROLES Table" and those beside it). Pure.
 */
record RoleRows(Catalog catalog, Access access) {
  private static final List<String> APPLICABLE =
      List.of(
          "USER",
          "HOST",
          "GRANTEE",
          "GRANTEE_HOST",
          "ROLE_NAME",
          "ROLE_HOST",
          "IS_GRANTABLE",
          "IS_DEFAULT",
          "IS_MANDATORY");

  /** The rows of a table, as a query; empty for one that is not about roles. */
  Optional<String> of(String table) {
    return switch (table) {
      case "APPLICABLE_ROLES" -> Optional.of(SystemRows.query(APPLICABLE, applicable(false)));
      case "ADMINISTRABLE_ROLE_AUTHORIZATIONS" ->
          Optional.of(SystemRows.query(APPLICABLE, applicable(true)));
      case "ENABLED_ROLES" ->
          Optional.of(
              SystemRows.query(
                  List.of("ROLE_NAME", "ROLE_HOST", "IS_DEFAULT", "IS_MANDATORY"), enabled()));
      case "ROLE_TABLE_GRANTS" ->
          Optional.of(
              SystemRows.query(
                  List.of(
                      "GRANTOR",
                      "GRANTOR_HOST",
                      "GRANTEE",
                      "GRANTEE_HOST",
                      "TABLE_CATALOG",
                      "TABLE_SCHEMA",
                      "TABLE_NAME",
                      "PRIVILEGE_TYPE",
                      "IS_GRANTABLE"),
                  tables()));
      case "ROLE_COLUMN_GRANTS" ->
          Optional.of(
              SystemRows.query(
                  List.of(
                      "GRANTOR",
                      "GRANTOR_HOST",
                      "GRANTEE",
                      "GRANTEE_HOST",
                      "TABLE_CATALOG",
                      "TABLE_SCHEMA",
                      "TABLE_NAME",
                      "COLUMN_NAME",
                      "PRIVILEGE_TYPE",
                      "IS_GRANTABLE"),
                  columns()));
      case "ROLE_ROUTINE_GRANTS" ->
          Optional.of(
              SystemRows.query(
                  List.of(
                      "GRANTOR",
                      "GRANTOR_HOST",
                      "GRANTEE",
                      "GRANTEE_HOST",
                      "SPECIFIC_CATALOG",
                      "SPECIFIC_SCHEMA",
                      "SPECIFIC_NAME",
                      "ROUTINE_CATALOG",
                      "ROUTINE_SCHEMA",
                      "ROUTINE_NAME",
                      "PRIVILEGE_TYPE",
                      "IS_GRANTABLE"),
                  routines()));
      default -> Optional.empty();
    };
  }

  private Optional<Account> own() {
    return Optional.ofNullable(catalog.accounts().get(access.account()));
  }

  private static String yes(boolean holds) {
    return holds ? "YES" : "NO";
  }

  /** What is granted to the account, and to roles that it has. */
  private List<List<@Nullable Object>> applicable(boolean grantable) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    Deque<Account> next = new ArrayDeque<>();
    own().ifPresent(next::add);
    Set<String> defaults = own().map(account -> account.roles().defaults()).orElse(Set.of());
    while (!next.isEmpty()) {
      Account holder = next.poll();
      if (!seen.add(holder.key())) {
        continue;
      }
      holder
          .roles()
          .granted()
          .forEach((role, admin) -> {
            if (admin || !grantable) {
              rows.add(
                  List.of(
                      access.user(),
                      access.host(),
                      holder.user(),
                      holder.host(),
                      Account.userOf(role),
                      Account.hostOf(role),
                      yes(admin),
                      yes(defaults.contains(role)),
                      "NO"));
            }
            Optional.ofNullable(catalog.accounts().get(role)).ifPresent(next::add);
          });
    }
    return rows;
  }

  private List<List<@Nullable Object>> enabled() {
    Set<String> defaults = own().map(account -> account.roles().defaults()).orElse(Set.of());
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (String role : access.active()) {
      rows.add(
          List.of(Account.userOf(role), Account.hostOf(role), yes(defaults.contains(role)), "NO"));
    }
    return rows;
  }

  private List<Account> active() {
    return own().isEmpty() ? List.of() : Access.reached(catalog, access.active());
  }

  private static String words(Set<Privilege> privileges) {
    return privileges.stream()
        .map(privilege ->
            privilege.sql().charAt(0)
                + privilege.sql().substring(1).toLowerCase(Locale.ROOT).replace(" v", " V"))
        .collect(Collectors.joining(","));
  }

  private List<List<@Nullable Object>> tables() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Account role : active()) {
      role.grants()
          .tables()
          .forEach((schema, tables) ->
              tables.forEach((table, privileges) ->
                  rows.add(
                      List.of(
                          "",
                          "",
                          role.user(),
                          role.host(),
                          "def",
                          schema,
                          table,
                          words(privileges),
                          yes(privileges.contains(Privilege.GRANT))))));
    }
    return rows;
  }

  private List<List<@Nullable Object>> columns() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Account role : active()) {
      role.grants()
          .columns()
          .forEach((schema, tables) ->
              tables.forEach(
                  (table, columns) -> rows.addAll(ofTable(role, schema, table, columns))));
    }
    return rows;
  }

  private static List<List<@Nullable Object>> ofTable(
      Account role, String schema, String table, Map<String, Set<Privilege>> columns) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    columns.forEach((column, privileges) ->
        rows.add(
            List.of(
                "",
                "",
                role.user(),
                role.host(),
                "def",
                schema,
                table,
                column,
                words(privileges),
                "NO")));
    return rows;
  }

  private List<List<@Nullable Object>> routines() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Account role : active()) {
      for (RoutineKind kind : RoutineKind.values()) {
        role.grants()
            .routines(kind)
            .forEach((schema, routines) ->
                routines.forEach((routine, privileges) ->
                    rows.add(
                        List.of(
                            "",
                            "",
                            role.user(),
                            role.host(),
                            "def",
                            schema,
                            routine,
                            "def",
                            schema,
                            routine,
                            ofRoutine(privileges),
                            yes(privileges.contains(Privilege.GRANT))))));
      }
    }
    return rows;
  }

  /** In the order in which mysql.procs_priv has them. */
  private static String ofRoutine(Set<Privilege> privileges) {
    List<String> words = new ArrayList<>();
    if (privileges.contains(Privilege.EXECUTE)) {
      words.add("Execute");
    }
    if (privileges.contains(Privilege.ALTER_ROUTINE)) {
      words.add("Alter Routine");
    }
    if (privileges.contains(Privilege.GRANT)) {
      words.add("Grant");
    }
    return String.join(",", words);
  }
}
