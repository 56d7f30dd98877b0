package io.alrai.gms.api;

import io.alrai.gms.api.Privilege.Level;

/**
 * What privileges are granted on.
 *
 * @param schema a pattern with {@code %}, {@code _} and backslash at the level of schemas, a name
 *     below it; empty for everything
 * @param name of the table, procedure or function, which is in lower case; empty above these
 */
public record GrantScope(Level level, String schema, String name) {
  /** {@code *.*}. */
  public static final GrantScope GLOBAL = new GrantScope(Level.GLOBAL, "", "");

  /** {@code schema.*}. */
  public static GrantScope ofSchema(String pattern) {
    return new GrantScope(Level.SCHEMA, pattern, "");
  }

  /** A table or view. */
  public static GrantScope ofTable(String schema, String table) {
    return new GrantScope(Level.TABLE, schema, table);
  }

  /** A procedure or function, in whatever case it is named. */
  public static GrantScope ofRoutine(RoutineKind kind, String schema, String routine) {
    return new GrantScope(kind.level(), schema, Procedure.key(routine));
  }
}
