package io.alrai.optimizer.syntax;

/** A text that this grammar does not take; caught where the planner decides what to do with it. */
public final class SyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int position;

  /** At that index of the source text. */
  public SyntaxException(int position) {
    super("syntax error at " + position, null, false, false);
    this.position = position;
  }

  /** Index of the first character that does not fit. */
  public int position() {
    return position;
  }
}
