package io.alrai.cn.session;

/**
 * Who logged in.
 *
 * @param user as given
 * @param host the client's address
 * @param account the matching account as {@code user@host-pattern}
 */
public record ClientIdentity(String user, String host, String account) {
  /** {@code USER()}. */
  public String userAtHost() {
    return user + "@" + host;
  }
}
