package io.alrai.gms.api;

import java.util.concurrent.TimeUnit;

/**
 * How long an account's password is good, and what wrong ones do (MySQL Reference Manual, "Password
 * Management").
 *
 * @param expired whether PASSWORD EXPIRE was said since the password was set
 * @param lifetimeDays how old it may become; {@link #DEFAULT_LIFETIME} and 0 for any age
 * @param changedMillis when it was set, milliseconds since 1970; {@link #NOW} in a command that
 *     sets it: the leader writes its time
 * @param failedLogins so many wrong passwords in a row lock the account; 0 for no such number
 * @param lockDays for so long; {@link #UNBOUNDED} until it is unlocked, 0 not at all
 * @param unlocks how often ALTER USER has said something that unlocks it
 */
public record PasswordRules(
    boolean expired,
    int lifetimeDays,
    long changedMillis,
    int failedLogins,
    int lockDays,
    long unlocks) {
  /** PASSWORD EXPIRE DEFAULT. */
  public static final int DEFAULT_LIFETIME = -1;

  /** Stands for the time at which the leader takes the command. */
  public static final long NOW = -1;

  /** PASSWORD_LOCK_TIME UNBOUNDED. */
  public static final int UNBOUNDED = -1;

  /** The rules of an account for which none are given. */
  public static final PasswordRules NONE = new PasswordRules(false, DEFAULT_LIFETIME, 0, 0, 0, 0);

  /** The rules of a role. */
  public static final PasswordRules EXPIRED = new PasswordRules(true, DEFAULT_LIFETIME, 0, 0, 0, 0);

  /** The rules of an account that is being created. */
  public static final PasswordRules NEW = new PasswordRules(false, DEFAULT_LIFETIME, NOW, 0, 0, 0);

  /** Whether a new password must be set before anything else. */
  public boolean isExpired(long nowMillis) {
    return expired
        || lifetimeDays > 0 && nowMillis - changedMillis >= TimeUnit.DAYS.toMillis(lifetimeDays);
  }

  /** Whether wrong passwords lock the account. */
  public boolean locks() {
    return failedLogins > 0 && lockDays != 0;
  }

  /** A copy after PASSWORD EXPIRE. */
  public PasswordRules expiredNow() {
    return new PasswordRules(true, lifetimeDays, changedMillis, failedLogins, lockDays, unlocks);
  }

  /** A copy that was set at a time, if these say {@link #NOW}. */
  public PasswordRules stamped(long nowMillis) {
    return changedMillis == NOW
        ? new PasswordRules(expired, lifetimeDays, nowMillis, failedLogins, lockDays, unlocks)
        : this;
  }
}
