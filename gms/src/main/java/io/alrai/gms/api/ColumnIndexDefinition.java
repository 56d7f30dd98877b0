package io.alrai.gms.api;

import java.util.List;

/**
 * A table's column index as it was asked for. It holds all columns of the table, whatever it names.
 *
 * @param name within the table
 * @param columns those in its statement; rows are not kept in their order
 * @param job the DDL job that made it, so that one which is dropped and made again is another; 0
 *     for those from before this was noted
 */
public record ColumnIndexDefinition(String name, List<String> columns, long job) {
  public ColumnIndexDefinition {
    columns = List.copyOf(columns);
  }
}
