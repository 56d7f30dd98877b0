package io.alrai.common.certificate;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes DER, as much of it as certificates need (ITU-T X.690). Each method gives one whole
 * element:
 *
 * <pre>
 *  0     1               2 to 5
 * +-----+---------------+-------------
 * | tag | length        | content ...      a length under 128 is one byte; else 0x80 plus the
 * +-----+---------------+-------------     number of the bytes, big-endian, that follow
 * </pre>
 *
 * Stateless; any thread.
 */
public final class Der {
  private static final int BOOLEAN = 0x01;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int NULL = 0x05;
  private static final int OBJECT_IDENTIFIER = 0x06;
  private static final int UTF8_STRING = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int CONTEXT = 0x80;
  private static final int CONSTRUCTED = 0x20;

  /** From this year on a time has four digits of it (RFC 5280, 4.1.2.5). */
  private static final int FOUR_DIGITS_FROM = 2050;

  private static final DateTimeFormatter SHORT = format("yyMMddHHmmss'Z'");
  private static final DateTimeFormatter LONG = format("yyyyMMddHHmmss'Z'");

  private Der() {}

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }

  /** Elements in their order. */
  public static byte[] sequence(byte[]... elements) {
    return element(SEQUENCE, joined(elements));
  }

  /** A set of one element, or of ones in the order of their encodings. */
  public static byte[] set(byte[]... elements) {
    return element(SET, joined(elements));
  }

  /** A number. */
  public static byte[] integer(BigInteger value) {
    return element(INTEGER, value.toByteArray());
  }

  /** A number. */
  public static byte[] integer(long value) {
    return integer(BigInteger.valueOf(value));
  }

  /** True. */
  public static byte[] truth() {
    return element(BOOLEAN, new byte[] {(byte) 0xff});
  }

  /** NULL. */
  public static byte[] nothing() {
    return element(NULL, new byte[0]);
  }

  /** Text. */
  public static byte[] utf8(String text) {
    return element(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Bytes. */
  public static byte[] octets(byte[] content) {
    return element(OCTET_STRING, content);
  }

  /** Whole bytes. */
  public static byte[] bits(byte[] content) {
    return bits(content, 0);
  }

  /**
   * Named bits.
   *
   * @param unused 0 to 7: how many of the last byte's lowest bits do not count
   */
  public static byte[] bits(byte[] content, int unused) {
    return element(BIT_STRING, joined(new byte[] {(byte) unused}, content));
  }

  /** To the second, in UTC. */
  public static byte[] time(Instant when) {
    return when.atZone(ZoneOffset.UTC).getYear() < FOUR_DIGITS_FROM
        ? element(UTC_TIME, SHORT.format(when).getBytes(StandardCharsets.US_ASCII))
        : element(GENERALIZED_TIME, LONG.format(when).getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier from its dotted form, of at least two numbers. */
  public static byte[] oid(String dotted) {
    String[] parts = dotted.split("\\.", -1);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    base128(content, 40 * Long.parseLong(parts[0]) + Long.parseLong(parts[1]));
    for (int i = 2; i < parts.length; i++) {
      base128(content, Long.parseLong(parts[i]));
    }
    return element(OBJECT_IDENTIFIER, content.toByteArray());
  }

  private static void base128(ByteArrayOutputStream out, long value) {
    int shift = 0;
    while (value >>> shift >= 128) {
      shift += 7;
    }
    for (; shift > 0; shift -= 7) {
      out.write((int) (value >>> shift & 0x7f | 0x80));
    }
    out.write((int) (value & 0x7f));
  }

  /** {@code [number] EXPLICIT}: around whole elements. */
  public static byte[] explicit(int number, byte[]... elements) {
    return element(CONTEXT | CONSTRUCTED | number, joined(elements));
  }

  /** {@code [number] IMPLICIT} of a primitive type: around its content. */
  public static byte[] implicit(int number, byte[] content) {
    return element(CONTEXT | number, content);
  }

  private static byte[] element(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 6);
    out.write(tag);
    if (content.length < 128) {
      out.write(content.length);
    } else {
      byte[] length = BigInteger.valueOf(content.length).toByteArray();
      int leading = length[0] == 0 ? 1 : 0;
      out.write(0x80 | length.length - leading);
      out.write(length, leading, length.length - leading);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
