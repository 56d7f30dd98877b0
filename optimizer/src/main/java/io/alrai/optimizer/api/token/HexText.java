package io.alrai.optimizer.api.token;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Hexadecimal literals as text, where MySQL takes them for strings. */
public final class HexText {
  private HexText() {}

  /** The bytes of {@code x'..'} or {@code 0x..}, one character each. */
  public static String latin1(String literal) {
    String digits =
        literal.startsWith("0x")
            ? literal.substring(2)
            : literal.substring(2, literal.length() - 1);
    String even = digits.length() % 2 == 0 ? digits : "0" + digits;
    return new String(HexFormat.of().parseHex(even), StandardCharsets.ISO_8859_1);
  }
}
