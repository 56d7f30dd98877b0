package io.alrai.cn.ddl.account;

import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.DdlStatement.UserName;
import java.util.Optional;

/** The accounts that statements name. Pure. */
record KnownAccounts(Catalog catalog, DdlSession session) {
  /** The name, or the session's account. */
  UserName resolved(UserName name) {
    return name.equals(UserName.CURRENT) ? new UserName(session.user(), session.host()) : name;
  }

  /** The account of a resolved name; hosts are compared without regard to case. */
  Optional<Account> find(UserName name) {
    return catalog.accountsOf(name.user()).stream()
        .filter(account -> account.host().equalsIgnoreCase(name.host()))
        .findFirst();
  }
}
