package io.alrai.cn.write;

import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.RowSlots;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.operator.Row;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A text row as the cells of an INSERT: its columns, then DEFAULT for what the planner added, and
 * an id in one of them. A DEFAULT appears as {@link Kind#FLOAT}, which no key takes as exact.
 */
final class BatchRow implements InsertCells {
  private final InsertRows rows;
  private final List<ColumnDefinition> columns;
  private final RowSlots slots;
  private final LiteralText literals;
  private int idCell = -1;
  private long id;

  BatchRow(InsertRows rows, List<ColumnDefinition> columns, Row row, LiteralText literals) {
    this.rows = rows;
    this.literals = literals;
    this.columns = columns;
    this.slots = new RowSlots(columns, row);
  }

  @Override
  public void id(int cell, long made) {
    idCell = cell;
    id = made;
  }

  @Override
  public boolean isDefault(int cell) {
    return cell != idCell && cell >= columns.size();
  }

  @Override
  public int count() {
    return rows.columns().size();
  }

  @Override
  public Kind kind(int cell) {
    if (cell == idCell) {
      return Kind.INTEGER;
    }
    if (cell >= columns.size()) {
      return Kind.FLOAT;
    }
    Kind kind = slots.kind(cell);
    return kind == Kind.TEMPORAL ? Kind.STRING : kind;
  }

  @Override
  public boolean fitsLong(int cell) {
    return cell == idCell || slots.fitsLong(cell);
  }

  @Override
  public long longValue(int cell) {
    return cell == idCell ? id : slots.longValue(cell);
  }

  @Override
  public byte[] bytes(int cell) {
    if (cell == idCell) {
      return Long.toString(id).getBytes(StandardCharsets.US_ASCII);
    }
    return cell < columns.size() ? slots.bytes(cell) : new byte[0];
  }

  @Override
  public void appendRow(ByteArrayOutputStream out) {
    for (int cell = 0; cell < count(); cell++) {
      out.write(cell == 0 ? '(' : ',');
      if (cell == idCell) {
        out.writeBytes(bytes(cell));
      } else if (cell < columns.size()) {
        literals.append(columns.get(cell), slots.row(), cell, out);
      } else {
        out.writeBytes("DEFAULT".getBytes(StandardCharsets.US_ASCII));
      }
    }
    out.write(')');
  }
}
