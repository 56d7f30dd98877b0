package io.alrai.common.changelog;

/** What a transaction did to one row. */
public sealed interface RowChange {
  /** A new row. */
  record Insert(RowImage after) implements RowChange {}

  /** A changed row; its primary key may have changed too. */
  record Update(RowImage before, RowImage after) implements RowChange {}

  /** A deleted row. */
  record Delete(RowImage before) implements RowChange {}
}
