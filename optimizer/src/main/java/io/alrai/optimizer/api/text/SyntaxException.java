package io.alrai.optimizer.api.text;

/** A text that this grammar does not take; caught where the planner decides what to do with it. */
public final class SyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int position;
  private final String variable;

  /** At that index of the source text. */
  public SyntaxException(int position) {
    this(position, "");
  }

  private SyntaxException(int position, String variable) {
    super("syntax error at " + position, null, false, false);
    this.position = position;
    this.variable = variable;
  }

  /** Where only a stored program could have a variable. */
  public static SyntaxException undeclared(int position, String variable) {
    return new SyntaxException(position, variable);
  }

  /** The variable that nobody has declared; empty for any other mistake. */
  public String variable() {
    return variable;
  }

  /** Index of the first character that does not fit. */
  public int position() {
    return position;
  }
}
