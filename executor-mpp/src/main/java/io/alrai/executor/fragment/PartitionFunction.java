package io.alrai.executor.fragment;

import java.util.List;

/**
 * From key values to a partition group's index.
 *
 * @param method how
 * @param columns in the order of the PARTITION BY clause
 * @param count how many partition groups
 */
public record PartitionFunction(Method method, List<KeyColumn> columns, int count) {
  public PartitionFunction {
    columns = List.copyOf(columns);
  }

  /** How values become an index. */
  public enum Method {
    /** A 64-bit hash of the values that respects their equality, modulo the count. */
    KEY,
    /** One integer column, floor-modulo the count. */
    HASH
  }
}
