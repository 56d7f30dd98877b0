package io.alrai.cn.admin;

import io.alrai.gms.api.Account;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Privilege.Level;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.text.Identifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** An account's privileges in the words and the order of MySQL's SHOW GRANTS. Pure. */
final class GrantText {
  private GrantText() {}

  /** Its own, and those of roles that it has. */
  static List<String> of(Account account, Grants grants) {
    String to = " TO " + Identifier.quote(account.user()) + "@" + Identifier.quote(account.host());
    List<String> lines = new ArrayList<>();
    lines.add(line(grants.global(), Level.GLOBAL, "*.*", to));
    dynamic(grants.dynamic(), false, to, lines);
    dynamic(grants.dynamic(), true, to, lines);
    grants
        .schemas()
        .forEach((schema, privileges) ->
            lines.add(line(privileges, Level.SCHEMA, Identifier.quote(schema) + ".*", to)));
    for (GrantScope table : tables(grants)) {
      String on = Identifier.quote(table.schema()) + "." + Identifier.quote(table.name());
      Map<String, Set<Privilege>> columns = grants.columnsAt(table);
      lines.add(
          columns.isEmpty()
              ? line(grants.at(table), Level.TABLE, on, to)
              : line(grants.at(table), columns, on, to));
    }
    for (RoutineKind kind : RoutineKind.values()) {
      grants
          .routines(kind)
          .forEach((schema, routines) ->
              routines.forEach((routine, privileges) -> {
                String on = kind + " " + Identifier.quote(schema) + "." + Identifier.quote(routine);
                lines.add(line(privileges, kind.level(), on, to));
              }));
    }
    roles(account, false, to, lines);
    roles(account, true, to, lines);
    return lines;
  }

  private static void roles(Account account, boolean admin, String to, List<String> lines) {
    String names =
        account.roles().granted().entrySet().stream()
            .filter(entry -> entry.getValue() == admin)
            .map(entry -> Account.quoted(entry.getKey()))
            .collect(Collectors.joining(","));
    if (!names.isEmpty()) {
      lines.add("GRANT " + names + to + (admin ? " WITH ADMIN OPTION" : ""));
    }
  }

  private static List<GrantScope> tables(Grants grants) {
    Set<String> schemas = new TreeSet<>(grants.tables().keySet());
    schemas.addAll(grants.columns().keySet());
    List<GrantScope> scopes = new ArrayList<>();
    for (String schema : schemas) {
      Set<String> tables = new TreeSet<>(grants.tables().getOrDefault(schema, Map.of()).keySet());
      tables.addAll(grants.columns().getOrDefault(schema, Map.of()).keySet());
      tables.forEach(table -> scopes.add(GrantScope.ofTable(schema, table)));
    }
    return scopes;
  }

  /** Each privilege for the table, then for columns. */
  private static String line(
      Set<Privilege> privileges, Map<String, Set<Privilege>> columns, String on, String to) {
    List<String> names = new ArrayList<>();
    for (Privilege each : Privilege.values()) {
      if (each != Privilege.GRANT && privileges.contains(each)) {
        names.add(each.sql());
      }
      String of =
          columns.entrySet().stream()
              .sorted(Map.Entry.comparingByKey())
              .filter(entry -> entry.getValue().contains(each))
              .map(entry -> Identifier.quote(entry.getKey()))
              .collect(Collectors.joining(", "));
      if (!of.isEmpty()) {
        names.add(each.sql() + " (" + of + ")");
      }
    }
    return "GRANT " + String.join(", ", names) + " ON " + on + to + option(privileges);
  }

  private static String option(Set<Privilege> privileges) {
    return privileges.contains(Privilege.GRANT) ? " WITH GRANT OPTION" : "";
  }

  /** On everything and on routines MySQL spells all privileges out. */
  private static String line(Set<Privilege> privileges, Level level, String on, String to) {
    long bits = Privilege.bits(privileges) & ~Privilege.GRANT.bit();
    long all = Privilege.bits(Privilege.allAt(level)) & ~Privilege.GRANT.bit();
    String names = Privilege.list(bits);
    if (bits == 0) {
      names = "USAGE";
    } else if (bits == all && (level == Level.SCHEMA || level == Level.TABLE)) {
      names = "ALL PRIVILEGES";
    }
    return "GRANT " + names + " ON " + on + to + option(privileges);
  }

  private static void dynamic(
      Map<DynamicPrivilege, Boolean> privileges, boolean grantable, String to, List<String> lines) {
    String names =
        privileges.entrySet().stream()
            .filter(entry -> entry.getValue() == grantable)
            .map(entry -> entry.getKey().name())
            .collect(Collectors.joining(","));
    if (!names.isEmpty()) {
      lines.add("GRANT " + names + " ON *.*" + to + (grantable ? " WITH GRANT OPTION" : ""));
    }
  }
}
