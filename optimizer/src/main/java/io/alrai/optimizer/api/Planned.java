package io.alrai.optimizer.api;

import io.alrai.executor.fragment.Plan;

/**
 * What the planner made of a statement; valid for one catalog version and current schema.
 * Immutable, any thread.
 *
 * @param work what is to be done
 * @param exactTextOnly the plan depends on literals that stand where structure stands (ORDER BY 1),
 *     so it may be kept for this exact text only
 */
public record Planned(Work work, boolean exactTextOnly) {
  /** The two kinds of statements. */
  public sealed interface Work {
    /** A statement over data. */
    record Data(Verb verb, Plan plan) implements Work {}

    /** A statement that the CN runs by itself. */
    record Administrative(AdminStatement statement) implements Work {}
  }

  /** What a data statement does. */
  public enum Verb {
    SELECT,
    INSERT,
    REPLACE,
    UPDATE,
    DELETE
  }
}
