package io.alrai.cn.tx;

/**
 * What is known of a statement that matters to the transaction that it runs in.
 *
 * @param impatient whether it refuses to wait for row locks
 * @param queries whether it changes rows by what it reads of others, which READ COMMITTED does
 *     without locks
 * @param triggers whether it may run triggers that read or change rows of other tables
 * @param untold whether its answer may not say that it has changed rows, or say so although it has
 *     not
 */
public record StatementTraits(
    boolean impatient, boolean queries, boolean triggers, boolean untold) {
  /** The traits of a statement of which nothing is known. */
  static final StatementTraits UNKNOWN = new StatementTraits(false, true, true, true);

  /**
   * The traits of a statement that waits for locks, works by itself, and reports what it changes.
   */
  public static final StatementTraits PLAIN = new StatementTraits(false, false, false, false);

  /** The traits of a statement that does not wait for locks. */
  public static final StatementTraits IMPATIENT = new StatementTraits(true, false, false, false);

  StatementTraits and(StatementTraits other) {
    return new StatementTraits(
        other.impatient,
        queries || other.queries,
        triggers || other.triggers,
        untold || other.untold);
  }
}
