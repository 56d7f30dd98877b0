package io.alrai.cn.route;

import io.alrai.cn.route.KeyHash.Use;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.SlotValues.Kind;
import java.nio.charset.StandardCharsets;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * Dates and datetimes as keys. Only texts in MySQL's own form of a real date are certain; others
 * are read by rules that depend on the sql_mode.
 */
final class TemporalKeys {
  private static final String DATE_FORM = "dddd-dd-dd";
  private static final String DATETIME_FORM = "dddd-dd-dd dd:dd:dd";
  private static final int MAX_FRACTION = 6;

  private TemporalKeys() {}

  /** The canonical text, or null when it is not certain what the value is to the column. */
  static byte @Nullable [] canonical(KeyColumn column, byte[] given, Kind kind, Use use) {
    if (kind != Kind.STRING && kind != Kind.TEMPORAL) {
      return null;
    }
    String text = new String(given, StandardCharsets.ISO_8859_1);
    if (use == Use.STORED) {
      return withoutFractionZeros(text).getBytes(StandardCharsets.US_ASCII);
    }
    String canonical =
        column.type() == MysqlType.DATE ? date(text) : dateTime(text, column.scale(), use);
    return canonical == null ? null : canonical.getBytes(StandardCharsets.US_ASCII);
  }

  private static @Nullable String date(String text) {
    return text.length() == DATE_FORM.length() && isDate(text) ? text : null;
  }

  private static @Nullable String dateTime(String text, int scale, Use use) {
    int whole = DATETIME_FORM.length();
    if (text.length() == DATE_FORM.length() && isDate(text)) {
      return text + " 00:00:00";
    }
    if (text.length() < whole || !hasForm(text, DATETIME_FORM) || !isDate(text)) {
      return null;
    }
    if (Integer.parseInt(text, 11, 13, 10) > 23
        || Integer.parseInt(text, 14, 16, 10) > 59
        || Integer.parseInt(text, 17, 19, 10) > 59) {
      return null;
    }
    if (text.length() == whole) {
      return text;
    }
    if (text.charAt(whole) != '.' || text.length() - whole - 1 > MAX_FRACTION) {
      return null;
    }
    for (int i = whole + 1; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return null;
      }
    }
    String canonical = withoutFractionZeros(text);
    boolean fits = canonical.length() - whole - 1 <= scale;
    return use == Use.MATCH || fits ? canonical : null;
  }

  private static String withoutFractionZeros(String text) {
    int whole = DATETIME_FORM.length();
    int end = text.length();
    while (end > whole && (text.charAt(end - 1) == '0' || text.charAt(end - 1) == '.')) {
      end--;
    }
    return text.substring(0, end);
  }

  private static boolean isDate(String text) {
    if (!hasForm(text, DATE_FORM)) {
      return false;
    }
    int year = Integer.parseInt(text, 0, 4, 10);
    int month = Integer.parseInt(text, 5, 7, 10);
    int day = Integer.parseInt(text, 8, 10, 10);
    return year > 0
        && month >= 1
        && month <= 12
        && day >= 1
        && day <= YearMonth.of(year, month).lengthOfMonth();
  }

  private static boolean hasForm(String text, String form) {
    for (int i = 0; i < form.length(); i++) {
      char c = text.charAt(i);
      if (form.charAt(i) == 'd' ? c < '0' || c > '9' : c != form.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
