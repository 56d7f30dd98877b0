package io.alrai.executor.operator;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.type.AsciiWeights;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the key columns of a row into bytes whose unsigned order is MySQL's order of the values and
 * whose equality is MySQL's equality. Each key is
 *
 * <pre>
 *  00                       NULL
 *  01 integer               8 bytes, sign turned
 *  01 float                 8 bytes of the IEEE double, -0 as 0, sign or all bits turned
 *  01 decimal               00 negative | 01 zero | 02 positive, exponent, digits, 00
 *                           (exponent, digits and 00 turned for negatives)
 *  01 time                  8 bytes of microseconds, sign turned
 *  01 date, string, bytes   the bytes with 00 written as 00 FF, then 00 00
 * </pre>
 *
 * and all bits are turned for a descending one. One thread.
 */
final class KeyEncoder {
  /** Of no keys: all rows are equal. */
  static final KeyEncoder NONE = new KeyEncoder(new Part[0]);

  /** How many bytes of a key suffice to distinguish most keys. */
  static final int HEAD_BYTES = 32;

  private static final int EXPONENT_ZERO = 0x80;

  private enum Form {
    SIGNED,
    UNSIGNED,
    FLOAT,
    DECIMAL,
    TIME,
    BYTES
  }

  private record Part(
      int column, int compared, @Nullable AsciiWeights ascii, Form form, boolean descending) {}

  private final Part[] parts;

  private KeyEncoder(Part[] parts) {
    this.parts = parts;
  }

  /** An encoder for ordered keys. */
  static KeyEncoder ofSort(List<ColumnDefinition> columns, List<SortKey> keys) {
    return new KeyEncoder(
        keys.stream().map(k -> part(columns, k.key(), k.descending())).toArray(Part[]::new));
  }

  /** An encoder for keys that are only compared for equality, or ascending. */
  static KeyEncoder ofKeys(List<ColumnDefinition> columns, List<RowKey> keys) {
    return new KeyEncoder(keys.stream().map(k -> part(columns, k, false)).toArray(Part[]::new));
  }

  private static Part part(List<ColumnDefinition> columns, RowKey key, boolean descending) {
    ColumnDefinition column = columns.get(key.column());
    Form form = form(column);
    boolean weighed = key.weightColumn() >= 0 && form == Form.BYTES && !column.type().isTemporal();
    return weighed
        ? new Part(key.column(), key.weightColumn(), key.ascii().orElse(null), form, descending)
        : new Part(key.column(), key.column(), null, form, descending);
  }

  private static Form form(ColumnDefinition column) {
    return switch (column.type()) {
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, YEAR ->
          column.isUnsigned() ? Form.UNSIGNED : Form.SIGNED;
      case DECIMAL, DECIMAL_OLD -> Form.DECIMAL;
      case FLOAT, DOUBLE -> Form.FLOAT;
      case TIME -> Form.TIME;
      case NULL,
          TIMESTAMP,
          DATE,
          DATETIME,
          NEWDATE,
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
          Form.BYTES;
    };
  }

  /** Appends the row's key. */
  void encode(Row row, GrowingBytes out) {
    for (Part part : parts) {
      int from = out.length();
      if (row.isNull(part.column)) {
        out.write(0);
      } else {
        out.write(1);
        value(row, part, out);
      }
      if (part.descending) {
        out.invertFrom(from);
      }
    }
  }

  /**
   * Appends the first bytes of the row's key to an empty array: all of it if these are fewer than
   * {@link #HEAD_BYTES}, else so many.
   *
   * @return whether it is all
   */
  boolean encodeHead(Row row, GrowingBytes out) {
    for (Part part : parts) {
      int from = out.length();
      if (row.isNull(part.column)) {
        out.write(0);
      } else {
        out.write(1);
        head(row, part, out);
      }
      if (part.descending) {
        out.invertFrom(from);
      }
      if (out.length() >= HEAD_BYTES) {
        out.grownTo(HEAD_BYTES);
        return false;
      }
    }
    return true;
  }

  /** The value, or as much of it as makes the key long enough. */
  private static void head(Row row, Part part, GrowingBytes out) {
    if (part.ascii == null || !row.isNull(part.compared)) {
      value(row, part, out);
      return;
    }
    int at = row.valueStart(part.column);
    int end = at + row.valueLength(part.column);
    while (at < end && out.length() < HEAD_BYTES) {
      int count = Math.min(end - at, HEAD_BYTES / 2);
      byte[] room = out.reserve(count * part.ascii.escapedLongest());
      out.grownTo(part.ascii.putEscaped(row.bytes(), at, count, room, out.length()));
      at += count;
    }
    if (at == end) {
      out.write(0);
      out.write(0);
    }
  }

  private static void value(Row row, Part part, GrowingBytes out) {
    byte[] bytes = row.bytes();
    if (part.ascii != null && row.isNull(part.compared)) {
      weights(bytes, row.valueStart(part.column), row.valueLength(part.column), part.ascii, out);
      return;
    }
    int start = row.valueStart(part.compared);
    int length = Math.max(row.valueLength(part.compared), 0);
    switch (part.form) {
      case SIGNED -> out.writeLong(integer(bytes, start, length) ^ Long.MIN_VALUE);
      case UNSIGNED -> out.writeLong(integer(bytes, start, length));
      case FLOAT -> out.writeLong(floatBits(bytes, start, length));
      case DECIMAL -> decimal(bytes, start, length, out);
      case TIME -> out.writeLong(timeMicros(bytes, start, length) ^ Long.MIN_VALUE);
      case BYTES -> escaped(bytes, start, length, out);
    }
  }

  /** Digits with an optional sign; unsigned values above the signed range wrap. */
  static long integer(byte[] bytes, int start, int length) {
    int at = start;
    int end = start + length;
    boolean negative = at < end && bytes[at] == '-';
    if (negative) {
      at++;
    }
    long value = 0;
    for (; at < end; at++) {
      int digit = bytes[at] - '0';
      if (digit < 0 || digit > 9) {
        throw notA("integer", bytes, start, length);
      }
      value = value * 10 + digit;
    }
    return negative ? -value : value;
  }

  /** The number of an approximate value's text. */
  static double floating(byte[] bytes, int start, int length) {
    try {
      return Double.parseDouble(new String(bytes, start, length, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      throw notA("number", bytes, start, length);
    }
  }

  private static long floatBits(byte[] bytes, int start, int length) {
    double value = floating(bytes, start, length);
    long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  private static void decimal(byte[] bytes, int start, int length, GrowingBytes out) {
    int at = start;
    int end = start + length;
    boolean negative = at < end && bytes[at] == '-';
    if (negative) {
      at++;
    }
    int point = at;
    while (point < end && bytes[point] != '.') {
      point++;
    }
    if (point < end) {
      while (end > point && (bytes[end - 1] == '0' || bytes[end - 1] == '.')) {
        end--;
      }
    }
    while (at < end && (bytes[at] == '0' || bytes[at] == '.')) {
      at++;
    }
    if (at >= end) {
      out.write(1);
      return;
    }
    out.write(negative ? 0 : 2);
    int from = out.length();
    out.write(EXPONENT_ZERO + (at < point ? point - at : point + 1 - at));
    int lastDigit = end;
    while (bytes[lastDigit - 1] == '0') {
      lastDigit--;
    }
    for (; at < lastDigit; at++) {
      if (bytes[at] != '.') {
        out.write(bytes[at]);
      }
    }
    out.write(0);
    if (negative) {
      out.invertFrom(from);
    }
  }

  /** {@code [-]h+:mm:ss[.fraction]} as microseconds. */
  static long timeMicros(byte[] bytes, int start, int length) {
    int at = start;
    int end = start + length;
    boolean negative = at < end && bytes[at] == '-';
    if (negative) {
      at++;
    }
    long seconds = 0;
    long field = 0;
    while (at < end && bytes[at] != '.') {
      if (bytes[at] == ':') {
        seconds = (seconds + field) * 60;
        field = 0;
      } else {
        field = field * 10 + (bytes[at] - '0');
      }
      at++;
    }
    seconds += field;
    long micros = 0;
    int digits = 0;
    for (at++; at < end; at++, digits++) {
      micros = micros * 10 + (bytes[at] - '0');
    }
    for (; digits < 6; digits++) {
      micros *= 10;
    }
    long value = seconds * 1_000_000 + micros;
    return negative ? -value : value;
  }

  private static void weights(
      byte[] text, int start, int length, AsciiWeights ascii, GrowingBytes out) {
    byte[] room = out.reserve(length * ascii.escapedLongest() + 2);
    int end = ascii.putEscaped(text, start, length, room, out.length());
    room[end] = 0;
    room[end + 1] = 0;
    out.grownTo(end + 2);
  }

  private static void escaped(byte[] bytes, int start, int length, GrowingBytes out) {
    int copied = start;
    int end = start + length;
    for (int at = start; at < end; at++) {
      if (bytes[at] == 0) {
        out.write(bytes, copied, at + 1 - copied);
        out.write(0xff);
        copied = at + 1;
      }
    }
    out.write(bytes, copied, end - copied);
    out.write(0);
    out.write(0);
  }

  private static AlraiException notA(String what, byte[] bytes, int start, int length) {
    return new AlraiException(
        ErrorCode.ALRAI_INTERNAL,
        "a shard sent '"
            + new String(bytes, start, length, StandardCharsets.ISO_8859_1)
            + "' where its column type promises a "
            + what);
  }
}
