package io.alrai.cn.route;

import io.alrai.cn.route.KeyHash.Use;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.KeyColumn;
import java.util.OptionalLong;

/** Integers as keys. */
final class IntegerKeys {
  /** Digits that surely fit 64 bits. */
  private static final int SAFE_DIGITS = 18;

  /** Digits that may fit 63 bits: what does not is a negative number there. */
  private static final int MOST_DIGITS = 19;

  private static final int FIRST_YEAR = 1901;
  private static final int LAST_YEAR = 2155;

  private IntegerKeys() {}

  /**
   * Whether the column holds the value as it is (stored), or can be compared with it as it is. A
   * year of two digits means another number.
   */
  static boolean exact(KeyColumn column, long value, Use use) {
    if (use == Use.STORED) {
      return true;
    }
    return switch (column.type()) {
      case YEAR -> value >= FIRST_YEAR && value <= LAST_YEAR;
      case TINYINT -> use == Use.MATCH || fits(column, value, 8);
      case SMALLINT -> use == Use.MATCH || fits(column, value, 16);
      case MEDIUMINT -> use == Use.MATCH || fits(column, value, 24);
      case INT -> use == Use.MATCH || fits(column, value, 32);
      default -> use == Use.MATCH || !column.unsigned() || value >= 0;
    };
  }

  private static boolean fits(KeyColumn column, long value, int bits) {
    return column.unsigned()
        ? value >= 0 && value < 1L << bits
        : value >= -(1L << (bits - 1)) && value < 1L << (bits - 1);
  }

  /** Whether a text is a whole number as MySQL would write it. */
  static boolean isCanonical(byte[] text) {
    int start = text.length > 0 && text[0] == '-' ? 1 : 0;
    return text.length - start <= SAFE_DIGITS
        && (text.length == 1 || text.length > start && text[start] != '0')
        && areDigits(text, start);
  }

  /**
   * The number that an integer column stores for a text of digits; empty where it is not certain.
   */
  static OptionalLong stored(byte[] text) {
    int start = text.length > 0 && text[0] == '-' ? 1 : 0;
    int first = start;
    while (first < text.length - 1 && text[first] == '0') {
      first++;
    }
    if (text.length - first > MOST_DIGITS || !areDigits(text, first)) {
      return OptionalLong.empty();
    }
    long value = 0;
    for (int i = first; i < text.length; i++) {
      value = value * 10 + (text[i] - '0');
    }
    // what is beyond 64 bits, and -0
    boolean unsure = value < 0 || start > 0 && value == 0;
    return unsure ? OptionalLong.empty() : OptionalLong.of(start > 0 ? -value : value);
  }

  private static boolean areDigits(byte[] text, int start) {
    for (int i = start; i < text.length; i++) {
      if (text[i] < '0' || text[i] > '9') {
        return false;
      }
    }
    return text.length > start;
  }

  /** The number of a text, for this use of it; empty where it is not certain. */
  static OptionalLong ofText(KeyColumn column, byte[] text, Use use) {
    boolean anyDigits = use == Use.STORE && column.type() != MysqlType.YEAR;
    return anyDigits || isCanonical(text) ? stored(text) : OptionalLong.empty();
  }
}
