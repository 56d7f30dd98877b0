package io.alrai.cn.text;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.operator.Row;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A statement's slots, and after them columns of a row that the statement reads.
 *
 * @param statement the slots
 * @param count how many they are
 * @param columns of the row
 * @param first of its columns that counts
 * @param literals writes values
 */
public record SlotsBeside(
    SlotValues statement,
    int count,
    List<ColumnDefinition> columns,
    Row row,
    int first,
    LiteralText literals)
    implements SlotValues {
  @Override
  public Kind kind(int slot) {
    return slot < count ? statement.kind(slot) : slots().kind(column(slot));
  }

  @Override
  public boolean fitsLong(int slot) {
    return slot < count ? statement.fitsLong(slot) : slots().fitsLong(column(slot));
  }

  @Override
  public long longValue(int slot) {
    return slot < count ? statement.longValue(slot) : slots().longValue(column(slot));
  }

  @Override
  public byte[] bytes(int slot) {
    return slot < count ? statement.bytes(slot) : slots().bytes(column(slot));
  }

  private int column(int slot) {
    return first + slot - count;
  }

  private RowSlots slots() {
    return new RowSlots(columns, row);
  }

  @Override
  public void appendSql(int slot, ByteArrayOutputStream out) {
    if (slot < count) {
      statement.appendSql(slot, out);
      return;
    }
    int column = column(slot);
    if (!row.isNull(column)) {
      out.writeBytes(type(columns.get(column), row, column));
    }
    literals.append(columns.get(column), row, column, out);
  }

  /**
   * The introducer of a literal in an expression: a date is not its text, and bytes in hexadecimal
   * alone would be a number.
   */
  private static byte[] type(ColumnDefinition column, Row row, int index) {
    String type =
        switch (column.type()) {
          case DATE -> hasZeros(row, index) ? "" : "DATE";
          case DATETIME, TIMESTAMP -> hasZeros(row, index) ? "" : "TIMESTAMP";
          case TIME -> "TIME";
          case VARCHAR, CHAR, VARCHAR_OLD, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB ->
              column.charsetId() == ColumnDefinition.BINARY_CHARSET ? "_binary " : "";
          default -> "";
        };
    return type.getBytes(StandardCharsets.US_ASCII);
  }

  /** No literal has such a date. */
  private static boolean hasZeros(Row row, int index) {
    String text = new String(row.value(index), StandardCharsets.ISO_8859_1);
    return text.startsWith("0000-") || text.contains("-00");
  }
}
