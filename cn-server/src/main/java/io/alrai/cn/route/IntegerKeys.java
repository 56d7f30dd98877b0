package io.alrai.cn.route;

import io.alrai.cn.route.KeyHash.Use;
import io.alrai.executor.fragment.KeyColumn;

/** Integers as keys. */
final class IntegerKeys {
  /** Digits that surely fit 64 bits. */
  private static final int SAFE_DIGITS = 18;

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
    int digits = text.length - start;
    if (digits == 0 || digits > SAFE_DIGITS || (text[start] == '0' && text.length > 1)) {
      return false;
    }
    for (int i = start; i < text.length; i++) {
      if (text[i] < '0' || text[i] > '9') {
        return false;
      }
    }
    return true;
  }

  /** The number of a canonical text. */
  static long parse(byte[] text) {
    boolean negative = text[0] == '-';
    long value = 0;
    for (int i = negative ? 1 : 0; i < text.length; i++) {
      value = value * 10 + (text[i] - '0');
    }
    return negative ? -value : value;
  }
}
