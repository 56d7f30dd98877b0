package io.alrai.optimizer.logical;

/**
 * A statement that the analytical path does not take, so that it goes the row store's way. Thrown
 * inside the planner only; {@link io.alrai.optimizer.api.AnalyticalPlanner} answers with the
 * reason.
 */
public final class NotCovered extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * With its reason.
   *
   * @param reason what of the statement, as a part of a sentence: "a recursive WITH"
   */
  public NotCovered(String reason) {
    super(reason, null, false, false);
  }

  /** What of the statement is not taken. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
