package io.alrai.cn.ddl;

import io.alrai.gms.api.Schema;
import io.alrai.optimizer.syntax.Identifier;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Pieces of MySQL text, and the ways back from physical names to logical ones. */
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

  private static final Pattern PHYSICAL = Pattern.compile("^(.+)_p\\d{5}$");

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

  /** Name of the physical schema of a number. */
  static String physicalSchema(String schema, long number) {
    return String.format("%s_p%05d", schema, number);
  }

  /** Whether a schema's name has the form of a partition group's. */
  static boolean looksPhysical(String schema) {
    return PHYSICAL.matcher(schema).matches();
  }

  /** Whether it is a physical schema of the logical one. */
  static boolean isPhysicalOf(String logical, String schema) {
    Matcher matcher = PHYSICAL.matcher(schema);
    return (matcher.matches() && matcher.group(1).equals(logical))
        || schema.equals(logical + Schema.BROADCAST_SUFFIX);
  }

  /** A mysqld's sentence with logical names in the place of physical ones. */
  static String logicalSentence(String schema, String sentence) {
    if (schema.isEmpty()) {
      return sentence;
    }
    Pattern physical =
        Pattern.compile(
            "(?<![\\w$])"
                + Pattern.quote(schema)
                + "(_p\\d{5}|"
                + Schema.BROADCAST_SUFFIX
                + ")(?![\\w$])");
    return physical.matcher(sentence).replaceAll(Matcher.quoteReplacement(schema));
  }
}
