package io.alrai.common.id;

import io.alrai.common.sql.Sql;

/**
 * The name of a mysqld's schema that has rows, for example {@code a17_p00003}; clients do not know
 * these names. It has a type of its own, so that it cannot be mistaken for a client's database or
 * for a text.
 *
 * @param name without quotes; empty for {@link #NONE}
 */
public record PhysicalSchema(String name) {
  /** For a statement that names no table that has rows. */
  public static final PhysicalSchema NONE = new PhysicalSchema("");

  /** Whether it is {@link #NONE}. */
  public boolean isNone() {
    return name.isEmpty();
  }

  /** The name as in texts for a mysqld. */
  public String quoted() {
    return Sql.quote(name);
  }

  /** The name, for people. */
  @Override
  public String toString() {
    return name;
  }
}
