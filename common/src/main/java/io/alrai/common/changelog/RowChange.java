package io.alrai.common.changelog;

/** What a transaction did to one row. */
public sealed interface RowChange {
  /** A new row. */
  record Insert(RowImage after) implements RowChange {}

  /** A row that is another one now; its primary key may have changed, too. */
  record Update(RowImage before, RowImage after) implements RowChange {}

  /** A row that is gone. */
  record Delete(RowImage before) implements RowChange {}
}
