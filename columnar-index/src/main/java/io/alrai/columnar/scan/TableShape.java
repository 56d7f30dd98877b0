package io.alrai.columnar.scan;

import java.util.List;

/**
 * The columns of a table.
 *
 * @param columns in the order of their ordinals
 * @param primaryKey ordinals of the columns that name a row; none of rows that nobody changes
 */
public record TableShape(List<ColumnShape> columns, List<Integer> primaryKey) {
  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException when the key has columns that do not exist
   */
  public TableShape {
    columns = List.copyOf(columns);
    primaryKey = List.copyOf(primaryKey);
    for (int ordinal : primaryKey) {
      if (ordinal < 0 || ordinal >= columns.size()) {
        throw new IllegalArgumentException("no column " + ordinal + " in " + columns.size());
      }
    }
  }

  /**
   * The ordinal of a column.
   *
   * @throws IllegalArgumentException when there is none of that name
   */
  public int ordinal(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equalsIgnoreCase(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no column " + name);
  }
}
