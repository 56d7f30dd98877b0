package io.alrai.cn.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts as whole numbers, as a mysqld stores them in a column of whole numbers: the number that the
 * text begins with, rounded; 0 where it begins with none.
 */
public final class WholeNumbers {
  private static final Pattern NUMBER =
      Pattern.compile("\\s*([+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d{1,3}(?!\\d))?)");

  private WholeNumbers() {}

  /** Empty when it does not fit 64 bits with a sign. */
  public static OptionalLong of(byte[] text, RoundingMode rounding) {
    Matcher number = NUMBER.matcher(new String(text, StandardCharsets.ISO_8859_1));
    if (!number.lookingAt()) {
      return OptionalLong.of(0);
    }
    BigDecimal whole = new BigDecimal(number.group(1)).setScale(0, rounding);
    try {
      return OptionalLong.of(whole.longValueExact());
    } catch (ArithmeticException e) {
      return OptionalLong.empty(); // beyond any column: no id
    }
  }
}
