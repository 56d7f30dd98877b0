package io.alrai.optimizer.parse.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.DdlStatement.PasswordOptions;
import java.util.Optional;

/** What CREATE USER and ALTER USER say of passwords. */
final class PasswordOptionParser {
  private static final int MOST_DAYS = 65_535;
  private static final int MOST_LOGINS = 32_767;

  private final DdlCursor cursor;
  private PasswordOptions found = PasswordOptions.NONE;

  PasswordOptionParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  /** What was said so far. */
  PasswordOptions options() {
    return found;
  }

  /**
   * Takes one option, if one comes next.
   *
   * @throws AlraiException 1525 for a number that is too large or too small
   */
  boolean take() {
    if (cursor.take("PASSWORD", "EXPIRE")) {
      expire();
      return true;
    }
    if (cursor.take("FAILED_LOGIN_ATTEMPTS")) {
      int logins = number("FAILED_LOGIN_ATTEMPTS", 0, MOST_LOGINS);
      found =
          new PasswordOptions(
              found.expired(), found.lifetimeDays(), Optional.of(logins), found.lockDays());
      return true;
    }
    if (cursor.take("PASSWORD_LOCK_TIME")) {
      int days = cursor.take("UNBOUNDED") ? -1 : number("PASSWORD_LOCK_TIME", 0, MOST_LOGINS);
      found =
          new PasswordOptions(
              found.expired(), found.lifetimeDays(), found.failedLogins(), Optional.of(days));
      return true;
    }
    return cursor.take("PASSWORD", "HISTORY", "DEFAULT")
        || cursor.take("PASSWORD", "REUSE", "INTERVAL", "DEFAULT")
        || cursor.take("PASSWORD", "REQUIRE", "CURRENT", "DEFAULT");
  }

  private void expire() {
    Optional<Integer> days = Optional.empty();
    if (cursor.take("NEVER")) {
      days = Optional.of(0);
    } else if (cursor.take("DEFAULT")) {
      days = Optional.of(-1);
    } else if (cursor.take("INTERVAL")) {
      days = Optional.of(number("DAY", 1, MOST_DAYS));
      cursor.expect("DAY");
    }
    found =
        new PasswordOptions(
            days.isEmpty(), days.or(found::lifetimeDays), found.failedLogins(), found.lockDays());
  }

  private int number(String name, int least, int most) {
    if (cursor.atEnd() || cursor.token(cursor.position()).kind() != DdlTokens.Kind.NUMBER) {
      throw cursor.syntaxError();
    }
    String digits = cursor.token(cursor.position()).value();
    boolean fits = digits.matches("[0-9]{1,9}");
    int number = fits ? Integer.parseInt(digits) : 0;
    if (!fits || number < least || number > most) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE, "Incorrect " + name + " value: '" + digits + "'");
    }
    cursor.moveTo(cursor.position() + 1);
    return number;
  }
}
