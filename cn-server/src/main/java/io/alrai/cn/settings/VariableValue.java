package io.alrai.cn.settings;

import io.alrai.executor.fragment.SlotValues.Kind;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a {@link VariableLiteral} stands for.
 *
 * @param kind as a parameter of that value would have it
 * @param bytes digits of a number, content of a string
 * @param charset of a string; empty for others
 */
@SuppressWarnings("ArrayRecordComponent")
public record VariableValue(Kind kind, byte[] bytes, String charset) {
  private static final Pattern UNSIGNED = Pattern.compile("CAST\\((\\d+) AS UNSIGNED\\)");
  private static final Pattern STRING = Pattern.compile("_(\\w+) x'([0-9a-f]*)'.*");
  private static final Pattern BINARY = Pattern.compile("x'([0-9a-f]*)'");

  /** Reads a literal that {@link VariableLiteral} made. */
  public static VariableValue of(String literal) {
    if (literal.equals(VariableLiteral.NULL)) {
      return new VariableValue(Kind.NULL, new byte[0], "");
    }
    Matcher string = STRING.matcher(literal);
    if (string.matches()) {
      return new VariableValue(
          Kind.STRING, HexFormat.of().parseHex(string.group(2)), string.group(1));
    }
    Matcher binary = BINARY.matcher(literal);
    if (binary.matches()) {
      return new VariableValue(Kind.BINARY, HexFormat.of().parseHex(binary.group(1)), "");
    }
    Matcher unsigned = UNSIGNED.matcher(literal);
    String number = unsigned.matches() ? unsigned.group(1) : literal;
    Kind kind =
        number.indexOf('e') >= 0
            ? Kind.FLOAT
            : number.indexOf('.') >= 0 ? Kind.DECIMAL : Kind.INTEGER;
    return new VariableValue(kind, number.getBytes(StandardCharsets.US_ASCII), "");
  }

  /**
   * The value as a number of 64 bits.
   *
   * @throws NumberFormatException where it is none
   */
  public long wholeNumber() {
    return text().startsWith("-") ? Long.parseLong(text()) : Long.parseUnsignedLong(text());
  }

  /** The value as text. */
  public String text() {
    return kind == Kind.NULL ? "NULL" : new String(bytes, javaCharset());
  }

  /** Also of the character sets that no client can have. */
  private Charset javaCharset() {
    return switch (charset) {
      case "" -> StandardCharsets.UTF_8;
      case "ucs2", "utf16" -> StandardCharsets.UTF_16BE;
      case "utf16le" -> StandardCharsets.UTF_16LE;
      case "utf32" -> Charset.forName("UTF-32BE");
      default -> SettingsCharset.javaCharset(charset);
    };
  }
}
