package io.alrai.cn.tx.branch;

import java.text.Normalizer;

/**
 * How a mysqld compares the names of savepoints: by utf8mb3_general_ci, letter by letter, without
 * accents and cases, {@code \u00df} as one S. Of the letters of today's scripts; rarer ones are
 * compared as they are.
 */
final class SavepointName {
  private static final char SHARP_S = '\u00df';

  /** The one letter with an accent that stays another letter. */
  private static final char SHORT_I = '\u0419';

  private SavepointName() {}

  /** A key that is equal for equal names. */
  static String key(String name) {
    StringBuilder key = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      key.append(weight(name.charAt(i)));
    }
    return key.toString();
  }

  private static char weight(char c) {
    if (c == SHARP_S) {
      return 'S';
    }
    if (Character.toUpperCase(c) == SHORT_I) {
      return SHORT_I;
    }
    if (c < 0x250 || isBetween(c, 0x370, 0x4ff) || isBetween(c, 0x1e00, 0x1fff)) {
      String parts = Normalizer.normalize(String.valueOf(c), Normalizer.Form.NFD);
      return Character.toUpperCase(parts.charAt(0));
    }
    boolean cased =
        isBetween(c, 0x531, 0x586) // Armenian
            || isBetween(c, 0x2160, 0x217f) // Roman numbers
            || isBetween(c, 0x24b6, 0x24e9) // in circles
            || isBetween(c, 0xff21, 0xff5a); // of the width of Chinese letters
    return cased ? Character.toUpperCase(c) : c;
  }

  private static boolean isBetween(char c, int first, int last) {
    return c >= first && c <= last;
  }
}
