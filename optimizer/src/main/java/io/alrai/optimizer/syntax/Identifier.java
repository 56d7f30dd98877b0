package io.alrai.optimizer.syntax;

/**
 * A name as written.
 *
 * @param name without quotes
 * @param span with quotes
 */
public record Identifier(String name, Span span) {
  /** The name in backticks. */
  public static String quote(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  /** The name in backticks. */
  public String quoted() {
    return quote(name);
  }
}
