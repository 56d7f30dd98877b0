package io.alrai.cn.settings;

import io.alrai.gms.api.Access;
import org.jspecify.annotations.Nullable;

/**
 * Who logged in.
 *
 * @param user as given
 * @param host the client's address
 * @param access what the matching account might do at the login
 * @param withPassword whether one was given
 * @param used what its statements count for; null where nothing bounds the account
 */
public record ClientIdentity(
    String user, String host, Access access, boolean withPassword, @Nullable UsedAccount used) {
  /** One whose account nothing bounds. */
  public ClientIdentity(String user, String host, Access access, boolean withPassword) {
    this(user, host, access, withPassword, null);
  }

  /** A copy of it whose statements count for an account. */
  public ClientIdentity with(UsedAccount account) {
    return new ClientIdentity(user, host, access, withPassword, account);
  }

  /**
   * A session of it becomes one that is counted for its account.
   *
   * @param registers makes it so
   */
  public void enters(Runnable registers) {
    if (used == null) {
      registers.run();
    } else {
      used.enters(registers);
    }
  }

  /** The matching account as {@code user@host-pattern}. */
  public String account() {
    return access.account();
  }

  /** {@code USER()}. */
  public String userAtHost() {
    return user + "@" + host;
  }
}
