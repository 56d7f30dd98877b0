package io.alrai.cn.limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.cn.settings.CountedStatement;
import io.alrai.cn.settings.UsedAccount;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.AccountLimits;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one account has had in this hour: at this CN, and at the others when they were last asked.
 * An hour begins with what is counted first, at whichever CN. Thread-safe.
 */
final class AccountUse implements UsedAccount {
  /** What MySQL counts as updates, as far as there are such statements here. */
  private static final Set<CountedStatement> UPDATES =
      EnumSet.of(
          CountedStatement.INSERT,
          CountedStatement.INSERT_SELECT,
          CountedStatement.REPLACE,
          CountedStatement.REPLACE_SELECT,
          CountedStatement.UPDATE,
          CountedStatement.UPDATE_MULTI,
          CountedStatement.DELETE,
          CountedStatement.DELETE_MULTI,
          CountedStatement.LOAD,
          CountedStatement.ANALYZE,
          CountedStatement.OPTIMIZE,
          CountedStatement.REPAIR,
          CountedStatement.CREATE_DB,
          CountedStatement.ALTER_DB,
          CountedStatement.DROP_DB,
          CountedStatement.CREATE_TABLE,
          CountedStatement.CREATE_INDEX,
          CountedStatement.ALTER_TABLE,
          CountedStatement.DROP_TABLE,
          CountedStatement.TRUNCATE,
          CountedStatement.RENAME_TABLE,
          CountedStatement.CREATE_TRIGGER,
          CountedStatement.DROP_TRIGGER,
          CountedStatement.CREATE_VIEW,
          CountedStatement.DROP_VIEW,
          CountedStatement.CREATE_PROCEDURE,
          CountedStatement.ALTER_PROCEDURE,
          CountedStatement.DROP_PROCEDURE,
          CountedStatement.CREATE_FUNCTION,
          CountedStatement.ALTER_FUNCTION,
          CountedStatement.DROP_FUNCTION,
          CountedStatement.CREATE_USER,
          CountedStatement.ALTER_USER,
          CountedStatement.ALTER_USER_DEFAULT_ROLE,
          CountedStatement.DROP_USER,
          CountedStatement.RENAME_USER,
          CountedStatement.CREATE_ROLE,
          CountedStatement.DROP_ROLE,
          CountedStatement.GRANT,
          CountedStatement.GRANT_ROLES,
          CountedStatement.REVOKE,
          CountedStatement.REVOKE_ALL,
          CountedStatement.REVOKE_ROLES);

  private final String account;
  private final LongSupplier wallMillis;
  private volatile AccountLimits limits;

  @GuardedBy("this")
  private HourCounts own = HourCounts.NONE;

  /** By CN and when it was started, as a CN that was started again begins at 0. */
  @GuardedBy("this")
  private final Map<String, HourCounts> elsewhere = new HashMap<>();

  /** Whether something was counted since the others were asked. */
  @GuardedBy("this")
  private boolean asks;

  /** One that has had nothing. */
  AccountUse(String account, AccountLimits limits, LongSupplier wallMillis) {
    this.account = account;
    this.limits = limits;
    this.wallMillis = wallMillis;
  }

  String account() {
    return account;
  }

  AccountLimits limits() {
    return limits;
  }

  @Override
  public void enters(Runnable registers) {
    registers.run();
  }

  @Override
  public long mostSessions() {
    return limits.sessions();
  }

  /** Other limits hold from now on, and it has had nothing of them. */
  synchronized void limits(AccountLimits changed) {
    if (!changed.equals(limits)) {
      limits = changed;
      reset();
    }
  }

  /** It has had nothing. */
  synchronized void reset() {
    own = HourCounts.NONE;
    elsewhere.clear();
    asks = false;
  }

  @Override
  public void statement(boolean asked, @Nullable CountedStatement kind) {
    AccountLimits most = limits;
    if (most.ofStatements()) {
      count(most, asked, kind != null && UPDATES.contains(kind));
    }
  }

  private synchronized void count(AccountLimits most, boolean asked, boolean changes) {
    HourCounts all = all();
    asks = true; // also where it is refused: what others had may be over
    if (asked && most.queries() > 0 && all.queries() >= most.queries()) {
      throw reached("max_questions", most.queries());
    }
    if (changes && most.updates() > 0 && all.updates() >= most.updates()) {
      if (asked) {
        own = own.plus(wallMillis.getAsLong(), 1, 0, 0);
      }
      throw reached("max_updates", most.updates());
    }
    own = own.plus(wallMillis.getAsLong(), asked ? 1 : 0, changes ? 1 : 0, 0);
  }

  /** How many may still log in within this hour. */
  synchronized long loginsLeft() {
    AccountLimits most = limits;
    return most.logins() == 0 ? Long.MAX_VALUE : Math.max(0, most.logins() - all().logins());
  }

  /** Somebody has logged in. */
  synchronized void login() {
    own = own.at(wallMillis.getAsLong()).plus(wallMillis.getAsLong(), 0, 0, 1);
  }

  @GuardedBy("this")
  private HourCounts all() {
    long now = wallMillis.getAsLong();
    own = own.at(now);
    HourCounts all = own;
    elsewhere.values().removeIf(counts -> counts.at(now) == HourCounts.NONE);
    for (HourCounts other : elsewhere.values()) {
      all =
          new HourCounts(
              all.startMillis(),
              all.queries() + other.queries(),
              all.updates() + other.updates(),
              all.logins() + other.logins());
    }
    return all;
  }

  /** What it has had here. */
  synchronized HourCounts own() {
    own = own.at(wallMillis.getAsLong());
    return own;
  }

  /** Another CN says what it had there. */
  synchronized void heard(String started, HourCounts counts) {
    HourCounts known = counts.at(wallMillis.getAsLong());
    if (known.startMillis() == 0) {
      elsewhere.remove(started);
    } else {
      elsewhere.put(started, known);
      own = own.at(wallMillis.getAsLong()).in(known);
    }
  }

  /** Whether the others are to be asked, as something was counted; once. */
  synchronized boolean takeAsks() {
    boolean taken = asks;
    asks = false;
    return taken;
  }

  /** MySQL's error. */
  AlraiException reached(String resource, long limit) {
    return new AlraiException(
        ErrorCode.ER_USER_LIMIT_REACHED,
        "User '"
            + Account.userOf(account)
            + "' has exceeded the '"
            + resource
            + "' resource (current value: "
            + limit
            + ")");
  }
}
