package io.alrai.columnar.serve;

import java.util.Optional;

/** The column indexes that can be read from this process. Any thread; never waits. */
@FunctionalInterface
public interface ColumnIndexes {
  /** None: a process that holds no index. */
  ColumnIndexes NONE = (schema, table) -> Optional.empty();

  /**
   * The index of a table.
   *
   * @param schema the logical schema, as written in the catalog
   * @param table the same
   * @return empty when the table has none, or none that this process can read
   */
  Optional<ColumnIndex> find(String schema, String table);
}
