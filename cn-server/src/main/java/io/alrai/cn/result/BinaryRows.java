package io.alrai.cn.result;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Rows of the text protocol in the form of the binary one (MySQL protocol documentation, "Binary
 * Protocol Resultset Row"):
 *
 * <pre>
 * 0x00 | NULL bitmap, (columns + 9) / 8 bytes, first column at bit 2 | values that are not NULL
 * </pre>
 */
public final class BinaryRows {
  private BinaryRows() {}

  /** The binary row for a text row of these columns. */
  public static byte[] encode(List<ColumnDefinition> columns, byte[] textRow) {
    ByteBuf in = Unpooled.wrappedBuffer(textRow);
    ByteBuf out = Unpooled.buffer(textRow.length + 16);
    int bitmap = 1;
    out.writeByte(0).writeZero((columns.size() + 9) / 8);
    for (int i = 0; i < columns.size(); i++) {
      int at = in.readerIndex();
      if (in.getUnsignedByte(at) == 0xfb) {
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
      case DATE, DATETIME, TIMESTAMP, NEWDATE -> date(ascii(text), out);
      case TIME -> time(ascii(text), out);
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

  /** {@code YYYY-MM-DD[ hh:mm:ss[.ffffff]]}; 0, 4, 7 or 11 bytes behind the length. */
  private static void date(String text, ByteBuf out) {
    int year = Integer.parseInt(text, 0, 4, 10);
    int month = Integer.parseInt(text, 5, 7, 10);
    int day = Integer.parseInt(text, 8, 10, 10);
    int hour = 0;
    int minute = 0;
    int second = 0;
    int micros = 0;
    if (text.length() > 10) {
      hour = Integer.parseInt(text, 11, 13, 10);
      minute = Integer.parseInt(text, 14, 16, 10);
      second = Integer.parseInt(text, 17, 19, 10);
      micros = micros(text, 19);
    }
    int length =
        micros != 0 ? 11 : hour + minute + second != 0 ? 7 : year + month + day != 0 ? 4 : 0;
    out.writeByte(length);
    if (length > 0) {
      out.writeShortLE(year).writeByte(month).writeByte(day);
    }
    if (length > 4) {
      out.writeByte(hour).writeByte(minute).writeByte(second);
    }
    if (length > 7) {
      out.writeIntLE(micros);
    }
  }

  /** {@code [-]hhh:mm:ss[.ffffff]}; 0, 8 or 12 bytes behind the length. */
  private static void time(String text, ByteBuf out) {
    boolean negative = text.startsWith("-");
    String plain = negative ? text.substring(1) : text;
    int colon = plain.indexOf(':');
    int hours = Integer.parseInt(plain.substring(0, colon));
    int minute = Integer.parseInt(plain, colon + 1, colon + 3, 10);
    int second = Integer.parseInt(plain, colon + 4, colon + 6, 10);
    int micros = micros(plain, colon + 6);
    int length = micros != 0 ? 12 : hours + minute + second != 0 ? 8 : 0;
    out.writeByte(length);
    if (length > 0) {
      out.writeByte(negative ? 1 : 0).writeIntLE(hours / 24).writeByte(hours % 24);
      out.writeByte(minute).writeByte(second);
    }
    if (length > 8) {
      out.writeIntLE(micros);
    }
  }

  private static int micros(String text, int point) {
    if (text.length() <= point + 1) {
      return 0;
    }
    String digits = text.substring(point + 1);
    return Integer.parseInt((digits + "000000").substring(0, 6));
  }
}
