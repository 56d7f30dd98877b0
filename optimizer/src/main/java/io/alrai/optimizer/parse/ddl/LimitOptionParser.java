package io.alrai.optimizer.parse.ddl;

import io.alrai.optimizer.api.NewLimits;
import java.math.BigInteger;
import java.util.Optional;

/** WITH of CREATE USER and ALTER USER: how much an account may be used. */
final class LimitOptionParser {
  private static final BigInteger MOST = BigInteger.TWO.pow(64);

  /** A mysqld keeps so many bits of a number. */
  private static final long KEPT = 0xffff_ffffL;

  private final DdlCursor cursor;

  LimitOptionParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  /** What stands at the cursor; nothing where it is not WITH. */
  NewLimits take() {
    NewLimits found = NewLimits.NONE;
    if (!cursor.take("WITH")) {
      return found;
    }
    NewLimits next;
    while ((next = one(found)) != found) {
      found = next;
    }
    if (found.isEmpty()) {
      throw cursor.syntaxError();
    }
    return found;
  }

  private NewLimits one(NewLimits found) {
    if (cursor.take("MAX_QUERIES_PER_HOUR")) {
      return new NewLimits(number(), found.updates(), found.logins(), found.sessions());
    }
    if (cursor.take("MAX_UPDATES_PER_HOUR")) {
      return new NewLimits(found.queries(), number(), found.logins(), found.sessions());
    }
    if (cursor.take("MAX_CONNECTIONS_PER_HOUR")) {
      return new NewLimits(found.queries(), found.updates(), number(), found.sessions());
    }
    if (cursor.take("MAX_USER_CONNECTIONS")) {
      return new NewLimits(found.queries(), found.updates(), found.logins(), number());
    }
    return found;
  }

  private Optional<Long> number() {
    if (cursor.atEnd() || cursor.token(cursor.position()).kind() != DdlTokens.Kind.NUMBER) {
      throw cursor.syntaxError();
    }
    BigInteger number = new BigInteger(cursor.token(cursor.position()).value());
    cursor.moveTo(cursor.position() + 1);
    return Optional.of(number.compareTo(MOST) >= 0 ? KEPT : number.longValue() & KEPT);
  }
}
