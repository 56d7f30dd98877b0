package io.alrai.dn.binlog;

import io.alrai.common.changelog.RowImage;
import io.netty.buffer.ByteBuf;
import java.math.BigInteger;
import java.util.Arrays;

/** Reads the fields of rows (MySQL source, libs/mysql/binlog/event/rows_event.h). Immutable. */
final class RowFields {
  private static final int LONG_DECIMAL = 18;
  private static final int WIDE_BYTES = 16;
  private static final int MEDIUM = 3;

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
    switch (column.type()) {
      case ColumnType.TINY,
          ColumnType.SHORT,
          ColumnType.INT24,
          ColumnType.LONG,
          ColumnType.LONGLONG ->
          row.put(i, integer(in, column));
      case ColumnType.DOUBLE -> row.put(i, in.readLongLE());
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
        row.put(i, bigEndian(in, bitBytes(metadata)));
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

  /**
   * Skips a field that is not NULL.
   *
   * @throws BinlogException for a type that the log has not had so far
   */
  static void skip(ByteBuf in, TableMap.Column column) {
    int metadata = column.metadata();
    in.skipBytes(
        switch (column.type()) {
          case ColumnType.TINY, ColumnType.YEAR -> 1;
          case ColumnType.SHORT -> Short.BYTES;
          case ColumnType.INT24, ColumnType.DATE -> MEDIUM;
          case ColumnType.LONG, ColumnType.FLOAT -> Integer.BYTES;
          case ColumnType.LONGLONG, ColumnType.DOUBLE -> Long.BYTES;
          case ColumnType.TIME2 -> PackedTime.TIME_BYTES + PackedTime.fractionBytes(metadata);
          case ColumnType.DATETIME2 ->
              PackedTime.DATE_TIME_BYTES + PackedTime.fractionBytes(metadata);
          case ColumnType.TIMESTAMP2 -> Integer.BYTES + PackedTime.fractionBytes(metadata);
          case ColumnType.NEWDECIMAL -> PackedDecimal.length(metadata >> 8, metadata & 0xff);
          case ColumnType.BIT -> bitBytes(metadata);
          case ColumnType.ENUM, ColumnType.SET -> metadata & 0xff;
          case ColumnType.VARCHAR, ColumnType.VAR_STRING -> length(in, metadata > 255 ? 2 : 1);
          case ColumnType.STRING -> length(in, mostBytes(column) > 255 ? 2 : 1);
          case ColumnType.BLOB, ColumnType.JSON, ColumnType.GEOMETRY, ColumnType.VECTOR ->
              length(in, metadata);
          default ->
              throw new BinlogException("columns of type " + column.type() + " are not supported");
        });
  }

  private static int length(ByteBuf in, int lengthBytes) {
    return Math.toIntExact(littleEndian(in, lengthBytes));
  }

  /** A whole number that is not NULL; of an unsigned one of 64 bits these. */
  static long integer(ByteBuf in, TableMap.Column column) {
    boolean unsigned = column.unsigned();
    return switch (column.type()) {
      case ColumnType.TINY -> unsigned ? in.readUnsignedByte() : in.readByte();
      case ColumnType.SHORT -> unsigned ? in.readUnsignedShortLE() : in.readShortLE();
      case ColumnType.INT24 -> unsigned ? in.readUnsignedMediumLE() : in.readMediumLE();
      case ColumnType.LONG -> unsigned ? in.readUnsignedIntLE() : in.readIntLE();
      case ColumnType.LONGLONG -> in.readLongLE();
      default -> throw new BinlogException("type " + column.type() + " is no whole number");
    };
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
    int most = mostBytes(column);
    byte[] value = bytes(in, most > 255 ? 2 : 1);
    string(
        column.collation() == TextDecoding.BINARY ? Arrays.copyOf(value, most) : value,
        column,
        row,
        i);
  }

  private static int bitBytes(int metadata) {
    return (metadata >> 8) + ((metadata & 0xff) > 0 ? 1 : 0);
  }

  private static int mostBytes(TableMap.Column column) {
    int high = column.metadata() >> 8;
    return column.metadata() & 0xff | (high & 0x30 ^ 0x30) << 4;
  }

  private void string(byte[] value, TableMap.Column column, RowImage row, int i) {
    row.put(
        i,
        column.collation() == TextDecoding.BINARY ? value : text.utf8(value, column.collation()));
  }

  private static byte[] bytes(ByteBuf in, int lengthBytes) {
    byte[] value = new byte[length(in, lengthBytes)];
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
