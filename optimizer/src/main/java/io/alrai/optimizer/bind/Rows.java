package io.alrai.optimizer.bind;

import java.util.List;
import java.util.Set;

/** Where the rows of a query are, seen from the block around it. */
public sealed interface Rows {
  /** Any DN gives all of them. */
  record Everywhere() implements Rows {}

  /** Those that matter for a row of the block around lie beside that row. */
  record Beside() implements Rows {}

  /**
   * Spread over a table group.
   *
   * @param keys for each key column the ordinals (from 0) of the output columns that equal it
   */
  record Parted(String name, long tableGroup, List<Set<Integer>> keys) implements Rows {
    public Parted {
      keys = keys.stream().map(Set::copyOf).toList();
    }
  }

  /** No single shard can give its part. */
  record Scattered() implements Rows {}
}
