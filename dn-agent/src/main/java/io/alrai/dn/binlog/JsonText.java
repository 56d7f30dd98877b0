package io.alrai.dn.binlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alrai.common.type.JsonString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.math.BigDecimal;
import java.util.Base64;

/**
 * Binary JSON (MySQL source, sql-common/json_binary.h) as the text that MySQL prints. A container:
 *
 * <pre>
 *  count | bytes | { key offset | key length 2 } of objects | { type 1 | value or offset } | ...
 * </pre>
 *
 * with numbers of 2 bytes, in large ones of 4. Offsets count from the container's first byte.
 */
final class JsonText {
  private static final int SMALL_OBJECT = 0;
  private static final int LARGE_OBJECT = 1;
  private static final int SMALL_ARRAY = 2;
  private static final int LARGE_ARRAY = 3;
  private static final int LITERAL = 4;
  private static final int INT16 = 5;
  private static final int UINT16 = 6;
  private static final int INT32 = 7;
  private static final int UINT32 = 8;
  private static final int INT64 = 9;
  private static final int UINT64 = 10;
  private static final int DOUBLE = 11;
  private static final int STRING = 12;
  private static final int OPAQUE = 15;

  private final ByteBuf in;
  private final StringBuilder out = new StringBuilder();

  private JsonText(ByteBuf in) {
    this.in = in;
  }

  /** The document as UTF-8. */
  static byte[] of(byte[] document) {
    if (document.length == 0) {
      return "null".getBytes(UTF_8);
    }
    JsonText text = new JsonText(Unpooled.wrappedBuffer(document));
    text.value(document[0], 1);
    return text.out.toString().getBytes(UTF_8);
  }

  private void value(int type, int at) {
    switch (type) {
      case SMALL_OBJECT, LARGE_OBJECT -> container(at, type == LARGE_OBJECT, true);
      case SMALL_ARRAY, LARGE_ARRAY -> container(at, type == LARGE_ARRAY, false);
      case LITERAL -> literal(in.getByte(at));
      case INT16 -> out.append(in.getShortLE(at));
      case UINT16 -> out.append(in.getUnsignedShortLE(at));
      case INT32 -> out.append(in.getIntLE(at));
      case UINT32 -> out.append(in.getUnsignedIntLE(at));
      case INT64 -> out.append(in.getLongLE(at));
      case UINT64 -> out.append(Long.toUnsignedString(in.getLongLE(at)));
      case DOUBLE -> out.append(number(Double.longBitsToDouble(in.getLongLE(at))));
      case STRING -> {
        ByteBuf from = in.duplicate().readerIndex(at);
        int length = length(from);
        JsonString.append(out, from.toString(from.readerIndex(), length, UTF_8));
      }
      case OPAQUE -> opaque(at);
      default -> throw new BinlogException("JSON of type " + type);
    }
  }

  private int number(int at, boolean large) {
    return large ? Math.toIntExact(in.getUnsignedIntLE(at)) : in.getUnsignedShortLE(at);
  }

  private void container(int start, boolean large, boolean object) {
    int width = large ? 4 : 2;
    int count = number(start, large);
    int keys = start + 2 * width;
    int values = keys + (object ? count * (width + 2) : 0);
    out.append(object ? '{' : '[');
    for (int i = 0; i < count; i++) {
      out.append(i == 0 ? "" : ", ");
      if (object) {
        int key = keys + i * (width + 2);
        int length = in.getUnsignedShortLE(key + width);
        JsonString.append(out, in.toString(start + number(key, large), length, UTF_8));
        out.append(": ");
      }
      int entry = values + i * (1 + width);
      int type = in.getByte(entry);
      boolean inside =
          type == LITERAL
              || type == INT16
              || type == UINT16
              || large && (type == INT32 || type == UINT32);
      value(type, inside ? entry + 1 : start + number(entry + 1, large));
    }
    out.append(object ? '}' : ']');
  }

  private void literal(int which) {
    out.append(
        switch (which) {
          case 0 -> "null";
          case 1 -> "true";
          case 2 -> "false";
          default -> throw new BinlogException("a JSON literal " + which);
        });
  }

  /** Seven bits in each byte, lowest first. */
  private static int length(ByteBuf from) {
    int length = 0;
    for (int shift = 0; ; shift += 7) {
      byte b = from.readByte();
      length |= (b & 0x7f) << shift;
      if (b >= 0) {
        return length;
      }
    }
  }

  /**
   * The shortest digits, without an exponent between 1e-15 and 1e15 as my_gcvt does it, and never
   * without a decimal point.
   */
  private static String number(double value) {
    if (value == 0) {
      return 1 / value < 0 ? "-0.0" : "0.0";
    }
    BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    int point = digits.precision() - digits.scale();
    if (point >= -14 && point <= 15) {
      String plain = digits.toPlainString();
      return plain.indexOf('.') < 0 ? plain + ".0" : plain;
    }
    String all = digits.unscaledValue().abs().toString();
    return (value < 0 ? "-" : "")
        + all.charAt(0)
        + (all.length() > 1 ? "." + all.substring(1) : "")
        + "e"
        + (point - 1);
  }

  private void opaque(int at) {
    int type = in.getUnsignedByte(at);
    ByteBuf from = in.duplicate().readerIndex(at + 1);
    int length = length(from);
    switch (type) {
      case ColumnType.NEWDECIMAL -> {
        int precision = from.readUnsignedByte();
        int scale = from.readUnsignedByte();
        out.append(
            new BigDecimal(PackedDecimal.read(from, precision, scale), scale).toPlainString());
      }
      case ColumnType.DATE, ColumnType.DATETIME, ColumnType.TIMESTAMP ->
          dateTime(from.readLongLE(), type == ColumnType.DATE);
      case ColumnType.TIME -> time(from.readLongLE());
      default -> {
        byte[] bytes = new byte[length];
        from.readBytes(bytes);
        out.append("\"base64:type").append(type).append(':');
        out.append(Base64.getEncoder().encodeToString(bytes)).append('"');
      }
    }
  }

  /** Packed as in DATETIME2, with 24 bits for the microseconds. */
  private void dateTime(long packed, boolean dateOnly) {
    long whole = packed >> 24;
    long months = whole >> 22;
    out.append("\"%04d-%02d-%02d".formatted(months / 13, months % 13, whole >> 17 & 31));
    if (!dateOnly) {
      out.append(
          " %02d:%02d:%02d.%06d"
              .formatted(whole >> 12 & 31, whole >> 6 & 63, whole & 63, packed & 0xff_ffff));
    }
    out.append('"');
  }

  private void time(long packed) {
    long size = Math.abs(packed);
    long whole = size >> 24;
    out.append(packed < 0 ? "\"-" : "\"")
        .append(
            "%02d:%02d:%02d.%06d\""
                .formatted(whole >> 12 & 0x3ff, whole >> 6 & 63, whole & 63, size & 0xff_ffff));
  }
}
