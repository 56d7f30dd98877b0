package io.alrai.executor.vector;

import io.alrai.executor.memory.QueryMemory;
import java.util.Optional;

/**
 * What a worker stores its rows in. Belongs to the worker.
 *
 * @param rows all of them
 * @param groups finds those that are groups
 * @param dictionaryBytes what it may keep of dictionaries that it has left behind
 */
public record LaneRows(RowChunks rows, Optional<GroupTable> groups, long dictionaryBytes) {
  /** Bounded by the query's memory only. */
  public static LaneRows of(RowLayout layout, boolean groups, QueryMemory memory) {
    return groups
        ? of(new GroupTable(layout, memory), Long.MAX_VALUE)
        : new LaneRows(new RowChunks(layout, memory), Optional.empty(), Long.MAX_VALUE);
  }

  /** Groups. */
  public static LaneRows of(GroupTable table, long dictionaryBytes) {
    return new LaneRows(table.rows(), Optional.of(table), dictionaryBytes);
  }

  /** Rows that are no groups. */
  public static LaneRows of(RowChunks rows, long dictionaryBytes) {
    return new LaneRows(rows, Optional.empty(), dictionaryBytes);
  }
}
