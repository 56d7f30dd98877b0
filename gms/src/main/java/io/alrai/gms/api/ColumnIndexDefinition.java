package io.alrai.gms.api;

import java.util.List;

/**
 * A table's column index as it was asked for. It holds all columns of the table, whatever it names.
 *
 * @param name within the table
 * @param columns those in its statement; rows are not kept in their order
 */
public record ColumnIndexDefinition(String name, List<String> columns) {
  /** Copies the list. */
  public ColumnIndexDefinition {
    columns = List.copyOf(columns);
  }
}
