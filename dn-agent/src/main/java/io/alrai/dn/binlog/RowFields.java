package io.alrai.dn.binlog;

import io.alrai.common.changelog.RowImage;
import io.netty.buffer.ByteBuf;
import java.math.BigInteger;
import java.util.Arrays;

/** Reads the fields of rows (MySQL source, libs/mysql/binlog/event/rows_event.h). Immutable. */
final class RowFields {
  private static final int LONG_DECIMAL = 18;
  private static final int WIDE_BYTES = 16;

  private final TextDecoding text;

  RowFields(TextDecoding text) {
    this.text = text;
  }

  /**
   * Reads a row of all columns.
   *
   * @throws BinlogException for a value that cannot be represented, with the column's name
   */
  RowImage read(ByteBuf in, TableMap table) {
    int count = table.columns().size();
    ByteBuf nulls = in.readSlice((count + 7) / 8);
    RowImage row = new RowImage(count);
    for (int i = 0; i < count; i++) {
      if ((nulls.getByte(i / 8) >> i % 8 & 1) == 0) {
        TableMap.Column column = table.columns().get(i);
        try {
          field(in, column, row, i);
        } catch (BinlogException e) {
          throw new BinlogException(table.name() + "." + column.name() + ": " + e.getMessage(), e);
        }
      }
    }
    return row;
  }

  private void field(ByteBuf in, TableMap.Column column, RowImage row, int i) {
    int metadata = column.metadata();
    boolean unsigned = column.unsigned();
    switch (column.type()) {
      case ColumnType.TINY -> row.put(i, unsigned ? in.readUnsignedByte() : in.readByte());
      case ColumnType.SHORT -> row.put(i, unsigned ? in.readUnsignedShortLE() : in.readShortLE());
      case ColumnType.INT24 -> row.put(i, unsigned ? in.readUnsignedMediumLE() : in.readMediumLE());
      case ColumnType.LONG -> row.put(i, unsigned ? in.readUnsignedIntLE() : in.readIntLE());
      case ColumnType.LONGLONG, ColumnType.DOUBLE -> row.put(i, in.readLongLE());
      case ColumnType.FLOAT -> row.put(i, in.readIntLE());
      case ColumnType.YEAR -> {
        int year = in.readUnsignedByte();
        row.put(i, year == 0 ? 0 : 1_900 + year);
      }
      case ColumnType.DATE -> row.put(i, PackedTime.date(in));
      case ColumnType.TIME2 -> row.put(i, PackedTime.time(in, metadata));
      case ColumnType.DATETIME2 -> row.put(i, PackedTime.dateTime(in, metadata));
      case ColumnType.TIMESTAMP2 -> row.put(i, PackedTime.timestamp(in, metadata));
      case ColumnType.NEWDECIMAL -> decimal(in, metadata & 0xff, metadata >> 8, row, i);
      case ColumnType.BIT -> {
        int bytes = (metadata >> 8) + ((metadata & 0xff) > 0 ? 1 : 0);
        row.put(i, bigEndian(in, bytes));
      }
      case ColumnType.ENUM, ColumnType.SET -> row.put(i, littleEndian(in, metadata & 0xff));
      case ColumnType.VARCHAR, ColumnType.VAR_STRING ->
          string(bytes(in, metadata > 255 ? 2 : 1), column, row, i);
      case ColumnType.STRING -> fixedString(in, column, row, i);
      case ColumnType.BLOB -> string(bytes(in, metadata), column, row, i);
      case ColumnType.JSON -> row.put(i, JsonText.of(bytes(in, metadata)));
      case ColumnType.GEOMETRY, ColumnType.VECTOR -> row.put(i, bytes(in, metadata));
      default ->
          throw new BinlogException("columns of type " + column.type() + " are not supported");
    }
  }

  private static void decimal(ByteBuf in, int scale, int precision, RowImage row, int i) {
    BigInteger value = PackedDecimal.read(in, precision, scale);
    if (precision <= LONG_DECIMAL) {
      row.put(i, value.longValueExact());
      return;
    }
    if (value.bitLength() >= 8 * WIDE_BYTES) {
      throw new BinlogException("a decimal of more than 128 bits: " + value);
    }
    byte[] high = value.toByteArray();
    byte[] wide = new byte[WIDE_BYTES];
    Arrays.fill(wide, (byte) (value.signum() < 0 ? -1 : 0));
    for (int k = 0; k < high.length; k++) {
      wide[k] = high[high.length - 1 - k];
    }
    row.put(i, wide);
  }

  /** CHAR comes without its blanks, BINARY without its zeros, which belong to the value. */
  private void fixedString(ByteBuf in, TableMap.Column column, RowImage row, int i) {
    int high = column.metadata() >> 8;
    int most = column.metadata() & 0xff | (high & 0x30 ^ 0x30) << 4;
    byte[] value = bytes(in, most > 255 ? 2 : 1);
    string(
        column.collation() == TextDecoding.BINARY ? Arrays.copyOf(value, most) : value,
        column,
        row,
        i);
  }

  private void string(byte[] value, TableMap.Column column, RowImage row, int i) {
    row.put(
        i,
        column.collation() == TextDecoding.BINARY ? value : text.utf8(value, column.collation()));
  }

  private static byte[] bytes(ByteBuf in, int lengthBytes) {
    byte[] value = new byte[Math.toIntExact(littleEndian(in, lengthBytes))];
    in.readBytes(value);
    return value;
  }

  private static long littleEndian(ByteBuf in, int bytes) {
    long value = 0;
    for (int k = 0; k < bytes; k++) {
      value |= (long) in.readUnsignedByte() << 8 * k;
    }
    return value;
  }

  private static long bigEndian(ByteBuf in, int bytes) {
    long value = 0;
    for (int k = 0; k < bytes; k++) {
      value = value << 8 | in.readUnsignedByte();
    }
    return value;
  }
}
