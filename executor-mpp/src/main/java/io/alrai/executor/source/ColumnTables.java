package io.alrai.executor.source;

import io.alrai.columnar.scan.ColumnTable;
import java.util.List;

/** The column indexes of one query's tables. Any thread. */
@FunctionalInterface
public interface ColumnTables {
  /**
   * The partitions of a table, all of the same columns.
   *
   * @throws io.alrai.common.error.AlraiException 1235 when there is no index of the table
   */
  List<ColumnTable> partitions(String schema, String table);
}
