package io.alrai.cn.execute;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.operator.Row;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Values of text rows as SQL literals that mean the same value again. Strings are written in the
 * character set in which they came, which must be one without ASCII bytes inside of characters.
 */
final class LiteralText {
  private static final byte[] NULL = {'N', 'U', 'L', 'L'};
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

  /** Whether a backslash in a string is an ordinary character. */
  private final boolean noBackslashEscapes;

  LiteralText(boolean noBackslashEscapes) {
    this.noBackslashEscapes = noBackslashEscapes;
  }

  /** Appends {@code (v1,v2,..)}. */
  void appendRow(List<ColumnDefinition> columns, Row row, ByteArrayOutputStream out) {
    for (int i = 0; i < columns.size(); i++) {
      out.write(i == 0 ? '(' : ',');
      append(columns.get(i), row, i, out);
    }
    out.write(')');
  }

  /** Appends one value. */
  void append(ColumnDefinition column, Row row, int index, ByteArrayOutputStream out) {
    if (row.isNull(index)) {
      out.writeBytes(NULL);
      return;
    }
    byte[] bytes = row.bytes();
    int start = row.valueStart(index);
    int length = row.valueLength(index);
    switch (column.type()) {
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, YEAR, DECIMAL, DECIMAL_OLD, FLOAT ->
          out.write(bytes, start, length);
      case DOUBLE -> {
        out.write(bytes, start, length);
        if (!hasExponent(bytes, start, length)) {
          out.write('e');
          out.write('0');
        }
      }
      case BIT, GEOMETRY, VECTOR -> hex(bytes, start, length, out);
      case VARCHAR, CHAR, VARCHAR_OLD, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB -> {
        if (column.charsetId() == ColumnDefinition.BINARY_CHARSET) {
          hex(bytes, start, length, out);
        } else {
          quoted(bytes, start, length, out);
        }
      }
      case NULL, TIMESTAMP, DATE, TIME, DATETIME, NEWDATE, JSON, ENUM, SET ->
          quoted(bytes, start, length, out);
    }
  }

  private static boolean hasExponent(byte[] bytes, int start, int length) {
    for (int i = start; i < start + length; i++) {
      if (bytes[i] == 'e') {
        return true;
      }
    }
    return false;
  }

  private static void hex(byte[] bytes, int start, int length, ByteArrayOutputStream out) {
    out.write('X');
    out.write('\'');
    for (int i = start; i < start + length; i++) {
      out.write(HEX[bytes[i] >> 4 & 0xf]);
      out.write(HEX[bytes[i] & 0xf]);
    }
    out.write('\'');
  }

  /** A string literal in UTF-8. */
  String quoted(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 2);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    quoted(bytes, 0, bytes.length, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Appends a string literal. */
  void quoted(byte[] bytes, int start, int length, ByteArrayOutputStream out) {
    out.write('\'');
    for (int i = start; i < start + length; i++) {
      byte b = bytes[i];
      if (b == '\'') {
        out.write('\'');
      } else if (b == '\\' && !noBackslashEscapes) {
        out.write('\\');
      }
      out.write(b);
    }
    out.write('\'');
  }
}
