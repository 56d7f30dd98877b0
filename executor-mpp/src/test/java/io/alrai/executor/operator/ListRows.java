package io.alrai.executor.operator;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows from a list, for tests; and results as lists. */
final class ListRows implements RowSource {
  private final List<ColumnDefinition> columns;
  private final List<byte[]> payloads = new ArrayList<>();
  private final Row row;
  private int position = -1;
  private boolean closed;

  ListRows(List<ColumnDefinition> columns) {
    this.columns = columns;
    this.row = new Row(columns.size());
  }

  static ColumnDefinition column(String name, MysqlType type, int decimals, int flags) {
    return ColumnDefinition.expression(name, type, 63, 33, flags, decimals);
  }

  static ColumnDefinition column(String name, MysqlType type) {
    return column(name, type, 0, 0);
  }

  /** Adds a row; null is NULL. Characters stand for bytes. */
  ListRows add(@Nullable String... values) {
    GrowingBytes out = new GrowingBytes(16);
    for (String value : values) {
      if (value == null) {
        out.writeNull();
      } else {
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        out.writeValue(bytes, 0, bytes.length);
      }
    }
    payloads.add(out.copy());
    return this;
  }

  boolean closed() {
    return closed;
  }

  int taken() {
    return position;
  }

  @Override
  public List<ColumnDefinition> columns() {
    return columns;
  }

  @Override
  public boolean advance() {
    if (++position >= payloads.size()) {
      return false;
    }
    byte[] payload = payloads.get(position);
    byte[] shifted = new byte[payload.length + 6];
    System.arraycopy(payload, 0, shifted, 3, payload.length);
    row.set(shifted, 3, 3 + payload.length);
    return true;
  }

  @Override
  public Row row() {
    return row;
  }

  @Override
  public void close() {
    closed = true;
  }

  /** All rows, values joined by commas. */
  static List<String> read(RowSource rows) {
    List<String> all = new ArrayList<>();
    try (rows) {
      while (rows.advance()) {
        all.add(text(rows.row()));
      }
    }
    return all;
  }

  private static String text(Row row) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < row.columns(); i++) {
      values.add(row.isNull(i) ? "NULL" : new String(row.value(i), StandardCharsets.ISO_8859_1));
    }
    return String.join(",", values);
  }
}
