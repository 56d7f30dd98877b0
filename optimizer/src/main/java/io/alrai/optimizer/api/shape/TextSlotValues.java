package io.alrai.optimizer.api.shape;

import io.alrai.executor.fragment.SlotValues;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import io.alrai.optimizer.api.text.StringContent;
import io.alrai.optimizer.api.token.TokenScanner;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * The slots of one execution, read in place from the statement's bytes; parameters come from a
 * {@link ParameterSource}. Valid as long as the bytes and the shaped statement are. Not
 * thread-safe.
 */
public final class TextSlotValues implements SlotValues {
  private final ShapedStatement statement;
  private final byte[] sql;
  private final int offset;
  private final LexicalMode mode;
  private final ParameterSource parameters;

  /**
   * Values of a statement.
   *
   * @param sql the array that holds the statement
   * @param offset where the statement starts in it
   * @param mode how the statement was scanned
   * @param parameters {@link ParameterSource#NONE} in the text protocol
   */
  public TextSlotValues(
      ShapedStatement statement,
      byte[] sql,
      int offset,
      LexicalMode mode,
      ParameterSource parameters) {
    this.statement = statement;
    this.sql = sql;
    this.offset = offset;
    this.mode = mode;
    this.parameters = parameters;
  }

  /** Values of a statement that has its own bytes. */
  public TextSlotValues(ShapedText statement, ParameterSource parameters) {
    this(statement, statement.textBytes(), 0, statement.mode(), parameters);
  }

  @Override
  public boolean areBound() {
    return parameters.areBound();
  }

  @Override
  public int count() {
    return statement.slotCount();
  }

  @Override
  public Kind kind(int slot) {
    int parameter = statement.parameter(slot);
    if (parameter >= 0) {
      return parameters.kind(parameter);
    }
    int start = start(slot);
    int end = end(slot);
    return switch (sql[start]) {
      case '\'', '"' -> Kind.STRING;
      case 'N', 'n' -> Kind.NULL;
      case 'x', 'X', 'b', 'B', '_' -> Kind.BINARY;
      default -> numberKind(start, end);
    };
  }

  private Kind numberKind(int start, int end) {
    if (isPrefixed(start, end)) {
      return Kind.BINARY;
    }
    Kind kind = Kind.INTEGER;
    for (int at = start; at < end; at++) {
      if ((sql[at] | 0x20) == 'e') {
        return Kind.FLOAT;
      }
      if (sql[at] == '.') {
        kind = Kind.DECIMAL;
      }
    }
    return kind;
  }

  private boolean isPrefixed(int start, int end) {
    return end - start > 2 && sql[start] == '0' && (sql[start + 1] == 'x' || sql[start + 1] == 'b');
  }

  @Override
  public boolean fitsLong(int slot) {
    int parameter = statement.parameter(slot);
    if (parameter >= 0) {
      return parameters.fitsLong(parameter);
    }
    int start = start(slot);
    boolean negative = sql[start] == '-';
    int at = isSign(sql[start]) ? start + 1 : start;
    int end = end(slot);
    while (at < end && sql[at] == '0') {
      at++;
    }
    if (end - at != 19) {
      return end - at < 19;
    }
    long value = magnitude(at, end);
    return value >= 0 || (negative && value == Long.MIN_VALUE);
  }

  @Override
  public long longValue(int slot) {
    int parameter = statement.parameter(slot);
    if (parameter >= 0) {
      return parameters.longValue(parameter);
    }
    int start = start(slot);
    int at = isSign(sql[start]) ? start + 1 : start;
    long value = magnitude(at, end(slot));
    return sql[start] == '-' ? -value : value;
  }

  /** Modulo 2^64. */
  private long magnitude(int from, int end) {
    long value = 0;
    for (int at = from; at < end; at++) {
      value = value * 10 + (sql[at] - '0');
    }
    return value;
  }

  @Override
  public byte[] bytes(int slot) {
    int parameter = statement.parameter(slot);
    if (parameter >= 0) {
      return parameters.bytes(parameter);
    }
    int start = start(slot);
    int end = end(slot);
    return switch (sql[start]) {
      case '\'', '"' -> StringContent.unquote(sql, start, end, mode);
      case 'N', 'n' -> new byte[0];
      case 'x', 'X' -> hexBytes(start + 2, end - 1);
      case 'b', 'B' -> bitBytes(start + 2, end - 1);
      case '_' -> StringContent.unquote(sql, quote(start), end, mode);
      case '+' -> Arrays.copyOfRange(sql, start + 1, end);
      default -> {
        if (isPrefixed(start, end)) {
          yield sql[start + 1] == 'x' ? hexBytes(start + 2, end) : bitBytes(start + 2, end);
        }
        yield Arrays.copyOfRange(sql, start, end);
      }
    };
  }

  @Override
  public void appendSql(int slot, ByteArrayOutputStream out) {
    int parameter = statement.parameter(slot);
    if (parameter >= 0) {
      parameters.appendSql(parameter, out);
    } else {
      int start = start(slot);
      out.write(sql, start, end(slot) - start);
    }
  }

  private int start(int slot) {
    return offset + statement.slotStart(slot);
  }

  private int end(int slot) {
    return offset + statement.slotEnd(slot);
  }

  private static boolean isSign(byte b) {
    return b == '-' || b == '+';
  }

  /** The first quote after an introducer; comments between the two hold none that counts. */
  private int quote(int from) {
    TokenScanner tokens = new TokenScanner();
    tokens.reset(sql, from, sql.length, mode);
    tokens.next();
    tokens.next();
    return tokens.start();
  }

  private byte[] hexBytes(int start, int end) {
    byte[] bytes = new byte[(end - start + 1) / 2];
    int at = end;
    for (int i = bytes.length - 1; i >= 0; i--) {
      int low = Character.digit(sql[--at], 16);
      int high = at > start ? Character.digit(sql[--at], 16) : 0;
      bytes[i] = (byte) (high << 4 | low);
    }
    return bytes;
  }

  private byte[] bitBytes(int start, int end) {
    byte[] bytes = new byte[(end - start + 7) / 8];
    for (int at = start; at < end; at++) {
      int fromRight = end - 1 - at;
      bytes[bytes.length - 1 - fromRight / 8] |= (byte) ((sql[at] - '0') << fromRight % 8);
    }
    return bytes;
  }
}
