package io.alrai.gms.api;

import io.alrai.gms.api.Privilege.Level;

/**
 * What privileges are granted on.
 *
 * @param schema a pattern with {@code %}, {@code _} and backslash where {@code table} is empty, a
 *     name otherwise; empty for everything
 * @param table empty for all of the schema
 */
public record GrantScope(String schema, String table) {
  /** {@code *.*}. */
  public static final GrantScope GLOBAL = new GrantScope("", "");

  /** {@code schema.*}. */
  public static GrantScope ofSchema(String pattern) {
    return new GrantScope(pattern, "");
  }

  /** Its level. */
  public Level level() {
    if (schema.isEmpty()) {
      return Level.GLOBAL;
    }
    return table.isEmpty() ? Level.SCHEMA : Level.TABLE;
  }
}
