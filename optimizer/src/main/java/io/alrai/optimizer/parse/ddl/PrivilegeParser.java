package io.alrai.optimizer.parse.ddl;

import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Privilege.Level;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.ColumnPrivilege;
import io.alrai.optimizer.api.DdlStatement.PrivilegeNames;
import io.alrai.optimizer.api.DdlStatement.PrivilegeTarget;
import io.alrai.optimizer.api.DdlStatement.UserName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** GRANT and REVOKE after their first words, and SHOW GRANTS. */
public final class PrivilegeParser {
  private final DdlCursor cursor;

  PrivilegeParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  DdlStatement grant() {
    if (isOfRoles("GRANT", "TO")) {
      return new RoleParser(cursor).grant();
    }
    PrivilegeNames names = names();
    PrivilegeTarget target = target(names);
    cursor.expect("TO");
    List<UserName> users = users();
    boolean option = cursor.take("WITH", "GRANT", "OPTION");
    if (cursor.sees("AS")) {
      throw DdlParser.notSupported("GRANT ... AS user", "; leave the clause out");
    }
    cursor.expectEnd();
    return new DdlStatement.GrantPrivileges(cursor.sql(), names, target, users, option);
  }

  DdlStatement revoke() {
    boolean ifExists = cursor.take("IF", "EXISTS");
    int start = cursor.position();
    boolean all = cursor.take("ALL", "PRIVILEGES") || cursor.take("ALL");
    if (all && cursor.takeSymbol(",")) {
      cursor.expect("GRANT");
      cursor.expect("OPTION");
      cursor.expect("FROM");
      List<UserName> users = users();
      boolean ignoreUnknown = ignoreUnknown();
      cursor.expectEnd();
      return new DdlStatement.RevokeAll(cursor.sql(), users, ignoreUnknown);
    }
    cursor.moveTo(start);
    if (isOfRoles("REVOKE", "FROM")) {
      return new RoleParser(cursor).revoke(ifExists);
    }
    PrivilegeNames names = names();
    PrivilegeTarget target = target(names);
    cursor.expect("FROM");
    List<UserName> users = users();
    boolean ignoreUnknown = ignoreUnknown();
    cursor.expectEnd();
    return new DdlStatement.RevokePrivileges(
        cursor.sql(), names, target, users, ifExists, ignoreUnknown);
  }

  private boolean ignoreUnknown() {
    return cursor.take("IGNORE", "UNKNOWN", "USER");
  }

  /** SHOW GRANTS [FOR user [USING role, ...]]. */
  public static AdminStatement.Parsed showGrants(DdlCursor cursor) {
    cursor.expect("SHOW");
    cursor.expect("GRANTS");
    boolean named = cursor.take("FOR");
    UserName user = named ? new AccountDdlParser(cursor).user() : UserName.CURRENT;
    List<UserName> using =
        named && cursor.take("USING") ? new RoleParser(cursor).roles() : List.of();
    cursor.expectEnd();
    return new AdminStatement.ShowGrants(user, using);
  }

  /** Roles have no ON before TO or FROM. */
  private boolean isOfRoles(String verb, String end) {
    if (cursor.sees("PROXY")) {
      throw DdlParser.notSupported(verb + " PROXY", ": an account acts for itself only");
    }
    for (int i = cursor.position(); i < cursor.size(); i++) {
      if (cursor.seesAt(i, "ON")) {
        return false;
      }
      if (cursor.seesAt(i, end) && i > cursor.position()) {
        return true;
      }
    }
    return false;
  }

  /** Whether the next word is that of a privilege. */
  static boolean isPrivilege(DdlCursor cursor) {
    boolean word = !cursor.atEnd() && cursor.token(cursor.position()).kind() == DdlTokens.Kind.WORD;
    return word && Privilege.named(cursor.token(cursor.position()).value()).isPresent();
  }

  private PrivilegeNames names() {
    if (cursor.take("ALL")) {
      cursor.take("PRIVILEGES");
      return new PrivilegeNames(true, Set.of(), List.of(), List.of());
    }
    Set<Privilege> fixed = EnumSet.noneOf(Privilege.class);
    List<ColumnPrivilege> columns = new ArrayList<>();
    List<String> dynamic = new ArrayList<>();
    do {
      name(fixed, columns, dynamic);
    } while (cursor.takeSymbol(","));
    return new PrivilegeNames(false, fixed, columns, dynamic);
  }

  private void name(Set<Privilege> fixed, List<ColumnPrivilege> columns, List<String> dynamic) {
    if (cursor.take("USAGE")) {
      return;
    }
    if (cursor.take("GRANT", "OPTION")) {
      fixed.add(Privilege.GRANT);
      return;
    }
    for (int words = 3; words > 0; words--) {
      Optional<Privilege> privilege = privilege(words);
      if (privilege.isPresent()) {
        cursor.moveTo(cursor.position() + words);
        boolean ofColumns =
            (Privilege.OF_COLUMNS & privilege.get().bit()) != 0 && cursor.seesSymbol("(");
        if (ofColumns) {
          for (String column : cursor.identifiers()) {
            columns.add(new ColumnPrivilege(column, privilege.get()));
          }
        } else {
          fixed.add(privilege.get());
        }
        return;
      }
    }
    if (cursor.sees("ON")) {
      throw cursor.syntaxError();
    }
    dynamic.add(cursor.nameOrString().toUpperCase(Locale.ROOT));
    if (cursor.seesSymbol("(")) {
      cursor.identifiers();
    }
  }

  private Optional<Privilege> privilege(int words) {
    int from = cursor.position();
    if (from + words > cursor.size()) {
      return Optional.empty();
    }
    List<String> text = new ArrayList<>();
    for (int i = from; i < from + words; i++) {
      if (cursor.token(i).kind() != DdlTokens.Kind.WORD) {
        return Optional.empty();
      }
      text.add(cursor.token(i).value());
    }
    return Privilege.named(String.join(" ", text));
  }

  private PrivilegeTarget target(PrivilegeNames names) {
    cursor.expect("ON");
    Optional<RoutineKind> routine =
        Arrays.stream(RoutineKind.values()).filter(kind -> cursor.take(kind.name())).findFirst();
    if (routine.isEmpty()) {
      cursor.take("TABLE");
      return target(Level.TABLE);
    }
    PrivilegeTarget target = target(routine.get().level());
    if (!names.columns().isEmpty()) {
      cursor.moveTo(cursor.size());
      throw cursor.syntaxError();
    }
    if (!target.level().ofRoutines()) {
      throw Privilege.illegal();
    }
    return target;
  }

  /** What names mean where they stand below a schema's. */
  private PrivilegeTarget target(Level named) {
    if (cursor.takeSymbol("*")) {
      if (cursor.takeSymbol(".")) {
        cursor.expectSymbol("*");
        return new PrivilegeTarget(Level.GLOBAL, Optional.empty(), "");
      }
      return new PrivilegeTarget(Level.SCHEMA, Optional.empty(), "");
    }
    String first = cursor.identifier();
    if (!cursor.takeSymbol(".")) {
      return new PrivilegeTarget(named, Optional.empty(), first);
    }
    return cursor.takeSymbol("*")
        ? new PrivilegeTarget(Level.SCHEMA, Optional.of(first), "")
        : new PrivilegeTarget(named, Optional.of(first), cursor.identifier());
  }

  private List<UserName> users() {
    List<UserName> users = new ArrayList<>();
    do {
      users.add(new AccountDdlParser(cursor).user());
    } while (cursor.takeSymbol(","));
    return users;
  }
}
