package io.alrai.cn.admin;

import io.alrai.cn.execute.StatementRun;
import io.alrai.cn.privilege.Denied;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.Privilege;
import io.alrai.optimizer.api.DdlStatement.UserName;
import java.util.Optional;

/** SHOW GRANTS. */
final class GrantStatements {
  private final GmsService gms;

  GrantStatements(GmsService gms) {
    this.gms = gms;
  }

  /**
   * The account's privileges as GRANT statements. Those of others are for who may read {@code
   * mysql.user}.
   *
   * @throws AlraiException 1142 for the privileges of others, 1141 for an account that is not there
   */
  void show(StatementRun run, UserName name) {
    Session session = run.session();
    Catalog catalog = gms.catalog();
    Access access = session.access(catalog);
    String key =
        name.equals(UserName.CURRENT) ? access.account() : Account.key(name.user(), name.host());
    boolean own = key.equals(access.account());
    if (!own && (access.in("mysql") & Privilege.SELECT.bit()) == 0) {
      throw Denied.table(session.identity(), "SELECT", "user");
    }
    Account account =
        Optional.ofNullable(catalog.accounts().get(key))
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_NONEXISTING_GRANT,
                    "There is no such grant defined for user '"
                        + (own ? access.user() : name.user())
                        + "' on host '"
                        + (own ? access.host() : name.host())
                        + "'"));
    ResultTable table =
        new ResultTable().requiredText("Grants for " + account.user() + "@" + account.host(), 1024);
    GrantText.of(account).forEach(table::row);
    table.writeTo(run.writer(), run.statusFlags());
  }
}
