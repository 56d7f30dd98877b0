package io.alrai.cn.settings;

import io.alrai.gms.api.Access;

/**
 * Who logged in.
 *
 * @param user as given
 * @param host the client's address
 * @param access what the matching account might do at the login
 * @param withPassword whether one was given
 */
public record ClientIdentity(String user, String host, Access access, boolean withPassword) {
  /** The matching account as {@code user@host-pattern}. */
  public String account() {
    return access.account();
  }

  /** {@code USER()}. */
  public String userAtHost() {
    return user + "@" + host;
  }
}
