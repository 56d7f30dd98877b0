package io.alrai.executor.vector;

/**
 * The bits of a hash by which rows are cut into parts: bits 32 to 49. Buckets of tables are found
 * by lower ones, a join's small filters by the highest.
 */
public final class HashPlace {
  /** How many bits. */
  public static final int BITS = 18;

  /** The place of the last hashes. */
  public static final int LAST = (1 << BITS) - 1;

  private static final int LOWEST_BIT = 32;

  private HashPlace() {}

  /** From 0 to {@link #LAST}. */
  public static int of(long hash) {
    return (int) (hash >>> LOWEST_BIT) & LAST;
  }
}
