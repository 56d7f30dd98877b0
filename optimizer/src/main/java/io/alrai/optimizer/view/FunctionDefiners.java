package io.alrai.optimizer.view;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.RoutineKind;
import io.alrai.gms.api.StoredFunction;
import io.alrai.optimizer.api.token.FunctionCalls;

/** In whose names stored functions run: the mysqlds' accounts for them may call all. Pure. */
public final class FunctionDefiners {
  private FunctionDefiners() {}

  /**
   * Checks whether definers are there and may still call what runs in their names.
   *
   * @throws AlraiException 1449, 1370
   */
  public static void require(Catalog catalog, StoredFunction called) {
    for (StoredFunction function : FunctionCalls.called(catalog, called)) {
      if (!function.ofInvoker()) {
        Account definer = definer(catalog, function);
        require(catalog, definer, function);
        FunctionCalls.callees(catalog, function).forEach(inner -> require(catalog, definer, inner));
      }
    }
  }

  private static Account definer(Catalog catalog, StoredFunction function) {
    Account account = catalog.accounts().get(function.definer());
    if (account == null) {
      throw new AlraiException(
          ErrorCode.ER_NO_SUCH_USER, Account.unknownDefiner(function.definer()));
    }
    return account;
  }

  private static void require(Catalog catalog, Account account, StoredFunction function) {
    long had =
        Access.ofLogin(account, catalog)
            .on(RoutineKind.FUNCTION, function.schema(), function.name());
    if ((had & Privilege.EXECUTE.bit()) == 0) {
      throw new AlraiException(
          ErrorCode.ER_PROCACCESS_DENIED_ERROR,
          "execute command denied to user '"
              + account.user()
              + "'@'"
              + account.host()
              + "' for routine '"
              + function.schema()
              + "."
              + function.name()
              + "'");
    }
  }
}
