package io.alrai.cn.protocol;

import io.alrai.cn.settings.ClientHosts;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.secret.PasswordHash;
import io.alrai.common.wire.Scramble;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Credential;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Matches logins with the accounts of the catalog. One for a CN; thread-safe. */
public final class Authentication {
  private static final Logger log = LoggerFactory.getLogger(Authentication.class);
  private static final String ROOT = "root";
  private static final String UNREACHABLE =
      "root without a password is let in from the CN's own machine only; there, say ALTER USER root"
          + " IDENTIFIED BY '...'";

  private final Supplier<Catalog> catalog;
  private final LongSupplier wallMillis;
  private final boolean nativePasswords;
  private final Executor slow;
  private final Consumer<CatalogCommand> changes;
  private final LoginCounts counts;
  private final FailedLogins failed = new FailedLogins();
  private final LoginDelays delays = new LoginDelays();
  private final KnownPasswords known = new KnownPasswords();
  private final PasswordKeys keys = new PasswordKeys();
  private volatile LoginLimits limits = identity -> null;
  private final PasswordHash nobody = PasswordHash.ofNobody();

  /**
   * Those of a CN.
   *
   * @param wallMillis milliseconds since 1970
   * @param nativePasswords whether accounts of mysql_native_password may log in
   * @param slow runs what takes a processor for milliseconds
   * @param changes takes accounts' passwords in their new form to the GMS; may fail, may not block
   */
  public Authentication(
      Supplier<Catalog> catalog,
      LongSupplier wallMillis,
      boolean nativePasswords,
      Executor slow,
      Consumer<CatalogCommand> changes,
      LoginCounts counts) {
    this.catalog = catalog;
    this.wallMillis = wallMillis;
    this.nativePasswords = nativePasswords;
    this.slow = slow;
    this.changes = changes;
    this.counts = counts;
  }

  /** Says how many may log in to an account. */
  public void boundBy(LoginLimits bounds) {
    limits = bounds;
  }

  /** How many may log in to an account. */
  LoginLimits limits() {
    return limits;
  }

  /** Accounts have changed. */
  public void follow(Catalog changed) {
    known.follow(changed);
  }

  /** Forgets the passwords that were seen, as FLUSH PRIVILEGES does. */
  public void forget() {
    known.clear();
  }

  /** The account that a user from a host logs in to: the most specific host pattern wins. */
  static Optional<Account> account(Catalog catalog, String user, String host) {
    List<Account> candidates = catalog.accountsOf(user);
    return candidates.stream()
        .filter(account -> ClientHosts.matches(account.host(), host))
        .max((a, b) -> Integer.compare(specificity(a.host()), specificity(b.host())));
  }

  private static int specificity(String pattern) {
    int wildcard = pattern.indexOf('%');
    return wildcard < 0 ? Integer.MAX_VALUE : wildcard;
  }

  /**
   * The account of an attempt, if there is one.
   *
   * @throws AlraiException 3955 while too many wrong passwords lock it
   */
  Optional<Account> account(LoginAttempt attempt) {
    Optional<Account> found = account(catalog.get(), attempt.user(), attempt.host());
    if (found.isPresent() && found.get().password().locks()) {
      failed.requireUnlocked(found.get(), attempt.host(), wallMillis.getAsLong());
    }
    return found;
  }

  /**
   * By which plugin an account's password is proved.
   *
   * @throws AlraiException 1524 for one that is switched off
   */
  String plugin(Optional<Account> account) {
    if (account.isEmpty() || !account.get().credential().usesSha1()) {
      return Scramble.SHA2;
    }
    if (!nativePasswords) {
      throw notLoaded(Scramble.NATIVE);
    }
    return Scramble.NATIVE;
  }

  /** MySQL's error for a plugin that is switched off. */
  public static AlraiException notLoaded(String plugin) {
    return new AlraiException(
        ErrorCode.ER_PLUGIN_IS_NOT_LOADED, "Plugin '" + plugin + "' is not loaded");
  }

  /**
   * Whether a proof of {@link Scramble#SHA2} is right; empty where only the password itself can
   * tell. Of an account that an older version made it is asked for wherever TLS hides it: then it
   * can be kept salted.
   */
  Optional<Boolean> fits(Account account, LoginAttempt attempt, byte[] nonce, byte[] proof) {
    Optional<String> digest = known.digest(account);
    if (digest.isEmpty() && !attempt.encrypted()) {
      digest = account.credential().oldDigest().filter(old -> !old.isEmpty());
    }
    return digest.map(seen -> Scramble.matches(Scramble.SHA2, seen, nonce, proof));
  }

  /**
   * Whether a password is an account's. Takes milliseconds, also where there is no such account or
   * no password, so that a client cannot tell.
   */
  boolean fits(Optional<Account> account, byte[] password) {
    if (account.isEmpty()
        || account.get().credential().noPassword()
        || password.length == 0
        || password.length > PasswordHash.LONGEST_PASSWORD) {
      matches(nobody, password);
      return false;
    }
    Credential credential = account.get().credential();
    String digest = Scramble.digest(Scramble.SHA2, password);
    Optional<String> old = credential.oldDigest();
    if (old.isPresent()) {
      return fitsOld(account.get(), old.get(), digest, password);
    }
    if (known.digest(account.get()).filter(seen -> same(seen, digest)).isPresent()) {
      return true; // many log in at once
    }
    boolean right = matches(PasswordHash.parse(credential.text()).orElse(nobody), password);
    if (right) {
      known.learn(account.get().key(), credential, digest);
    }
    return right;
  }

  private boolean matches(PasswordHash hash, byte[] password) {
    counts.passwords().increment();
    return hash.matches(password);
  }

  private boolean fitsOld(Account account, String old, String digest, byte[] password) {
    if (!same(old, digest)) {
      matches(nobody, password);
      return false;
    }
    counts.passwords().increment();
    Credential salted = Credential.of(Scramble.SHA2, password);
    known.learn(account.key(), salted, digest);
    changes.accept(
        new CatalogCommand.ReplaceCredential(
            account.user(), account.host(), account.credential(), salted));
    return true;
  }

  private static boolean same(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }

  /** Runs something that takes milliseconds away from the event loops. */
  void slowly(Runnable work) {
    slow.execute(work);
  }

  /** The RSA keys for clients without TLS. */
  PasswordKeys keys() {
    return keys;
  }

  /**
   * What comes of a login.
   *
   * @param account as it was when the password was looked at
   * @param right whether it was right
   * @param password whether there was one
   * @throws AlraiException 1045 when it was not, or the account needs TLS, has another password by
   *     now, or is root without one from elsewhere; 3118 when it is locked, 1862 when the password
   *     has expired and the client cannot deal with that
   */
  ClientIdentity identity(
      LoginAttempt attempt, Optional<Account> account, boolean right, boolean password) {
    Catalog now = catalog.get();
    Optional<Account> current =
        account(now, attempt.user(), attempt.host())
            .filter(found -> account.isPresent() && isStill(found, account.get()));
    if (!right || current.isEmpty() || current.get().requiresTls() && !attempt.encrypted()) {
      throw denied(attempt, password, "");
    }
    Account found = current.get();
    requireReachable(found, attempt);
    if (found.locked()) {
      throw new AlraiException(
          ErrorCode.ER_ACCOUNT_HAS_BEEN_LOCKED,
          "Access denied for user '"
              + attempt.user()
              + "'@'"
              + attempt.host()
              + "'. Account is locked.");
    }
    Access access = Access.ofLogin(found, now);
    if (found.password().isExpired(wallMillis.getAsLong())) {
      requireChanging(attempt.changesExpired());
      access = access.expired(Optional.of(found.password()));
    }
    return new ClientIdentity(attempt.user(), attempt.host(), access, password);
  }

  /** Whether an account has the password that it had, in whatever form. */
  private static boolean isStill(Account now, Account then) {
    return now.key().equals(then.key())
        && (now.credential().equals(then.credential())
            || then.credential().oldDigest().isPresent()
                && now.password().changedMillis() == then.password().changedMillis());
  }

  /**
   * Counts a password before its outcome is reported.
   *
   * @param account that it was for, if that is to be counted too
   * @throws AlraiException 3955 after too many wrong ones, those of other logins meanwhile included
   */
  void tried(LoginAttempt attempt, Optional<Account> account, boolean right) {
    long now = wallMillis.getAsLong();
    delays.tried(attempt.user(), attempt.host(), right, now);
    if (account.isEmpty() || !account.get().password().locks()) {
      return;
    }
    if (right) {
      failed.requireUnlocked(account.get(), attempt.host(), now);
      failed.succeeded(account.get());
    } else {
      failed.failed(account.get(), attempt.host(), now);
    }
  }

  /** Milliseconds for which a client waits for the answer to its proof or password. */
  long delay(LoginAttempt attempt) {
    long millis = delays.millis(attempt.user(), attempt.host(), wallMillis.getAsLong());
    if (millis > 0) {
      counts.delayed().increment();
    }
    return millis;
  }

  private static AlraiException denied(LoginAttempt attempt, boolean password, String why) {
    return new AlraiException(
        ErrorCode.ER_ACCESS_DENIED_ERROR,
        "Access denied for user '"
            + attempt.user()
            + "'@'"
            + attempt.host()
            + "' (using password: "
            + (password ? "YES" : "NO")
            + ")"
            + why);
  }

  /** A new cluster's root has no password: the network does not get it. */
  private static void requireReachable(Account account, LoginAttempt attempt) {
    if (account.user().equals(ROOT)
        && account.credential().noPassword()
        && !ClientHosts.isLoopback(attempt.host())) {
      log.warn("{} wants to be root, which has no password: {}", attempt.host(), UNREACHABLE);
      throw denied(attempt, false, ": " + UNREACHABLE);
    }
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
