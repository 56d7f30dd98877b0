package io.alrai.cn.columnar;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Table;

/** Which partitions of indexed tables a process keeps. Never waits; thread-safe. */
@FunctionalInterface
public interface Holding {
  /** All of them: nobody shares them with it. */
  Holding ALL = (catalog, table, place) -> true;

  /** Whether it keeps the partition of a table at a place. */
  boolean holds(Catalog catalog, Table table, PartitionGroup place);
}
