package io.alrai.cn.ddl.account;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.rule.RoutineTexts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.GrantChange;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Privilege.Level;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.ColumnPrivilege;
import io.alrai.optimizer.api.DdlStatement.PrivilegeNames;
import io.alrai.optimizer.api.DdlStatement.PrivilegeTarget;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.token.SystemTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** GRANT and REVOKE: one entry of the GMS' log each, for all accounts of a statement or none. */
final class GrantChanges {
  private static final int MISSING = 3162;
  private static final int DEPRECATED = 1287;
  private static final int NOT_REGISTERED = 3929;

  private final GmsService gms;
  private final Catalog catalog;
  private final DdlSession session;
  private final KnownAccounts known;
  private final List<CatalogCommand> commands = new ArrayList<>();
  private final List<SqlWarning> warnings = new ArrayList<>();

  GrantChanges(GmsService gms, DdlSession session) {
    this.gms = gms;
    this.catalog = gms.catalog();
    this.session = session;
    this.known = new KnownAccounts(catalog, session);
  }

  /**
   * GRANT.
   *
   * @throws AlraiException 1410 for an account that is not there, 1146 for a table, 1305 for a
   *     routine, 1144, 1149, 1221 and 3619 for privileges that do not exist at the level, 1046
   *     without a schema
   */
  DdlOutcome grant(DdlStatement.GrantPrivileges grant) {
    GrantScope scope = scope(grant.target());
    requireLevel(grant.privileges(), grant.target());
    Set<DynamicPrivilege> dynamic = dynamic(grant.privileges(), scope, true);
    Set<Privilege> fixed = fixed(grant.privileges(), scope.level());
    if (scope.level() == Level.TABLE) {
      requireTable(scope, fixed);
    }
    RoutineKind.at(scope.level())
        .ifPresent(kind -> requireRoutine(kind, scope.schema(), grant.target().name()));
    List<ColumnPrivilege> named = grant.privileges().columns();
    Map<String, Set<Privilege>> columns = columns(named, scope, true);
    boolean onlyDynamic = fixed.isEmpty() && columns.isEmpty() && !dynamic.isEmpty();
    if (grant.grantOption() && !onlyDynamic) {
      fixed.add(Privilege.GRANT);
    }
    GrantChange change =
        new GrantChange(scope, fixed, columns, List.copyOf(dynamic), grant.grantOption());
    for (UserName user : grant.users()) {
      Account account =
          known
              .find(known.resolved(user))
              .orElseThrow(() ->
                  new AlraiException(
                      ErrorCode.ER_CANT_CREATE_USER_WITH_GRANT,
                      "You are not allowed to create a user with GRANT"));
      commands.add(new CatalogCommand.Grant(account.user(), account.host(), change));
    }
    return submit();
  }

  /**
   * REVOKE.
   *
   * @throws AlraiException 1141, 1147 and 1403 for what was not granted, else as {@link #grant}
   */
  DdlOutcome revoke(DdlStatement.RevokePrivileges revoke) {
    GrantScope scope = scope(revoke.target());
    requireLevel(revoke.privileges(), revoke.target());
    Set<DynamicPrivilege> dynamic = dynamic(revoke.privileges(), scope, false);
    Set<Privilege> fixed = fixed(revoke.privileges(), scope.level());
    boolean all = revoke.privileges().all();
    if (all && scope.level() == Level.GLOBAL) {
      fixed.add(Privilege.GRANT);
    }
    Map<String, Set<Privilege>> columns = columns(revoke.privileges().columns(), scope, false);
    GrantChange change = new GrantChange(scope, fixed, columns, List.copyOf(dynamic), false);
    for (UserName user : revoke.users()) {
      Optional<Account> account = known.find(known.resolved(user));
      if (account.isEmpty()) {
        unknown(
            user,
            revoke.ignoreUnknown(),
            all && scope.level() == Level.GLOBAL
                ? notAll()
                : none(known.resolved(user), revoke.target()));
        continue;
      }
      boolean there = isThere(account.get().grants(), change, all);
      if (!there && !revoke.ifExists()) {
        throw none(known.resolved(user), revoke.target());
      }
      if (!there) {
        warnings.add(warning(none(known.resolved(user), revoke.target())));
      }
      commands.add(new CatalogCommand.Revoke(account.get().user(), account.get().host(), change));
    }
    return submit();
  }

  /**
   * REVOKE ALL PRIVILEGES, GRANT OPTION.
   *
   * @throws AlraiException 1269 for an account that is not there
   */
  DdlOutcome revokeAll(DdlStatement.RevokeAll revoke) {
    for (UserName user : revoke.users()) {
      Optional<Account> account = known.find(known.resolved(user));
      if (account.isPresent()) {
        commands.add(new CatalogCommand.RevokeAll(account.get().user(), account.get().host()));
      } else {
        unknown(user, revoke.ignoreUnknown(), notAll());
      }
    }
    return submit();
  }

  /** For a table, what is granted on one of its columns counts as well. */
  private static boolean isThere(Grants grants, GrantChange change, boolean all) {
    GrantScope scope = change.scope();
    Set<Privilege> held = EnumSet.noneOf(Privilege.class);
    held.addAll(grants.at(scope));
    grants.columnsAt(scope).values().forEach(held::addAll);
    return switch (scope.level()) {
      case GLOBAL -> true;
      case SCHEMA -> all ? !held.isEmpty() : held.containsAll(change.privileges());
      case TABLE, PROCEDURE, FUNCTION ->
          !held.isEmpty()
              && (all || held.containsAll(change.privileges()))
              && change.columns().entrySet().stream()
                  .allMatch(column ->
                      grants
                          .columnsAt(scope)
                          .getOrDefault(column.getKey(), Set.of())
                          .containsAll(column.getValue()));
    };
  }

  /**
   * Privileges by column; of a table or view that is there, and when they are granted of columns
   * that are.
   */
  private Map<String, Set<Privilege>> columns(
      List<ColumnPrivilege> named, GrantScope scope, boolean granted) {
    Map<String, Set<Privilege>> columns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    if (!named.isEmpty() && granted) {
      requireTable(scope, Set.of());
    }
    for (ColumnPrivilege each : named) {
      if (granted && !has(scope, each.column())) {
        throw new AlraiException(
            ErrorCode.ER_BAD_FIELD_ERROR,
            "Unknown column '" + each.column() + "' in '" + scope.name() + "'");
      }
      columns
          .computeIfAbsent(each.column(), _ -> EnumSet.noneOf(Privilege.class))
          .add(each.privilege());
    }
    return columns;
  }

  private boolean has(GrantScope scope, String column) {
    return SystemTables.isSystemSchema(scope.schema())
        || catalog
            .table(scope.schema(), scope.name())
            .filter(table -> table.column(column).isPresent())
            .isPresent()
        || catalog
            .view(scope.schema(), scope.name())
            .filter(view -> view.columns().stream().anyMatch(column::equalsIgnoreCase))
            .isPresent();
  }

  private DdlOutcome submit() {
    if (!commands.isEmpty()) {
      Catalog after = gms.submit(new CatalogCommand.Batch(commands));
      gms.awaitCatalogEverywhere(after.version());
    }
    return DdlOutcome.with(warnings);
  }

  private void unknown(UserName user, boolean ignored, AlraiException error) {
    if (!ignored) {
      throw error;
    }
    warnings.add(
        new SqlWarning("Warning", MISSING, "Authorization ID " + user.user() + " does not exist."));
  }

  private static SqlWarning warning(AlraiException error) {
    return new SqlWarning("Warning", error.errno(), error.sentence());
  }

  private static AlraiException notAll() {
    return new AlraiException(
        ErrorCode.ER_REVOKE_GRANTS,
        "Can't revoke all privileges for one or more of the requested users");
  }

  private static AlraiException none(UserName user, PrivilegeTarget target) {
    String sentence =
        "There is no such grant defined for user '"
            + user.user()
            + "' on host '"
            + user.host()
            + "'";
    return switch (target.level()) {
      case GLOBAL, SCHEMA -> new AlraiException(ErrorCode.ER_NONEXISTING_GRANT, sentence);
      case TABLE ->
          new AlraiException(
              ErrorCode.ER_NONEXISTING_TABLE_GRANT, sentence + " on table '" + target.name() + "'");
      case PROCEDURE, FUNCTION ->
          new AlraiException(
              ErrorCode.ER_NONEXISTING_PROC_GRANT,
              sentence + " on routine '" + target.name() + "'");
    };
  }

  private GrantScope scope(PrivilegeTarget target) {
    String schema = target.schema().orElse(session.currentSchema());
    if (schema.isEmpty() && target.level() != Level.GLOBAL) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    return switch (target.level()) {
      case PROCEDURE -> GrantScope.ofRoutine(RoutineKind.PROCEDURE, schema, target.name());
      case FUNCTION -> GrantScope.ofRoutine(RoutineKind.FUNCTION, schema, target.name());
      case TABLE -> GrantScope.ofTable(schema, target.name());
      case SCHEMA -> GrantScope.ofSchema(schema);
      case GLOBAL -> GrantScope.GLOBAL;
    };
  }

  private static void requireLevel(PrivilegeNames names, PrivilegeTarget target) {
    Level level = target.level();
    if (level != Level.GLOBAL && !names.dynamic().isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_ILLEGAL_PRIVILEGE_LEVEL,
          "Illegal privilege level specified for "
              + (level == Level.SCHEMA ? names.dynamic().getFirst() : target.name()));
    }
    boolean columns = !names.columns().isEmpty() && level != Level.TABLE;
    if (!columns && names.fixed().stream().allMatch(privilege -> privilege.existsAt(level))) {
      return;
    }
    throw level == Level.SCHEMA && !columns
        ? new AlraiException(
            ErrorCode.ER_WRONG_USAGE, "Incorrect usage of DB GRANT and GLOBAL PRIVILEGES")
        : Privilege.illegal();
  }

  /** A word that is no privilege is an error of GRANT, and a warning of REVOKE. */
  private Set<DynamicPrivilege> dynamic(PrivilegeNames names, GrantScope scope, boolean granted) {
    Set<DynamicPrivilege> found = EnumSet.noneOf(DynamicPrivilege.class);
    if (names.all() && scope.level() == Level.GLOBAL) {
      found.addAll(Arrays.asList(DynamicPrivilege.values()));
    }
    for (String name : names.dynamic()) {
      Optional<DynamicPrivilege> known = DynamicPrivilege.named(name);
      if (known.isEmpty() && granted) {
        throw new AlraiException(
            ErrorCode.ER_SYNTAX_ERROR,
            "You have an error in your SQL syntax; check the manual that corresponds to your MySQL"
                + " server version for the right syntax to use");
      }
      if (known.isEmpty()) {
        warnings.add(
            new SqlWarning(
                "Warning",
                NOT_REGISTERED,
                "Dynamic privilege '" + name + "' is not registered with the server."));
      }
      known.ifPresent(found::add);
    }
    return found;
  }

  private Set<Privilege> fixed(PrivilegeNames names, Level level) {
    Set<Privilege> fixed = EnumSet.noneOf(Privilege.class);
    fixed.addAll(names.fixed());
    if (names.all()) {
      fixed.addAll(Privilege.allAt(level));
      fixed.remove(Privilege.GRANT);
    } else if (fixed.contains(Privilege.SUPER)) {
      warnings.add(
          new SqlWarning("Warning", DEPRECATED, "The SUPER privilege identifier is deprecated"));
    }
    return fixed;
  }

  /** One that does not exist may be granted together with its creation. */
  private void requireTable(GrantScope scope, Set<Privilege> privileges) {
    boolean there =
        catalog.table(scope.schema(), scope.name()).isPresent()
            || catalog.view(scope.schema(), scope.name()).isPresent()
            || SystemTables.isSystemSchema(scope.schema());
    if (!there && !privileges.contains(Privilege.CREATE)) {
      throw new AlraiException(
          ErrorCode.ER_NO_SUCH_TABLE,
          "Table '" + scope.schema() + "." + scope.name() + "' doesn't exist");
    }
  }

  /** The server's own are known to the mysqlds only. */
  private void requireRoutine(RoutineKind kind, String schema, String name) {
    boolean there =
        RoutineTexts.isThere(catalog, kind, schema, name) || schema.equalsIgnoreCase("sys");
    if (!there) {
      throw new AlraiException(
          ErrorCode.ER_SP_DOES_NOT_EXIST, kind + " " + name + " does not exist");
    }
  }
}
