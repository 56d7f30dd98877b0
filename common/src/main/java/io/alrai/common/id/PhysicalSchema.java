package io.alrai.common.id;

import io.alrai.common.sql.Sql;

/**
 * The name of a schema of the mysqlds that has rows, for example {@code a17_p00003}; clients know
 * none of them. A type of its own, so that it is taken neither for a client's database nor for a
 * text.
 *
 * @param name without quotes; empty for {@link #NONE}
 */
public record PhysicalSchema(String name) {
  /** Where a statement names no table that has rows. */
  public static final PhysicalSchema NONE = new PhysicalSchema("");

  /** Whether it is {@link #NONE}. */
  public boolean isNone() {
    return name.isEmpty();
  }

  /** As texts for a mysqld have it. */
  public String quoted() {
    return Sql.quote(name);
  }

  /** The name, for people. */
  @Override
  public String toString() {
    return name;
  }
}
