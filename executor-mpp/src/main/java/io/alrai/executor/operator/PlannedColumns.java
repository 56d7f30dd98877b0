package io.alrai.executor.operator;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ColumnDefinition;
import java.util.List;

/**
 * A shard's rows with as many columns as were planned with; a statement that meets an ALTER TABLE
 * may get others for its {@code *}, and fails with what a mysqld says when a table has changed
 * behind a view.
 */
final class PlannedColumns implements RowSource {
  private final RowSource rows;
  private final int planned;
  private boolean seen;

  PlannedColumns(RowSource rows, int planned) {
    this.rows = rows;
    this.planned = planned;
  }

  @Override
  public List<ColumnDefinition> columns() {
    List<ColumnDefinition> columns = rows.columns();
    if (columns.size() != planned) {
      throw new AlraiException(
          ErrorCode.ER_TABLE_DEF_CHANGED, "Table definition has changed, please retry transaction");
    }
    seen = true;
    return columns;
  }

  @Override
  public boolean advance() {
    if (!seen) {
      columns();
    }
    return rows.advance();
  }

  @Override
  public Row row() {
    return rows.row();
  }

  @Override
  public void close() {
    rows.close();
  }
}
