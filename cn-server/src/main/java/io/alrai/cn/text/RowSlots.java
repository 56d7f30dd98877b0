package io.alrai.cn.text;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.operator.Row;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The columns of a text row as slots. Valid as long as the row's view. */
public record RowSlots(List<ColumnDefinition> columns, Row row) implements SlotValues {
  private static final int SAFE_DIGITS = 18;

  @Override
  public int count() {
    return columns.size();
  }

  @Override
  public Kind kind(int slot) {
    if (row.isNull(slot)) {
      return Kind.NULL;
    }
    ColumnDefinition column = columns.get(slot);
    return switch (column.type()) {
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, YEAR -> Kind.INTEGER;
      case DECIMAL, DECIMAL_OLD -> Kind.DECIMAL;
      case FLOAT, DOUBLE -> Kind.FLOAT;
      case DATE, DATETIME, TIMESTAMP, NEWDATE, TIME -> Kind.TEMPORAL;
      case NULL -> Kind.NULL;
      case BIT, GEOMETRY, VECTOR -> Kind.BINARY;
      case VARCHAR, CHAR, VARCHAR_OLD, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB ->
          column.charsetId() == ColumnDefinition.BINARY_CHARSET ? Kind.BINARY : Kind.STRING;
      case JSON, ENUM, SET -> Kind.STRING;
    };
  }

  @Override
  public boolean fitsLong(int slot) {
    if (row.valueLength(slot) <= SAFE_DIGITS) {
      return true;
    }
    try {
      Long.parseLong(text(slot));
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  @Override
  public long longValue(int slot) {
    return Long.parseLong(text(slot));
  }

  private String text(int slot) {
    return new String(bytes(slot), StandardCharsets.US_ASCII);
  }

  @Override
  public byte[] bytes(int slot) {
    return row.value(slot);
  }

  @Override
  public void appendSql(int slot, ByteArrayOutputStream out) {
    new LiteralText(false, false).append(columns.get(slot), row, slot, out);
  }
}
