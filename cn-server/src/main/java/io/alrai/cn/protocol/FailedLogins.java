package io.alrai.cn.protocol;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.PasswordRules;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Wrong passwords in a row, of accounts that they lock (MySQL Reference Manual, "Failed-Login
 * Tracking and Temporary Account Locking"). Each CN counts for itself, and anew after its start, as
 * a mysqld does. Thread-safe.
 */
final class FailedLogins {
  private final Map<String, Attempts> attempts = new ConcurrentHashMap<>();

  /**
   * What came of the last logins.
   *
   * @param rules by which they are counted: others begin anew
   * @param failed wrong passwords in a row
   * @param lockedMillis when there were too many; means nothing before
   */
  private record Attempts(PasswordRules rules, int failed, long lockedMillis) {
    boolean locks() {
      return failed >= rules.failedLogins();
    }

    /** Days that are left, begun ones too; 0 when the time has passed. */
    long daysLeft(long nowMillis) {
      long left = lockedMillis + TimeUnit.DAYS.toMillis(rules.lockDays()) - nowMillis;
      return left <= 0 ? 0 : (left - 1) / TimeUnit.DAYS.toMillis(1) + 1;
    }

    boolean isOf(PasswordRules now) {
      return rules.failedLogins() == now.failedLogins()
          && rules.lockDays() == now.lockDays()
          && rules.unlocks() == now.unlocks();
    }
  }

  /**
   * Before a password is looked at.
   *
   * @throws AlraiException 3955 while too many wrong ones lock the account
   */
  void requireUnlocked(Account account, String host, long nowMillis) {
    Attempts known = attempts.get(account.key());
    if (known == null || !known.isOf(account.password()) || !known.locks()) {
      return;
    }
    boolean over =
        known.rules.lockDays() != PasswordRules.UNBOUNDED && known.daysLeft(nowMillis) == 0;
    if (over) {
      attempts.remove(account.key(), known);
      return;
    }
    throw blocked(account, host, known, nowMillis);
  }

  /** A password was right. */
  void succeeded(Account account) {
    attempts.remove(account.key());
  }

  /**
   * A password was wrong.
   *
   * @throws AlraiException 3955 when it is one too many
   */
  void failed(Account account, String host, long nowMillis) {
    PasswordRules rules = account.password();
    Attempts now =
        attempts.merge(
            account.key(),
            new Attempts(rules, 1, nowMillis),
            (known, first) ->
                known.isOf(rules) ? new Attempts(rules, known.failed + 1, nowMillis) : first);
    if (now.locks()) {
      throw blocked(account, host, now, nowMillis);
    }
  }

  private static AlraiException blocked(
      Account account, String host, Attempts known, long nowMillis) {
    boolean unbounded = known.rules.lockDays() == PasswordRules.UNBOUNDED;
    String days = unbounded ? "unlimited" : Integer.toString(known.rules.lockDays());
    String left = unbounded ? "unlimited" : Long.toString(known.daysLeft(nowMillis));
    return new AlraiException(
        ErrorCode.ER_USER_ACCESS_DENIED_FOR_USER_ACCOUNT_BLOCKED_BY_PASSWORD_LOCK,
        "Access denied for user '"
            + account.user()
            + "'@'"
            + host
            + "'. Account is blocked for "
            + days
            + " day(s) ("
            + left
            + " day(s) remaining) due to "
            + known.rules.failedLogins()
            + " consecutive failed logins.");
  }
}
