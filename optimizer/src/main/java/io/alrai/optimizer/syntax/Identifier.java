package io.alrai.optimizer.syntax;

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

  /** The name in backticks. */
  public String quoted() {
    return quote(name);
  }
}
