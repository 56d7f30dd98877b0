package io.alrai.cn.rows;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.alrai.executor.operator.DoubleText;
import io.alrai.executor.operator.TextNumbers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Rows of the text protocol in the form of the binary one (MySQL protocol documentation, "Binary
 * Protocol Resultset Row"):
 *
 * <pre>
 * 0x00 | NULL bitmap, (columns + 9) / 8 bytes, first column at bit 2 | values that are not NULL
 * </pre>
 */
public final class BinaryRows {
  private static final int NULL_TEXT = 0xfb;
  private static final Set<MysqlType> OTHER_IN_TEXT =
      EnumSet.of(
          MysqlType.TINYINT,
          MysqlType.SMALLINT,
          MysqlType.YEAR,
          MysqlType.INT,
          MysqlType.MEDIUMINT,
          MysqlType.BIGINT,
          MysqlType.FLOAT,
          MysqlType.DOUBLE,
          MysqlType.DATE,
          MysqlType.DATETIME,
          MysqlType.TIMESTAMP,
          MysqlType.NEWDATE,
          MysqlType.TIME);

  private BinaryRows() {}

  /** The binary row for a text row of these columns. */
  public static byte[] encode(List<ColumnDefinition> columns, byte[] textRow) {
    if (areSameInBoth(columns) && !hasNull(columns.size(), textRow)) {
      int head = head(columns.size());
      byte[] row = new byte[head + textRow.length];
      System.arraycopy(textRow, 0, row, head, textRow.length);
      return row;
    }
    ByteBuf in = Unpooled.wrappedBuffer(textRow);
    ByteBuf out = Unpooled.buffer(textRow.length + 16);
    int bitmap = 1;
    out.writeZero(head(columns.size()));
    for (int i = 0; i < columns.size(); i++) {
      int at = in.readerIndex();
      if (in.getUnsignedByte(at) == NULL_TEXT) {
        in.skipBytes(1);
        int bit = i + 2;
        out.setByte(bitmap + bit / 8, out.getByte(bitmap + bit / 8) | 1 << (bit % 8));
        continue;
      }
      value(columns.get(i), Lenenc.readBytes(in), out);
    }
    byte[] row = new byte[out.readableBytes()];
    out.readBytes(row);
    return row;
  }

  /**
   * The text row for a binary row of these columns. Numbers have all their digits, also where a
   * mysqld's text would have fewer, or zeros in front: {@link TextNumbers}.
   */
  public static byte[] decode(List<ColumnDefinition> columns, byte[] binaryRow) {
    int head = head(columns.size());
    if (areSameInBoth(columns) && isZero(binaryRow, head)) {
      return Arrays.copyOfRange(binaryRow, head, binaryRow.length);
    }
    ByteBuf in = Unpooled.wrappedBuffer(binaryRow);
    in.skipBytes(head);
    ByteBuf out = Unpooled.buffer(binaryRow.length + 8 * columns.size());
    for (int i = 0; i < columns.size(); i++) {
      int bit = i + 2;
      if ((binaryRow[1 + bit / 8] >> (bit % 8) & 1) != 0) {
        out.writeByte(NULL_TEXT);
      } else {
        text(columns.get(i), in, out);
      }
    }
    byte[] row = new byte[out.readableBytes()];
    out.readBytes(row);
    return row;
  }

  /** The bytes before the values. */
  private static int head(int columns) {
    return 1 + (columns + 9) / 8;
  }

  private static boolean isZero(byte[] row, int length) {
    for (int i = 0; i < length; i++) {
      if (row[i] != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether values other than NULL have the same bytes in both forms. */
  private static boolean areSameInBoth(List<ColumnDefinition> columns) {
    for (int i = 0; i < columns.size(); i++) {
      if (OTHER_IN_TEXT.contains(columns.get(i).type())) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasNull(int columns, byte[] textRow) {
    int at = 0;
    for (int i = 0; i < columns; i++) {
      int first = textRow[at] & 0xff;
      if (first == NULL_TEXT) {
        return true;
      }
      int width = Lenenc.width(first);
      long length = width == 1 ? first : 0;
      for (int k = width - 1; k > 0; k--) {
        length = length << 8 | textRow[at + k] & 0xff;
      }
      at += width + (int) length;
    }
    return false;
  }

  private static void text(ColumnDefinition column, ByteBuf in, ByteBuf out) {
    boolean unsigned = column.isUnsigned();
    switch (column.type()) {
      case TINYINT -> whole(unsigned ? in.readUnsignedByte() : in.readByte(), column, out);
      case SMALLINT, YEAR ->
          whole(unsigned ? in.readUnsignedShortLE() : in.readShortLE(), column, out);
      case INT, MEDIUMINT -> whole(unsigned ? in.readUnsignedIntLE() : in.readIntLE(), column, out);
      case BIGINT -> whole(in.readLongLE(), column, out);
      case FLOAT -> ascii(DoubleText.of(in.readFloatLE(), DoubleText.NOT_FIXED), out);
      case DOUBLE -> ascii(DoubleText.of(in.readDoubleLE(), DoubleText.NOT_FIXED), out);
      case DATE, DATETIME, TIMESTAMP, NEWDATE -> ascii(BinaryTimes.date(in, column), out);
      case TIME -> ascii(BinaryTimes.time(in, column), out);
      case DECIMAL_OLD,
          DECIMAL,
          NULL,
          VARCHAR_OLD,
          BIT,
          VECTOR,
          JSON,
          ENUM,
          SET,
          TINYBLOB,
          MEDIUMBLOB,
          LONGBLOB,
          BLOB,
          VARCHAR,
          CHAR,
          GEOMETRY ->
          Lenenc.writeBytes(out, Lenenc.readBytes(in));
    }
  }

  private static void whole(long value, ColumnDefinition column, ByteBuf out) {
    ascii(
        column.type() == MysqlType.YEAR && value == 0
            ? "0000"
            : column.isUnsigned() ? Long.toUnsignedString(value) : Long.toString(value),
        out);
  }

  private static void ascii(String text, ByteBuf out) {
    Lenenc.writeBytes(out, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static void value(ColumnDefinition column, byte[] text, ByteBuf out) {
    MysqlType type = column.type();
    switch (type) {
      case TINYINT -> out.writeByte((int) number(text));
      case SMALLINT, YEAR -> out.writeShortLE((int) number(text));
      case INT, MEDIUMINT -> out.writeIntLE((int) number(text));
      case BIGINT ->
          out.writeLongLE(
              column.isUnsigned()
                  ? Long.parseUnsignedLong(ascii(text))
                  : Long.parseLong(ascii(text)));
      case FLOAT -> out.writeIntLE(Float.floatToIntBits(Float.parseFloat(ascii(text))));
      case DOUBLE -> out.writeLongLE(Double.doubleToLongBits(Double.parseDouble(ascii(text))));
      case DATE, DATETIME, TIMESTAMP, NEWDATE -> BinaryTimes.date(ascii(text), out);
      case TIME -> BinaryTimes.time(ascii(text), out);
      case DECIMAL_OLD,
          DECIMAL,
          NULL,
          VARCHAR_OLD,
          BIT,
          VECTOR,
          JSON,
          ENUM,
          SET,
          TINYBLOB,
          MEDIUMBLOB,
          LONGBLOB,
          BLOB,
          VARCHAR,
          CHAR,
          GEOMETRY ->
          Lenenc.writeBytes(out, text);
    }
  }

  private static long number(byte[] text) {
    return Long.parseLong(ascii(text));
  }

  private static String ascii(byte[] text) {
    return new String(text, StandardCharsets.US_ASCII);
  }
}
