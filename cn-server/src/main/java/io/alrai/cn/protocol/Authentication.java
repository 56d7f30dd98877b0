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
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Matches a login with the accounts of the catalog. One for a CN; thread-safe. */
public final class Authentication {
  private static final Logger log = LoggerFactory.getLogger(Authentication.class);
  private static final String ROOT = "root";
  private static final String UNREACHABLE =
      "root without a password is let in from the CN's own machine only; there, say ALTER USER root"
          + " IDENTIFIED BY '...'";

  private final Supplier<Catalog> catalog;
  private final LongSupplier wallMillis;
  private final FailedLogins failed = new FailedLogins();

  /** By this catalog and clock: milliseconds since 1970. */
  public Authentication(Supplier<Catalog> catalog, LongSupplier wallMillis) {
    this.catalog = catalog;
    this.wallMillis = wallMillis;
  }

  /** The account that a user from a host logs in to: the most specific host pattern wins. */
  static Optional<Account> account(Catalog catalog, String user, String host) {
    List<Account> known = catalog.accountsOf(user);
    return known.stream()
        .filter(account -> ClientHosts.matches(account.host(), host))
        .max((a, b) -> Integer.compare(specificity(a.host()), specificity(b.host())));
  }

  private static int specificity(String pattern) {
    int wildcard = pattern.indexOf('%');
    return wildcard < 0 ? Integer.MAX_VALUE : wildcard;
  }

  /**
   * Checks a proof.
   *
   * @param changesExpired whether the client can deal with a password that has expired
   * @throws AlraiException 1045 when it does not fit, or root has no password and comes from
   *     elsewhere, 3955 after too many of those, 1862 when the password has expired and the client
   *     cannot deal with that
   */
  public ClientIdentity check(
      String user, String host, String plugin, byte[] nonce, byte[] proof, boolean changesExpired) {
    Catalog now = catalog.get();
    Optional<Account> found = account(now, user, host);
    if (found.isPresent() && fits(found.get(), host, plugin, nonce, proof)) {
      Account account = found.get();
      requireReachable(account, host);
      Access access = Access.ofLogin(account, now);
      if (account.password().isExpired(wallMillis.getAsLong())) {
        requireChanging(changesExpired);
        access = access.expired(Optional.of(account.password()));
      }
      return new ClientIdentity(user, host, access, proof.length > 0);
    }
    throw denied(user, host, proof.length > 0, "");
  }

  private static AlraiException denied(String user, String host, boolean password, String why) {
    return new AlraiException(
        ErrorCode.ER_ACCESS_DENIED_ERROR,
        "Access denied for user '"
            + user
            + "'@'"
            + host
            + "' (using password: "
            + (password ? "YES" : "NO")
            + ")"
            + why);
  }

  /** A new cluster's root has no password: the network does not get it. */
  private static void requireReachable(Account account, String host) {
    if (account.user().equals(ROOT)
        && account.sha2Digest().isEmpty()
        && account.nativeDigest().isEmpty()
        && !ClientHosts.isLoopback(host)) {
      log.warn("{} wants to be root, which has no password: {}", host, UNREACHABLE);
      throw denied(ROOT, host, false, ": " + UNREACHABLE);
    }
  }

  private boolean fits(Account account, String host, String plugin, byte[] nonce, byte[] proof) {
    String digest = plugin.equals(Scramble.NATIVE) ? account.nativeDigest() : account.sha2Digest();
    if (!account.password().locks()) {
      return !account.locked() && Scramble.matches(plugin, digest, nonce, proof);
    }
    failed.requireUnlocked(account, host, wallMillis.getAsLong());
    boolean right = Scramble.matches(plugin, digest, nonce, proof);
    if (right) {
      failed.succeeded(account);
    } else {
      failed.failed(account, host, wallMillis.getAsLong());
    }
    return right && !account.locked();
  }

  private static void requireChanging(boolean changesExpired) {
    if (!changesExpired) {
      throw new AlraiException(
          ErrorCode.ER_MUST_CHANGE_PASSWORD_LOGIN,
          "Your password has expired. To log in you must change it using a client that supports"
              + " expired passwords.");
    }
  }
}
