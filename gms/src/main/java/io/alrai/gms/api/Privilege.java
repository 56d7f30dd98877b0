package io.alrai.gms.api;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * MySQL's static privileges in the order in which its errors and SHOW GRANTS list them (MySQL
 * Reference Manual, "Privileges Provided by MySQL"). A set of them is kept as bits where statements
 * are checked.
 */
public enum Privilege {
  SELECT(Level.TABLE),
  INSERT(Level.TABLE),
  UPDATE(Level.TABLE),
  DELETE(Level.TABLE),
  CREATE(Level.TABLE),
  DROP(Level.TABLE),
  RELOAD(Level.GLOBAL),
  SHUTDOWN(Level.GLOBAL),
  PROCESS(Level.GLOBAL),
  FILE(Level.GLOBAL),
  /** GRANT OPTION. */
  GRANT(Level.TABLE),
  REFERENCES(Level.TABLE),
  INDEX(Level.TABLE),
  ALTER(Level.TABLE),
  SHOW_DATABASES(Level.GLOBAL),
  SUPER(Level.GLOBAL),
  CREATE_TEMPORARY_TABLES(Level.SCHEMA),
  LOCK_TABLES(Level.SCHEMA),
  EXECUTE(Level.SCHEMA),
  REPLICATION_SLAVE(Level.GLOBAL),
  REPLICATION_CLIENT(Level.GLOBAL),
  CREATE_VIEW(Level.TABLE),
  SHOW_VIEW(Level.TABLE),
  CREATE_ROUTINE(Level.SCHEMA),
  ALTER_ROUTINE(Level.SCHEMA),
  CREATE_USER(Level.GLOBAL),
  EVENT(Level.SCHEMA),
  TRIGGER(Level.TABLE),
  CREATE_TABLESPACE(Level.GLOBAL),
  CREATE_ROLE(Level.GLOBAL),
  DROP_ROLE(Level.GLOBAL);

  /** The bits of the privileges that columns can have. */
  public static final long OF_COLUMNS = bits(SELECT, INSERT, UPDATE, REFERENCES);

  /** The bits of the privileges that single procedures and functions can have. */
  public static final long OF_ROUTINES = bits(GRANT, EXECUTE, ALTER_ROUTINE);

  /** What a privilege can be granted on. */
  public enum Level {
    GLOBAL,
    SCHEMA,
    TABLE,
    PROCEDURE,
    FUNCTION;

    /** Whether it is the level of single procedures or functions. */
    public boolean ofRoutines() {
      return this == PROCEDURE || this == FUNCTION;
    }
  }

  /** The narrowest of GLOBAL, SCHEMA and TABLE at which it can be granted. */
  private final Level narrowest;

  Privilege(Level narrowest) {
    this.narrowest = narrowest;
  }

  /** Whether it can be granted at a level. */
  public boolean existsAt(Level level) {
    return level.ofRoutines() ? (OF_ROUTINES & bit()) != 0 : level.compareTo(narrowest) <= 0;
  }

  /** As in errors and statements: {@code CREATE VIEW}. */
  public String sql() {
    return name().replace('_', ' ');
  }

  /** The one of that name in any case, words separated by one blank. */
  public static Optional<Privilege> named(String words) {
    String upper = words.toUpperCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(privilege -> privilege != GRANT && privilege.sql().equals(upper))
        .findFirst();
  }

  /** Its bit in sets. */
  public long bit() {
    return 1L << ordinal();
  }

  /** The bits of some. */
  public static long bits(Collection<Privilege> privileges) {
    return privileges.stream().mapToLong(Privilege::bit).reduce(0, (a, b) -> a | b);
  }

  /** The bits of some. */
  public static long bits(Privilege... privileges) {
    return bits(Arrays.asList(privileges));
  }

  /** The privileges whose bits are set, in order. */
  public static Set<Privilege> of(long bits) {
    return ordered(
        Arrays.stream(values()).filter(privilege -> (bits & privilege.bit()) != 0).toList());
  }

  /** All that can be granted at a level, with GRANT OPTION. */
  public static Set<Privilege> allAt(Level level) {
    return ordered(Arrays.stream(values()).filter(privilege -> privilege.existsAt(level)).toList());
  }

  /** As MySQL lists the missing ones: {@code INSERT, CREATE}. */
  public static String list(long bits) {
    return of(bits).stream().map(Privilege::sql).collect(Collectors.joining(", "));
  }

  /** MySQL's error for what cannot be granted there: 1144. */
  public static AlraiException illegal() {
    return new AlraiException(
        ErrorCode.ER_ILLEGAL_GRANT_FOR_TABLE,
        "Illegal GRANT/REVOKE command; please consult the manual to see which privileges can be"
            + " used");
  }

  /** An immutable set that is walked through in this order. */
  static Set<Privilege> ordered(Collection<Privilege> privileges) {
    EnumSet<Privilege> set = EnumSet.noneOf(Privilege.class);
    set.addAll(privileges);
    return Collections.unmodifiableSet(set);
  }
}
