package io.alrai.executor.task;

import io.alrai.executor.vector.JoinTable;
import java.util.Optional;

/**
 * A join's build side in a query that spills.
 *
 * @param table all its rows; none where they are on disk
 * @param bytes that the table takes
 * @param sliced what is on disk
 * @param release frees all
 */
record BuiltJoin(JoinTable table, long bytes, Optional<SlicedJoin> sliced, Runnable release) {
  /** The join after its memory has been freed. */
  BuiltJoin released() {
    return new BuiltJoin(table, 0, Optional.empty(), () -> {});
  }
}
