package io.alrai.cn.text;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.operator.Row;
import io.alrai.optimizer.api.sql.WholeJson;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Values of utf8mb4 text rows as SQL literals that mean the same value in a statement of any
 * session.
 */
public final class LiteralText {
  private static final byte[] NULL = {'N', 'U', 'L', 'L'};
  private static final byte[] INTRODUCER = "_utf8mb4 ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

  /** Whether a backslash in a string is an ordinary character. */
  private final boolean noBackslashEscapes;

  /** Whether statements are in utf8mb4 and their strings stay in it. */
  private final boolean unconverted;

  /**
   * Literals for one session.
   *
   * @param noBackslashEscapes whether a backslash in a string is an ordinary character
   * @param unconverted whether character_set_client and character_set_connection are utf8mb4
   */
  LiteralText(boolean noBackslashEscapes, boolean unconverted) {
    this.noBackslashEscapes = noBackslashEscapes;
    this.unconverted = unconverted;
  }

  /** Whether a string in utf8mb4 needs no introducer. */
  public boolean unconverted() {
    return unconverted;
  }

  /** Appends {@code (v1,v2,..)}. */
  public void appendRow(List<ColumnDefinition> columns, Row row, ByteArrayOutputStream out) {
    for (int i = 0; i < columns.size(); i++) {
      out.write(i == 0 ? '(' : ',');
      append(columns.get(i), row, i, out);
    }
    out.write(')');
  }

  /** Appends one value. */
  public void append(ColumnDefinition column, Row row, int index, ByteArrayOutputStream out) {
    if (row.isNull(index)) {
      out.writeBytes(NULL);
      return;
    }
    byte[] bytes = row.bytes();
    int start = row.valueStart(index);
    int length = row.valueLength(index);
    switch (column.type()) {
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, YEAR, DECIMAL, DECIMAL_OLD ->
          out.write(bytes, start, length);
      case FLOAT, DOUBLE -> {
        out.write(bytes, start, length);
        if (!hasExponent(bytes, start, length)) {
          out.write('e');
          out.write('0');
        }
      }
      case BIT, GEOMETRY, VECTOR -> hex(bytes, start, length, out);
      case VARCHAR, CHAR, VARCHAR_OLD, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB -> {
        if (column.name().equals(WholeJson.LABEL)) {
          JsonLiteral.append(row.value(index), this, out);
        } else if (column.charsetId() == ColumnDefinition.BINARY_CHARSET) {
          hex(bytes, start, length, out);
        } else {
          string(bytes, start, length, out);
        }
      }
      case NULL, TIMESTAMP, DATE, TIME, DATETIME, NEWDATE, JSON, ENUM, SET ->
          string(bytes, start, length, out);
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

  private void string(byte[] bytes, int start, int length, ByteArrayOutputStream out) {
    if (unconverted || isAscii(bytes, start, length)) {
      quoted(bytes, start, length, out);
    } else {
      out.writeBytes(INTRODUCER);
      hex(bytes, start, length, out);
    }
  }

  /**
   * A document as an expression in ASCII that gives it with the types of all its values, where a
   * backslash in a string is no ordinary character.
   *
   * @param whole the document in the form of {@link WholeJson}, in UTF-8
   */
  public static String document(byte[] whole) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(whole.length * 2);
    JsonLiteral.append(whole, new LiteralText(false, false), out);
    return out.toString(StandardCharsets.US_ASCII);
  }

  /** A string literal with that content, whatever the connection's character set. */
  byte[] string(String content) {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 16);
    out.writeBytes(INTRODUCER);
    if (unconverted || isAscii(bytes, 0, bytes.length)) {
      quoted(bytes, 0, bytes.length, out);
    } else {
      hex(bytes, 0, bytes.length, out);
    }
    return out.toByteArray();
  }

  private static boolean isAscii(byte[] bytes, int start, int length) {
    for (int i = start; i < start + length; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** Appends {@code X'..'}. */
  public static void hex(byte[] bytes, int start, int length, ByteArrayOutputStream out) {
    out.write('X');
    out.write('\'');
    for (int i = start; i < start + length; i++) {
      out.write(HEX[bytes[i] >> 4 & 0xf]);
      out.write(HEX[bytes[i] & 0xf]);
    }
    out.write('\'');
  }

  /** A string literal in UTF-8, for a statement in utf8mb4. */
  public String quoted(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 2);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    quoted(bytes, 0, bytes.length, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Appends a string literal without an introducer. */
  public void quoted(byte[] bytes, int start, int length, ByteArrayOutputStream out) {
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
