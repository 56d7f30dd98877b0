package io.alrai.cn.admin;

import io.alrai.cn.privilege.Denied;
import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Privilege.Level;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.ColumnPrivilege;
import io.alrai.optimizer.api.DdlStatement.PrivilegeNames;
import io.alrai.optimizer.api.DdlStatement.PrivilegeTarget;
import io.alrai.optimizer.api.DdlStatement.UserChange;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.DdlStatement.UserRenaming;
import io.alrai.optimizer.api.NewPassword;
import java.util.List;
import java.util.Optional;

/**
 * Whether an account may change others: CREATE USER for accounts, and for privileges each of them
 * with GRANT OPTION at the same level. Stateless.
 */
final class AccountRights {
  private AccountRights() {}

  /**
   * Checks a statement about accounts.
   *
   * @throws AlraiException MySQL's error: 1044, 1045, 1142, 1227 or 1370
   */
  static void check(Session session, Catalog catalog, DdlStatement.OnAccount statement) {
    if (statement instanceof DdlStatement.GrantPrivileges grant) {
      requireGrantable(session, grant.target());
    }
    if (session.user().access(catalog).everything()) {
      return;
    }
    Actor actor =
        new Actor(
            session.user().identity(), session.user().access(catalog), session.schema(), catalog);
    switch (statement) {
      case DdlStatement.CreateUsers _ -> actor.requireCreateUser();
      case DdlStatement.AlterUsers alter -> actor.alter(alter);
      case DdlStatement.DropUsers drop -> actor.change(drop.users());
      case DdlStatement.GrantPrivileges grant -> actor.grant(grant.privileges(), grant.target());
      case DdlStatement.RevokePrivileges revoke ->
          actor.grant(revoke.privileges(), revoke.target());
      case DdlStatement.RevokeAll revoke -> actor.change(revoke.users());
      case DdlStatement.RenameUsers rename ->
          actor.change(rename.renamings().stream().map(UserRenaming::from).toList());
      case DdlStatement.CreateRoles _ -> actor.require("CREATE ROLE", Privilege.CREATE_ROLE);
      case DdlStatement.DropRoles drop -> {
        actor.require("DROP ROLE", Privilege.DROP_ROLE);
        drop.roles().forEach(actor::requirePeer);
      }
      case DdlStatement.GrantRoles grant -> actor.grantRoles(grant.roles(), grant.users());
      case DdlStatement.RevokeRoles revoke -> actor.grantRoles(revoke.roles(), revoke.users());
      case DdlStatement.SetDefaultRoles set ->
          actor.change(set.users().stream().filter(user -> !actor.isOwn(user)).toList());
    }
  }

  /** What everybody may read is nobody's to give. */
  private static void requireGrantable(Session session, PrivilegeTarget target) {
    String schema = target.schema().orElse(target.level() == Level.GLOBAL ? "" : session.schema());
    if (schema.equalsIgnoreCase("information_schema")) {
      throw Denied.shownSchema(session.user().identity(), "information_schema");
    }
  }

  /** Who wants to change accounts. */
  private record Actor(
      ClientIdentity identity, Access access, String currentSchema, Catalog catalog) {
    void requireCreateUser() {
      if (!access.has(Privilege.CREATE_USER)) {
        throw Denied.lacking("CREATE USER");
      }
    }

    void require(String name, Privilege orThis) {
      if (!access.has(Privilege.CREATE_USER) && !access.has(orThis)) {
        throw Denied.lacking("CREATE USER, " + name);
      }
    }

    /** Each role with the admin option, if not all roles may be granted. */
    void grantRoles(List<UserName> roles, List<UserName> users) {
      boolean all = access.has(DynamicPrivilege.ROLE_ADMIN) || access.has(Privilege.SUPER);
      for (UserName role : roles) {
        String key = Account.key(role.user(), role.host());
        if (!all && !access.administers(catalog, key)) {
          throw Denied.lacking("WITH ADMIN, ROLE_ADMIN, SUPER");
        }
      }
      users.forEach(this::requirePeer);
    }

    void change(List<UserName> users) {
      if (users.isEmpty()) {
        return;
      }
      requireCreateUser();
      users.forEach(this::requirePeer);
    }

    private void requirePeer(UserName user) {
      catalog.accountsOf(user.user()).stream()
          .filter(account -> account.host().equalsIgnoreCase(user.host()))
          .forEach(account -> PrivilegeCheck.requirePeer(access, catalog, account.key()));
    }

    private boolean isOwn(UserName user) {
      return user.equals(UserName.CURRENT)
          || Account.key(user.user(), user.host()).equals(access.account());
    }

    /** Everybody may change their own password. */
    void alter(DdlStatement.AlterUsers alter) {
      for (UserChange change : alter.users()) {
        boolean password =
            isOwn(change.name())
                && change.locked().isEmpty()
                && change.requiresTls().isEmpty()
                && change.options().isEmpty()
                && change.limits().isEmpty()
                && !(change.password().orElse(null) instanceof NewPassword.Kept);
        if (!password && alter.setsPassword()) {
          throw Denied.schema(identity, "mysql");
        }
        if (!password) {
          requireCreateUser();
          requirePeer(change.name());
        }
      }
    }

    void grant(PrivilegeNames names, PrivilegeTarget target) {
      Level level = target.level();
      long wanted =
          Privilege.GRANT.bit()
              | Privilege.bits(names.all() ? Privilege.allAt(level) : names.fixed());
      String schema = target.schema().orElse(currentSchema);
      switch (level) {
        case GLOBAL -> everywhere(names, wanted);
        case SCHEMA -> {
          if (!schema.isEmpty() && (wanted & ~access.in(schema)) != 0) {
            throw Denied.schema(identity, schema);
          }
        }
        case TABLE -> {
          if (!schema.isEmpty()) {
            onTable(names, wanted, schema, target.name());
          }
        }
        case PROCEDURE -> onRoutine(RoutineKind.PROCEDURE, names, wanted, schema, target.name());
        case FUNCTION -> onRoutine(RoutineKind.FUNCTION, names, wanted, schema, target.name());
      }
    }

    private void onTable(PrivilegeNames names, long wanted, String schema, String table) {
      long ofColumns =
          Privilege.bits(names.columns().stream().map(ColumnPrivilege::privilege).toList());
      long missing = wanted & ~access.on(schema, table) | ofColumns & ~access.onSome(schema, table);
      if (missing != 0) {
        throw Denied.table(identity, Privilege.list(missing), table);
      }
      for (ColumnPrivilege each : names.columns()) {
        if ((each.privilege().bit() & access.onColumn(schema, table, each.column())) == 0) {
          throw Denied.column(identity, each.privilege().sql(), each.column(), table);
        }
      }
    }

    /** Dynamic ones exist for nobody there: 3619. */
    private void onRoutine(
        RoutineKind kind, PrivilegeNames names, long wanted, String schema, String name) {
      long missing = wanted & ~access.on(kind, schema, name);
      if (schema.isEmpty() || missing == 0 || !names.dynamic().isEmpty()) {
        return;
      }
      if (names.fixed().stream().anyMatch(privilege -> !privilege.existsAt(Level.SCHEMA))) {
        throw Denied.everywhere(identity);
      }
      throw Denied.routine(identity, missing, schema, name);
    }

    private void everywhere(PrivilegeNames names, long wanted) {
      for (String name : names.dynamic()) {
        Optional<DynamicPrivilege> dynamic = DynamicPrivilege.named(name);
        if (dynamic.isPresent() && !access.mayGrant(dynamic.get())) {
          throw Denied.lacking("GRANT OPTION");
        }
      }
      boolean fixed = names.all() || !names.fixed().isEmpty() || names.dynamic().isEmpty();
      if (fixed && (wanted & ~access.global()) != 0) {
        throw Denied.everywhere(identity);
      }
      if (names.all()) {
        for (DynamicPrivilege each : DynamicPrivilege.values()) {
          if (!access.mayGrant(each)) {
            throw Denied.lacking("GRANT OPTION");
          }
        }
      }
    }
  }
}
