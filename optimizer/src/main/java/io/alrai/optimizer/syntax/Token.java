package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Span;

/**
 * One token of a shape.
 *
 * @param kind what it is
 * @param text the word as written, a quoted name without its quotes, an operator
 * @param upper the word in upper case; empty for other kinds, so that a quoted name is never taken
 *     for a keyword
 * @param slot number of the slot, else -1
 * @param span where it stands
 */
record Token(Kind kind, String text, String upper, int slot, Span span) {
  enum Kind {
    WORD,
    QUOTED,
    SLOT,
    /** A literal that is no slot. */
    LITERAL,
    /** {@code @x} and {@code @@x}. */
    VARIABLE,
    OPERATOR,
    END
  }

  /** Whether it is a literal of digits only. */
  boolean isDigits() {
    return kind == Kind.LITERAL && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** Whether it is a literal in quotes. */
  boolean isString() {
    return kind == Kind.LITERAL && (text.startsWith("'") || text.startsWith("\""));
  }
}
