package io.alrai.cn.ddl;

import io.alrai.common.sql.Sql;
import io.alrai.optimizer.syntax.Identifier;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Pieces of MySQL text. */
final class SqlText {
  /**
   * For statements that copy a definition which a mysqld has accepted already: nothing that it took
   * once may be refused, whatever the session's own settings were.
   */
  static final Map<String, String> COPY_SETTINGS =
      Map.of(
          "sql_mode", "''",
          "foreign_key_checks", "0",
          "innodb_strict_mode", "OFF",
          "sql_require_primary_key", "OFF",
          "sql_generate_invisible_primary_key", "OFF");

  /** For what is asked of a mysqld and read: SHOW CREATE quotes all names, in backquotes. */
  static final Map<String, String> QUERY_SETTINGS =
      Map.of("sql_mode", "''", "sql_quote_show_create", "ON");

  private static final Pattern WORD = Pattern.compile("[\\w,]*");

  private SqlText() {}

  static String names(Collection<String> identifiers) {
    return identifiers.stream().map(Identifier::quote).collect(Collectors.joining(", "));
  }

  static String qualified(String schema, String table) {
    return Identifier.quote(schema) + "." + Identifier.quote(table);
  }

  /** The string as an expression, under any sql_mode. */
  static String string(String value) {
    return Sql.EMPTY.string(value).text();
  }

  /**
   * The value of a setting that is a word of MySQL's, such as a character set, or some with commas
   * between them. Settings are read by the CN too, which knows them in this form.
   */
  static String word(String value) {
    if (!WORD.matcher(value).matches()) {
      throw new IllegalArgumentException("no word of MySQL's: " + value);
    }
    return "'" + value + "'";
  }
}
