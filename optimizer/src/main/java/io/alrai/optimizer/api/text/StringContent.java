package io.alrai.optimizer.api.text;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** From a quoted string to its bytes and back, by the MySQL manual's "String Literals". */
public final class StringContent {
  private static final byte[] BINARY = "_binary ".getBytes(StandardCharsets.US_ASCII);

  private StringContent() {}

  /**
   * The content of a quoted string or identifier.
   *
   * @param start index of the opening quote
   * @param end index after the closing one
   * @param mode how the text is read
   */
  public static byte[] unquote(byte[] sql, int start, int end, LexicalMode mode) {
    CharacterPairs pairs = CharacterPairs.of(mode.charset());
    byte quote = sql[start];
    boolean escapes = !mode.noBackslashEscapes() && quote != '`';
    byte[] content = new byte[end - start - 2];
    int length = 0;
    int at = start + 1;
    while (at < end - 1) {
      if (pairs.startsAt(sql, at, end - 1)) {
        content[length++] = sql[at++];
        content[length++] = sql[at++];
        continue;
      }
      byte next = sql[at++];
      if (next == quote) {
        at++;
      } else if (next == '\\' && escapes && at < end - 1) {
        byte escaped = sql[at++];
        if (escaped == '%' || escaped == '_') {
          content[length++] = next;
        }
        next = escapedByte(escaped);
      }
      content[length++] = next;
    }
    return length == content.length ? content : Arrays.copyOf(content, length);
  }

  private static byte escapedByte(byte escaped) {
    return switch (escaped) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case '0' -> 0;
      case 'Z' -> 26;
      default -> escaped;
    };
  }

  /** Appends a string literal in single quotes with this content, for a text of that mode. */
  public static void appendQuoted(byte[] content, LexicalMode mode, ByteArrayOutputStream out) {
    CharacterPairs pairs = CharacterPairs.of(mode.charset());
    boolean noBackslashEscapes = mode.noBackslashEscapes();
    out.write('\'');
    int copied = 0;
    for (int at = 0; at < content.length; at++) {
      if (pairs.startsAt(content, at, content.length)) {
        at++;
        continue;
      }
      byte next = content[at];
      boolean escape = next == '\'' || (!noBackslashEscapes && (next == '\\' || next == 0));
      if (escape) {
        out.write(content, copied, at - copied);
        copied = at + 1;
        out.write(next == '\'' ? '\'' : '\\');
        out.write(next == 0 ? '0' : next);
      }
    }
    out.write(content, copied, content.length - copied);
    out.write('\'');
  }

  /** Appends a literal of a binary string; one in hexadecimal alone may also be a number. */
  public static void appendBinary(byte[] content, ByteArrayOutputStream out) {
    out.writeBytes(BINARY);
    appendHex(content, out);
  }

  /** Appends {@code x'..'} with these bytes. */
  public static void appendHex(byte[] content, ByteArrayOutputStream out) {
    out.write('x');
    out.write('\'');
    for (byte b : content) {
      out.write(Character.forDigit(b >> 4 & 15, 16));
      out.write(Character.forDigit(b & 15, 16));
    }
    out.write('\'');
  }
}
