package io.alrai.cn.settings;

import io.alrai.optimizer.api.Planned.Work;
import org.jspecify.annotations.Nullable;

/**
 * How many statements of each kind a session has begun; its CN counts them, too. Owned as the
 * session is.
 */
public final class StatementTally {
  private long[] counts = new long[CountedStatement.values().length];
  private long questions;
  private long slow;

  /** A command that Questions counts. */
  public void question() {
    questions++;
  }

  /** A statement begins. */
  public void began(Work work, UseCounts all) {
    @Nullable CountedStatement kind = StatementKinds.of(work);
    if (kind == null) {
      return;
    }
    began(kind, all);
    switch (kind) {
      case PREPARE_SQL -> began(CountedStatement.STMT_PREPARE, all);
      case EXECUTE_SQL -> began(CountedStatement.STMT_EXECUTE, all);
      case DEALLOC_SQL -> began(CountedStatement.STMT_CLOSE, all);
      default -> {
        // no other counts twice
      }
    }
  }

  /** A command that needs no plan. */
  public void began(CountedStatement kind, UseCounts all) {
    counts[kind.ordinal()]++;
    all.began(kind);
  }

  /** How many of a kind. */
  public long count(CountedStatement kind) {
    return counts[kind.ordinal()];
  }

  /** How many commands. */
  public long questions() {
    return questions;
  }

  /** A statement was slow. */
  public void slow() {
    slow++;
  }

  /** How many statements were slow. */
  public long slowOnes() {
    return slow;
  }

  /** Begins anew, as the session does. */
  void clear() {
    counts = new long[counts.length];
    questions = 0;
    slow = 0;
  }
}
