package io.alrai.optimizer.api;

import io.alrai.executor.fragment.Plan;

/**
 * What the planner made of a statement; valid for one catalog version and current schema.
 * Immutable, any thread.
 *
 * @param work what is to be done
 * @param exactTextOnly the plan depends on literals that stand where structure stands (ORDER BY 1),
 *     so it may be kept for this exact text only
 * @param writes what it does besides changing its rows
 * @param selectMillis how long it may take, in milliseconds; 0 for a SELECT that does not say it,
 *     {@link #NO_SELECT} for all else
 */
public record Planned(Work work, boolean exactTextOnly, WriteTraits writes, long selectMillis) {
  /** What is no SELECT has no such bound. */
  public static final long NO_SELECT = -1;

  /** A plan of what is no SELECT. */
  public Planned(Work work, boolean exactTextOnly, WriteTraits writes) {
    this(work, exactTextOnly, writes, NO_SELECT);
  }

  /** A plan of a statement that changes no rows, or only its own. */
  public Planned(Work work, boolean exactTextOnly) {
    this(work, exactTextOnly, WriteTraits.NONE);
  }

  /** A copy that may take so long, if it can be a SELECT. */
  public Planned within(long millis) {
    boolean writesRows = work instanceof Work.Data(Verb verb, _) && verb != Verb.SELECT;
    return writesRows || millis == selectMillis
        ? this
        : new Planned(work, exactTextOnly, writes, millis);
  }

  /**
   * What a statement does besides changing rows of its tables by what stands in it and in them.
   *
   * @param queries whether it reads rows of others
   * @param triggers whether it may run triggers that use other tables
   * @param updatesDuplicates ON DUPLICATE KEY UPDATE
   */
  public record WriteTraits(boolean queries, boolean triggers, boolean updatesDuplicates) {
    /** Nothing. */
    public static final WriteTraits NONE = new WriteTraits(false, false, false);

    /** Whether it does nothing else. */
    public boolean none() {
      return !queries && !triggers && !updatesDuplicates;
    }
  }

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
