package io.alrai.cn.ddl.job;

import java.util.Map;
import java.util.regex.Pattern;

/** Pieces of MySQL text. */
public final class SqlText {
  /**
   * For statements that copy a definition which a mysqld has accepted already: nothing that it took
   * once may be refused, whatever the session's own settings were.
   */
  static final Map<String, String> COPY_SETTINGS =
      Map.of(
          "sql_mode", "'ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO'",
          "foreign_key_checks", "0",
          "innodb_strict_mode", "OFF",
          "sql_require_primary_key", "OFF",
          "sql_generate_invisible_primary_key", "OFF");

  /** For what is asked of a mysqld and read: SHOW CREATE quotes all names, in backquotes. */
  static final Map<String, String> QUERY_SETTINGS =
      Map.of("sql_mode", "''", "sql_quote_show_create", "ON");

  private static final Pattern WORD = Pattern.compile("[\\w,]*");

  private SqlText() {}

  /**
   * The value of a setting that is a word of MySQL's, such as a character set, or some with commas
   * between them. Settings are read by the CN too, which knows them in this form.
   */
  public static String word(String value) {
    if (!WORD.matcher(value).matches()) {
      throw new IllegalArgumentException("no word of MySQL's: " + value);
    }
    return "'" + value + "'";
  }
}
