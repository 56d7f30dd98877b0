package io.alrai.cn.columnar;

import io.alrai.cn.ddl.ColumnIndexBuilds;
import io.alrai.columnar.serve.ColumnIndexes;

/**
 * What a CN's process has of column indexes.
 *
 * @param indexes those that it can read
 * @param builds who builds them
 * @param statements SHOW and CHECK
 */
public record ColumnarRoom(
    ColumnIndexes indexes, ColumnIndexBuilds builds, ColumnarStatements statements) {
  /** A process beside which nobody keeps column indexes. */
  public static ColumnarRoom none() {
    return new ColumnarRoom(
        ColumnIndexes.NONE, ColumnIndexBuilds.NOBODY, ColumnarStatements.withoutIndexes());
  }

  /** That of a process that keeps them. */
  public static ColumnarRoom of(ColumnarService service) {
    return new ColumnarRoom(service, service, new ColumnarStatements(service));
  }
}
