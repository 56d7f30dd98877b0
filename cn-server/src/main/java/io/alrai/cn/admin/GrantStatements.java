package io.alrai.cn.admin;

import io.alrai.cn.privilege.Denied;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.session.Session;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.Privilege;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.DdlStatement.RoleChoice;
import io.alrai.optimizer.api.DdlStatement.UserName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** SHOW GRANTS, SHOW CREATE USER and SET ROLE. */
final class GrantStatements {
  private final GmsService gms;

  GrantStatements(GmsService gms) {
    this.gms = gms;
  }

  /**
   * The account's privileges as GRANT statements. Those of others are shown to accounts that may
   * read {@code mysql.user}.
   *
   * @throws AlraiException 1142 for the privileges of others, 1141 for an account that is not
   *     there, 3530 for a role that it lacks
   */
  void show(StatementRun run, AdminStatement.ShowGrants show) {
    Session session = run.session();
    Catalog catalog = gms.catalog();
    Access access = session.user().access(catalog);
    UserName name = show.user();
    boolean current = name.equals(UserName.CURRENT);
    String key = current ? access.account() : Account.key(name.user(), name.host());
    boolean own = key.equals(access.account());
    if (!own && (access.in("mysql") & Privilege.SELECT.bit()) == 0) {
      throw Denied.table(session.user().identity(), "SELECT", "user");
    }
    Account account =
        Optional.ofNullable(catalog.accounts().get(key))
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_NONEXISTING_GRANT,
                    "There is no such grant defined for user '"
                        + Account.userOf(key)
                        + "' on host '"
                        + Account.hostOf(key)
                        + "'"));
    List<String> roles =
        current
            ? access.active()
            : show.using().stream().map(role -> granted(account, role)).toList();
    ResultTable table =
        new ResultTable().requiredText("Grants for " + account.user() + "@" + account.host(), 1024);
    GrantText.of(account, Access.of(account, catalog, roles).grants()).forEach(table::row);
    table.writeTo(run.writer(), run.statusFlags());
  }

  /**
   * SHOW CREATE USER. Others' are shown to accounts that may read {@code mysql}, including the
   * password's digests.
   *
   * @throws AlraiException 1044 for another account, 1396 for one that is not there
   */
  void showCreate(StatementRun run, UserName name) {
    Session session = run.session();
    Catalog catalog = gms.catalog();
    Access access = session.user().access(catalog);
    String key =
        name.equals(UserName.CURRENT) ? access.account() : Account.key(name.user(), name.host());
    boolean all = (access.in("mysql") & Privilege.SELECT.bit()) != 0;
    if (!all && !key.equals(access.account())) {
      throw Denied.schema(session.user().identity(), "mysql");
    }
    Account account =
        Optional.ofNullable(catalog.accounts().get(key))
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_CANNOT_USER,
                    "Operation SHOW CREATE USER failed for "
                        + Account.shown(Account.userOf(key), Account.hostOf(key))
                        + " (User account does not exist)"));
    boolean hex =
        session.variables().settings().literal("print_identified_with_as_hex").equals("1");
    ResultTable table =
        new ResultTable()
            .requiredText("CREATE USER for " + account.user() + "@" + account.host(), 256);
    table.row(CreateUserText.of(account, session.variables().lexicalMode(), hex, all));
    table.writeTo(run.writer(), run.statusFlags());
  }

  /**
   * SET ROLE.
   *
   * @throws AlraiException 3530 for a role that is not granted to the session's account
   */
  void setRole(StatementRun run, RoleChoice choice) {
    Session session = run.session();
    Catalog catalog = gms.catalog();
    Access access = session.user().access(catalog);
    Account account = catalog.accounts().get(access.account());
    if (account == null) {
      throw new AlraiException(
          ErrorCode.ER_UNKNOWN_AUTHID,
          "Unknown authorization ID " + Account.quoted(access.account()));
    }
    Set<String> roles = new TreeSet<>();
    switch (choice) {
      case RoleChoice.Default _ -> roles.addAll(account.roles().defaults());
      case RoleChoice.None _ -> {
        // none
      }
      case RoleChoice.All all -> {
        roles.addAll(account.roles().granted().keySet());
        all.except().forEach(role -> roles.remove(Account.key(role.user(), role.host())));
      }
      case RoleChoice.Listed listed ->
          listed.roles().forEach(role -> roles.add(granted(account, role)));
    }
    session.user().access(access.with(catalog, roles));
  }

  private static String granted(Account account, UserName role) {
    String key = Account.key(role.user(), role.host());
    if (!account.roles().granted().containsKey(key)) {
      throw new AlraiException(
          ErrorCode.ER_ROLE_NOT_GRANTED,
          Account.shown(key) + " is not granted to " + Account.shown(account.key()));
    }
    return key;
  }
}
