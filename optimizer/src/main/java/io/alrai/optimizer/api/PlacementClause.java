package io.alrai.optimizer.api;

import java.util.List;

/** The placement clause of CREATE TABLE. */
public sealed interface PlacementClause {
  /** PARTITION BY KEY; empty columns mean the primary key; 0 partitions mean the default. */
  record Key(List<String> columns, int partitions) implements PlacementClause {
    public Key {
      columns = List.copyOf(columns);
    }
  }

  /** PARTITION BY HASH(column). */
  record Hash(String column, int partitions) implements PlacementClause {}

  /** SINGLE. */
  record Single() implements PlacementClause {}

  /** BROADCAST. */
  record Broadcast() implements PlacementClause {}
}
