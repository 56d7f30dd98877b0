package io.alrai.cn.route;

import io.alrai.cn.route.KeyHash.Use;
import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.SlotValues.Kind;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decimals as keys: {@code -12.5}, without needless zeros or signs. */
final class DecimalKeys {
  /** A text is compared with a decimal as a double; so many digits are exact there. */
  private static final int EXACT_DIGITS = 15;

  private DecimalKeys() {}

  /** The canonical text, or null when the value is another to the column. */
  static byte @Nullable [] canonical(KeyColumn column, byte[] given, Kind kind, Use use) {
    boolean number = kind == Kind.INTEGER || kind == Kind.DECIMAL;
    if (!number && (kind != Kind.STRING || given.length > EXACT_DIGITS)) {
      return null;
    }
    int at = 0;
    boolean negative = false;
    if (given.length > 0 && (given[0] == '-' || (given[0] == '+' && number))) {
      negative = given[0] == '-';
      at = 1;
    }
    int point = -1;
    for (int i = at; i < given.length; i++) {
      if (given[i] == '.' && point < 0) {
        point = i;
      } else if (given[i] < '0' || given[i] > '9') {
        return null;
      }
    }
    int integerEnd = point < 0 ? given.length : point;
    int end = given.length;
    if (integerEnd == at && (point < 0 || point + 1 == end)) {
      return null;
    }
    while (point >= 0 && end > point && (given[end - 1] == '0' || given[end - 1] == '.')) {
      end = given[end - 1] == '.' ? point : end - 1;
    }
    while (at < integerEnd && given[at] == '0') {
      at++;
    }
    int fraction = Math.max(0, end - integerEnd - 1);
    int integer = integerEnd - at;
    if (use == Use.STORE
        && (column.length() == 0
            || fraction > column.scale()
            || integer > column.length() - column.scale())) {
      return null;
    }
    String digits =
        (integer == 0 ? "0" : "") + new String(given, at, end - at, StandardCharsets.US_ASCII);
    return (negative && !digits.equals("0") ? "-" + digits : digits)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
