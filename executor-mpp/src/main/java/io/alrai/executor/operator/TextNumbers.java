package io.alrai.executor.operator;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Turns numbers with all their digits into the form in which a mysqld writes them in the text
 * protocol: a FLOAT with six digits, floating point with the column's decimals, ZEROFILL with
 * zeros. One thread.
 */
public final class TextNumbers implements RowSource {
  private final RowSource rows;
  private final boolean[] changed;
  private final GrowingBytes payload = new GrowingBytes(256);
  private final Row row;

  private TextNumbers(RowSource rows, boolean[] changed) {
    this.rows = rows;
    this.changed = changed;
    this.row = new Row(changed.length);
  }

  /** The rows in that form; {@code rows} themselves where they have no such numbers. */
  public static RowSource of(RowSource rows) {
    List<ColumnDefinition> columns = rows.columns();
    boolean[] changed = new boolean[columns.size()];
    boolean any = false;
    for (int i = 0; i < changed.length; i++) {
      changed[i] = mayDiffer(columns.get(i));
      any |= changed[i];
    }
    return any ? new TextNumbers(rows, changed) : rows;
  }

  private static boolean mayDiffer(ColumnDefinition column) {
    return column.type() == MysqlType.FLOAT
        || (column.type() == MysqlType.DOUBLE && column.decimals() < DoubleText.NOT_FIXED)
        || isFilled(column);
  }

  private static boolean isFilled(ColumnDefinition column) {
    return (column.flags() & ColumnDefinition.ZEROFILL) != 0;
  }

  @Override
  public List<ColumnDefinition> columns() {
    return rows.columns();
  }

  @Override
  public boolean advance() {
    if (!rows.advance()) {
      return false;
    }
    Row whole = rows.row();
    payload.clear();
    for (int i = 0; i < changed.length; i++) {
      if (changed[i] && !whole.isNull(i)) {
        payload.writeText(text(columns().get(i), whole, i));
      } else {
        int start = whole.columnStart(i);
        payload.write(whole.bytes(), start, whole.columnEnd(i) - start);
      }
    }
    row.set(payload.array(), 0, payload.length());
    return true;
  }

  private static String text(ColumnDefinition column, Row row, int index) {
    String digits =
        switch (column.type()) {
          case FLOAT -> DoubleText.ofFloat((float) number(row, index), column.decimals());
          case DOUBLE -> DoubleText.of(number(row, index), column.decimals());
          default -> new String(row.value(index), StandardCharsets.US_ASCII);
        };
    int missing = isFilled(column) ? (int) column.length() - digits.length() : 0;
    return "0".repeat(Math.max(missing, 0)) + digits;
  }

  private static double number(Row row, int index) {
    return KeyEncoder.floating(row.bytes(), row.valueStart(index), row.valueLength(index));
  }

  @Override
  public Row row() {
    return row;
  }

  @Override
  public void close() {
    rows.close();
  }
}
