package io.alrai.cn.tx;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.snapshot.TransactionSnapshot;

/**
 * The client's statement that a session works on. A procedure's CALL counts as the sum of its
 * statements. Event loop only.
 */
final class StatementAtWork {
  private StatementTraits traits = StatementTraits.UNKNOWN;
  private boolean known;

  /** One begins. */
  void begins(StatementTraits next) {
    traits = known ? traits.and(next) : next;
    known = true;
  }

  /** The client's statement has ended. */
  void over() {
    traits = StatementTraits.UNKNOWN;
    known = false;
  }

  /** Whether the answer says if rows were changed. */
  boolean tells() {
    return !traits.untold();
  }

  /**
   * Whether the statement could show that what this CN has acknowledged is not visible yet.
   *
   * @param options of the transaction
   */
  boolean mindsCommits(RowAccess access, TransactionOptions options, SessionSettings settings) {
    return switch (access) {
      case NONE -> false;
      case CONSISTENT -> TransactionSnapshot.perStatement(options, settings);
      case LOCKING -> traits.impatient();
      case CHANGING ->
          traits.impatient()
              || traits.triggers()
              || traits.queries() && TransactionSnapshot.perStatement(options, settings);
    };
  }
}
