package io.alrai.cn.protocol;

import io.alrai.cn.session.ClientIdentity;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Scramble;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Matches a login with the accounts of the catalog. Stateless; any thread. */
public final class Authentication {
  private Authentication() {}

  /** The account that a user from a host logs in to: the most specific host pattern wins. */
  static Optional<Account> account(Catalog catalog, String user, String host) {
    List<Account> known = catalog.accountsOf(user);
    return known.stream()
        .filter(account -> hostMatches(account.host(), host))
        .max((a, b) -> Integer.compare(specificity(a.host()), specificity(b.host())));
  }

  private static int specificity(String pattern) {
    int wildcard = pattern.indexOf('%');
    return wildcard < 0 ? Integer.MAX_VALUE : wildcard;
  }

  private static boolean hostMatches(String pattern, String host) {
    if (pattern.equals("localhost")) {
      return host.equals("127.0.0.1") || host.equals("::1") || host.equals("localhost");
    }
    StringBuilder regex = new StringBuilder();
    for (char c : pattern.toCharArray()) {
      switch (c) {
        case '%' -> regex.append(".*");
        case '_' -> regex.append('.');
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return host.matches(regex.toString());
  }

  /**
   * Checks a proof.
   *
   * @throws AlraiException 1045 when it does not fit
   */
  public static ClientIdentity check(
      Catalog catalog, String user, String host, String plugin, byte[] nonce, byte[] proof) {
    Optional<Account> account = account(catalog, user, host);
    if (account.isPresent()) {
      String digest =
          plugin.equals(Scramble.NATIVE)
              ? account.get().nativeDigest()
              : account.get().sha2Digest();
      if (!account.get().locked() && Scramble.matches(plugin, digest, nonce, proof)) {
        return new ClientIdentity(
            user, host, Access.ofLogin(account.get(), catalog), proof.length > 0);
      }
    }
    throw new AlraiException(
        ErrorCode.ER_ACCESS_DENIED_ERROR,
        "Access denied for user '"
            + user
            + "'@'"
            + host
            + "' (using password: "
            + (proof.length > 0 ? "YES" : "NO")
            + ")");
  }
}
