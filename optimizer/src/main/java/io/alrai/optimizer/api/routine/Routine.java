package io.alrai.optimizer.api.routine;

import java.util.List;

/**
 * A procedure, read.
 *
 * @param parameters in order; they are the first variables
 * @param variables all, by number
 * @param cursors the queries of all, by number
 * @param body what it does
 */
public record Routine(
    List<Parameter> parameters, List<Variable> variables, List<Fragment> cursors, Step body) {
  public Routine {
    parameters = List.copyOf(parameters);
    variables = List.copyOf(variables);
    cursors = List.copyOf(cursors);
  }

  /** Where values go. */
  public enum Mode {
    IN,
    OUT,
    INOUT
  }

  /** A parameter; its number is its variable's. */
  public record Parameter(Mode mode, String name) {
    /** Whether the caller gives a value. */
    public boolean in() {
      return mode != Mode.OUT;
    }

    /** Whether the caller gets one. */
    public boolean out() {
      return mode != Mode.IN;
    }
  }

  /**
   * A variable or parameter.
   *
   * @param type as declared
   */
  public record Variable(String name, String type) {}
}
