package io.alrai.cn.session;

import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.protocol.ClientCapabilities;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.Grants;

/** Sessions without a client: of user {@code u}, who may do everything, on {@code cn-1}. */
public final class FixedSession {
  private FixedSession() {}

  /** One that takes its branches there. */
  public static Session of(TransactionSource branches, SettingsRegistry registry) {
    return of(branches, registry, 1, "u");
  }

  /** One with that id, of that user. */
  public static Session of(
      TransactionSource branches, SettingsRegistry registry, int id, String user) {
    Access all = Access.of(Account.of(user, "%", Credential.NONE, false, Grants.ALL), 0);
    return new Session(
        new SessionClient("9.7.4", 3306, id, new ClientCapabilities(0), 0),
        new ClientIdentity(user, "h", all, false),
        new SessionTransaction(
            branches, new TransactionNumbers(new NodeId("cn-1"), 1), new SpanningTransactions()),
        registry);
  }
}
