package io.alrai.executor.fragment;

/**
 * A way to run a statement that a plan does not take, for EXPLAIN.
 *
 * @param reason what of the statement is the cause, as a part of a sentence
 */
public record Refusal(Way way, String reason) {
  /** The ways to run a statement over several places that are better than copies of rows. */
  public enum Way {
    /** A mysqld with all the rows runs it. */
    PUSH_DOWN("no mysqld runs all of it"),

    /** Each place gives its part of the result. */
    MERGE("no merge"),

    /** Each place gives parts of the groups. */
    GROUPS("no groups of places"),

    /** The CN joins the rows. */
    JOIN("no join by the CN");

    private final String text;

    Way(String text) {
      this.text = text;
    }
  }

  /** The refusal as EXPLAIN shows it. */
  public String text() {
    return way.text + ": " + reason;
  }
}
