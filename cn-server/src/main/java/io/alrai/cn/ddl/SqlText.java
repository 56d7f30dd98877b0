package io.alrai.cn.ddl;

import io.alrai.optimizer.syntax.Identifier;
import java.util.Collection;
import java.util.Map;
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

  private SqlText() {}

  static String names(Collection<String> identifiers) {
    return identifiers.stream().map(Identifier::quote).collect(Collectors.joining(", "));
  }

  static String qualified(String schema, String table) {
    return Identifier.quote(schema) + "." + Identifier.quote(table);
  }

  /** The string in quotes, for a mysqld without NO_BACKSLASH_ESCAPES. */
  static String string(String value) {
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
