package io.alrai.optimizer.cost;

/** An order of joins. */
public sealed interface JoinTree {
  /** The relations in it, as bits. */
  int relations();

  /** One relation. */
  record Leaf(int relation) implements JoinTree {
    @Override
    public int relations() {
      return 1 << relation;
    }
  }

  /**
   * A join.
   *
   * @param probe streams through
   * @param build is held in a hash table
   */
  record Pair(JoinTree probe, JoinTree build) implements JoinTree {
    @Override
    public int relations() {
      return probe.relations() | build.relations();
    }
  }
}
