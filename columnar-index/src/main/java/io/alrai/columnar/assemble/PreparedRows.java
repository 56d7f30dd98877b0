package io.alrai.columnar.assemble;

import io.alrai.common.changelog.LogRecord;
import io.alrai.common.changelog.TableChanges;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets committed transactions through at once, and keeps the rows of prepared branches aside until
 * their end tells their stamp. Belongs to the feed's thread.
 */
public final class PreparedRows {
  private final TransactionSink sink;
  private final Map<String, List<TableChanges>> waiting = new HashMap<>();

  /**
   * Nothing is kept yet. Of a branch that was prepared before the first record, the rows are
   * missing when it commits.
   */
  public PreparedRows(TransactionSink sink) {
    this.sink = sink;
  }

  /** Takes the next record of the log. */
  public void accept(LogRecord next) {
    switch (next) {
      case LogRecord.Committed committed -> sink.apply(committed.stamp(), committed.changes());
      case LogRecord.Prepared prepared -> {
        if (waiting.put(prepared.branch(), prepared.changes()) != null) {
          sink.lost("the branch " + prepared.branch() + " is prepared twice");
        }
      }
      case LogRecord.BranchCommitted committed -> {
        List<TableChanges> changes = waiting.remove(committed.branch());
        if (changes == null) {
          sink.missing(
              committed.stamp(), "the rows of the branch " + committed.branch() + " did not come");
        } else {
          sink.apply(committed.stamp(), changes);
        }
      }
      case LogRecord.BranchRolledBack gone -> waiting.remove(gone.branch());
      case LogRecord.Resolved resolved -> sink.resolved(resolved.to());
    }
  }

  /** Records are missing from here on: what is kept may have come to its end among them. */
  public void forget() {
    waiting.clear();
  }

  /** How many branches are kept. */
  public int branches() {
    return waiting.size();
  }
}
