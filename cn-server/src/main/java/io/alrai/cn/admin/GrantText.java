package io.alrai.cn.admin;

import io.alrai.gms.api.Account;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Privilege.Level;
import io.alrai.optimizer.syntax.Identifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** An account's privileges in the words and the order of MySQL's SHOW GRANTS. Pure. */
final class GrantText {
  private GrantText() {}

  static List<String> of(Account account) {
    Grants grants = account.grants();
    String to = " TO " + Identifier.quote(account.user()) + "@" + Identifier.quote(account.host());
    List<String> lines = new ArrayList<>();
    lines.add(line(grants.global(), Level.GLOBAL, "*.*", to));
    dynamic(grants.dynamic(), false, to, lines);
    dynamic(grants.dynamic(), true, to, lines);
    grants
        .schemas()
        .forEach((schema, privileges) ->
            lines.add(line(privileges, Level.SCHEMA, Identifier.quote(schema) + ".*", to)));
    grants
        .tables()
        .forEach((schema, tables) ->
            tables.forEach((table, privileges) ->
                lines.add(
                    line(
                        privileges,
                        Level.TABLE,
                        Identifier.quote(schema) + "." + Identifier.quote(table),
                        to))));
    return lines;
  }

  /** On everything MySQL spells all privileges out. */
  private static String line(Set<Privilege> privileges, Level level, String on, String to) {
    long bits = Privilege.bits(privileges) & ~Privilege.GRANT.bit();
    long all = Privilege.bits(Privilege.allAt(level)) & ~Privilege.GRANT.bit();
    String names = Privilege.list(bits);
    if (bits == 0) {
      names = "USAGE";
    } else if (bits == all && level != Level.GLOBAL) {
      names = "ALL PRIVILEGES";
    }
    String option = privileges.contains(Privilege.GRANT) ? " WITH GRANT OPTION" : "";
    return "GRANT " + names + " ON " + on + to + option;
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
