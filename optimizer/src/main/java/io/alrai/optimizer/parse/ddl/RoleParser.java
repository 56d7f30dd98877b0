package io.alrai.optimizer.parse.ddl;

import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.RoleChoice;
import io.alrai.optimizer.api.DdlStatement.UserName;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements about roles: CREATE ROLE, DROP ROLE, GRANT and REVOKE of roles, SET ROLE, SET DEFAULT
 * ROLE, each after its first words.
 */
public final class RoleParser {
  private final DdlCursor cursor;

  public RoleParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  DdlStatement createRoles() {
    boolean ifNotExists = cursor.take("IF", "NOT", "EXISTS");
    List<UserName> roles = roles();
    cursor.expectEnd();
    return new DdlStatement.CreateRoles(cursor.sql(), roles, ifNotExists);
  }

  DdlStatement dropRoles() {
    boolean ifExists = cursor.take("IF", "EXISTS");
    List<UserName> roles = roles();
    cursor.expectEnd();
    return new DdlStatement.DropRoles(cursor.sql(), roles, ifExists);
  }

  /** GRANT. */
  DdlStatement grant() {
    List<UserName> roles = granted();
    cursor.expect("TO");
    List<UserName> users = users();
    boolean admin = cursor.take("WITH");
    if (admin) {
      cursor.expect("ADMIN");
      cursor.expect("OPTION");
    }
    cursor.expectEnd();
    return new DdlStatement.GrantRoles(cursor.sql(), roles, users, admin);
  }

  /** REVOKE [IF EXISTS]. */
  DdlStatement revoke(boolean ifExists) {
    List<UserName> roles = granted();
    cursor.expect("FROM");
    List<UserName> users = users();
    boolean ignoreUnknown = cursor.take("IGNORE", "UNKNOWN", "USER");
    cursor.expectEnd();
    return new DdlStatement.RevokeRoles(cursor.sql(), roles, users, ifExists, ignoreUnknown);
  }

  /** SET DEFAULT ROLE. */
  DdlStatement setDefaultRoles() {
    RoleChoice choice = choice(false);
    cursor.expect("TO");
    List<UserName> users = users();
    cursor.expectEnd();
    return new DdlStatement.SetDefaultRoles(cursor.sql(), choice, users);
  }

  /** ALTER USER user DEFAULT ROLE. */
  DdlStatement alterDefaultRoles(UserName user) {
    RoleChoice choice = choice(false);
    cursor.expectEnd();
    return new DdlStatement.SetDefaultRoles(cursor.sql(), choice, List.of(user));
  }

  /** SET ROLE. */
  public AdminStatement.Parsed setRole() {
    cursor.expect("SET");
    cursor.expect("ROLE");
    RoleChoice choice = choice(true);
    cursor.expectEnd();
    return new AdminStatement.SetRole(choice);
  }

  private RoleChoice choice(boolean ofSession) {
    if (cursor.take("NONE")) {
      return new RoleChoice.None();
    }
    if (cursor.take("ALL")) {
      return new RoleChoice.All(ofSession && cursor.take("EXCEPT") ? roles() : List.of());
    }
    return ofSession && cursor.take("DEFAULT")
        ? new RoleChoice.Default()
        : new RoleChoice.Listed(roles());
  }

  List<UserName> roles() {
    List<UserName> roles = new ArrayList<>();
    do {
      roles.add(role());
    } while (cursor.takeSymbol(","));
    return roles;
  }

  private UserName role() {
    if (cursor.sees("NONE") || cursor.sees("ALL") || cursor.sees("DEFAULT")) {
      throw cursor.syntaxError();
    }
    return new AccountDdlParser(cursor).named();
  }

  /** Roles where privileges might stand: a privilege's word is none's name. */
  private List<UserName> granted() {
    List<UserName> roles = new ArrayList<>();
    do {
      if (PrivilegeParser.isPrivilege(cursor)) {
        throw cursor.syntaxError();
      }
      roles.add(role());
    } while (cursor.takeSymbol(","));
    return roles;
  }

  private List<UserName> users() {
    List<UserName> users = new ArrayList<>();
    do {
      users.add(new AccountDdlParser(cursor).user());
    } while (cursor.takeSymbol(","));
    return users;
  }
}
