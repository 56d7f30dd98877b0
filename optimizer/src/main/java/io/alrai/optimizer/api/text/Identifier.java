package io.alrai.optimizer.api.text;

import io.alrai.common.sql.Sql;

/**
 * A name as written.
 *
 * @param name without quotes
 * @param span with quotes
 */
public record Identifier(String name, Span span) {
  /** The name in backticks. */
  public static String quote(String name) {
    return Sql.quote(name);
  }

  /** The name that a word, or text in backticks, is. */
  public static String unquoted(String written) {
    return written.startsWith("`")
        ? written.substring(1, written.length() - 1).replace("``", "`")
        : written;
  }

  /** The name in backticks. */
  public String quoted() {
    return quote(name);
  }
}
