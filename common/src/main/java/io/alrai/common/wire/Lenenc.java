package io.alrai.common.wire;

import io.netty.buffer.ByteBuf;

/**
 * Length-encoded integers and strings. First byte: below 0xFB the value itself; 0xFC, 0xFD, 0xFE
 * two, three, eight bytes follow, little-endian; 0xFB is NULL in a row.
 */
public final class Lenenc {
  /** What {@link #read} gives for NULL. */
  public static final long NULL = -1;

  private Lenenc() {}

  /** The value at an index; reader index untouched. */
  public static long value(ByteBuf buf, int index) {
    int first = buf.getUnsignedByte(index);
    return switch (first) {
      case 0xfb -> NULL;
      case 0xfc -> buf.getUnsignedShortLE(index + 1);
      case 0xfd -> buf.getUnsignedMediumLE(index + 1);
      case 0xfe -> buf.getLongLE(index + 1);
      default -> first;
    };
  }

  /** How many bytes the integer at an index takes: 1, 3, 4 or 9. */
  public static int width(ByteBuf buf, int index) {
    return width(buf.getUnsignedByte(index));
  }

  /** How many bytes an integer with that first byte takes: 1, 3, 4 or 9. */
  public static int width(int firstByte) {
    return switch (firstByte) {
      case 0xfc -> 3;
      case 0xfd -> 4;
      case 0xfe -> 9;
      default -> 1;
    };
  }

  /** Index after the string at an index. */
  public static int skipString(ByteBuf buf, int index) {
    long length = value(buf, index);
    return index + width(buf, index) + (length == NULL ? 0 : Math.toIntExact(length));
  }

  /** Reads a value and moves the reader index. */
  public static long read(ByteBuf buf) {
    int index = buf.readerIndex();
    long value = value(buf, index);
    buf.skipBytes(width(buf, index));
    return value;
  }

  /**
   * Reads a string's bytes and moves the reader index; NULL is read as no bytes.
   *
   * @throws IndexOutOfBoundsException when there are fewer bytes than it is said to have
   */
  public static byte[] readBytes(ByteBuf buf) {
    ByteBuf string = readSlice(buf);
    byte[] bytes = new byte[string.readableBytes()];
    string.readBytes(bytes);
    return bytes;
  }

  /** Reads a string as a slice of the buffer, without a copy. */
  public static ByteBuf readSlice(ByteBuf buf) {
    boolean isNull = buf.getUnsignedByte(buf.readerIndex()) == 0xfb;
    long length = read(buf);
    if (!isNull && (length < 0 || length > buf.readableBytes())) {
      throw new IndexOutOfBoundsException(
          "a string of " + length + " bytes where there are " + buf.readableBytes());
    }
    return buf.readSlice(isNull ? 0 : (int) length);
  }

  /** Writes a value of 0 or more. */
  public static void write(ByteBuf out, long value) {
    if (value < 0) {
      out.writeByte(0xfe).writeLongLE(value);
    } else if (value < 0xfb) {
      out.writeByte((int) value);
    } else if (value < 0x10000) {
      out.writeByte(0xfc).writeShortLE((int) value);
    } else if (value < 0x1000000) {
      out.writeByte(0xfd).writeMediumLE((int) value);
    } else {
      out.writeByte(0xfe).writeLongLE(value);
    }
  }

  /** Writes a string with its length before it. */
  public static void writeBytes(ByteBuf out, byte[] bytes) {
    write(out, bytes.length);
    out.writeBytes(bytes);
  }
}
