package io.alrai.executor.fragment;

import java.util.List;

/**
 * What a SELECT reads whose reply depends on rows of its only table, on its text and values and on
 * the session's settings, and on nothing else.
 *
 * @param schema the physical schema; empty for that of the place
 * @param table its name there
 * @param columns of the primary key, whole numbers, that are the same in all rows it may depend on:
 *     all columns for a read of a single row, none where it may be any row
 * @param slots the value of each, if it is a whole number too
 */
public record RowDependency(
    String schema, String table, List<String> columns, List<Integer> slots) {
  public RowDependency {
    columns = List.copyOf(columns);
    slots = List.copyOf(slots);
  }
}
