package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Span;

/**
 * A word of a text that may mean something of the session.
 *
 * @param text the name; of a call in upper case
 */
public record Mention(What what, String text, Span span) {
  /** What is mentioned. */
  public enum What {
    /** A function without arguments. */
    CALL,
    /** {@code @x} or {@code @@x}. */
    VARIABLE,
    /** The operator {@code :=}. */
    ASSIGNMENT,
    /** An identifier, or a word that is no keyword. */
    NAME
  }
}
