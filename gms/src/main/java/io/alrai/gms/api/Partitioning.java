package io.alrai.gms.api;

import java.util.List;

/** How a table's rows are placed on the partition groups of its table group. */
public sealed interface Partitioning {
  /** How many partition groups there are; a broadcast table counts as one. */
  int count();

  /** {@code PARTITION BY KEY(columns) PARTITIONS count}: by a hash of the columns' values. */
  record Key(List<String> columns, int count) implements Partitioning {
    public Key {
      columns = List.copyOf(columns);
    }
  }

  /** {@code PARTITION BY HASH(column) PARTITIONS count}: an integer column modulo the count. */
  record Hash(String column, int count) implements Partitioning {}

  /**
   * Rows of a table without a key of its own: each insert goes to any partition group, reads go to
   * all.
   */
  record Spread(int count) implements Partitioning {}

  /** The whole table in one partition group. */
  record Single() implements Partitioning {
    @Override
    public int count() {
      return 1;
    }
  }

  /** A full copy on every DN. */
  record Broadcast() implements Partitioning {
    @Override
    public int count() {
      return 1;
    }
  }
}
