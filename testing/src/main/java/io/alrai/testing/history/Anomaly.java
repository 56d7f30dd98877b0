package io.alrai.testing.history;

/**
 * A proof that a history breaks its promise.
 *
 * @param explanation the transactions, by their index in the history, and what joins them
 */
public record Anomaly(Kind kind, String explanation) {
  /** The kinds, named as in Adya's thesis where it has a name. */
  public enum Kind {
    /** A cycle of overwrites. */
    G0,
    /** Something was read that was rolled back. */
    G1A,
    /** Something was read that its writer overwrote itself. */
    G1B,
    /** A cycle of overwrites and reads. */
    G1C,
    /** A cycle with one anti-dependency: a reader saw one half of a transaction. */
    G_SINGLE,
    /** Two readers contradict each other about the order of two transactions. */
    LONG_FORK,
    /** Two transactions read the same version, and both replaced it. */
    LOST_UPDATE,
    /** A cycle with adjacent anti-dependencies: write skew. */
    G2,
    /** A value was read that nobody wrote. */
    GARBAGE_READ,
    /** A list has a value twice. */
    DUPLICATE,
    /**
     * Two reads of a list, none the beginning of the other; or a cycle of a register's versions.
     */
    INCOMPATIBLE_ORDER,
    /** A transaction contradicts itself: it does not see its own write, or a read again differs. */
    INTERNAL,
    /** The balances of one snapshot do not add up. */
    TORN_TOTAL
  }

  @Override
  public String toString() {
    return kind + ": " + explanation;
  }
}
