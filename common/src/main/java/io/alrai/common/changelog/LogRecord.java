package io.alrai.common.changelog;

import io.alrai.common.time.HlcTimestamp;
import java.util.List;

/**
 * What comes out of a DN's log for those who follow its rows, in the order of the log. Changes of
 * one row come in the order in which they became visible.
 */
public sealed interface LogRecord {
  /** A transaction that is committed. */
  record Committed(HlcTimestamp stamp, List<TableChanges> changes) implements LogRecord {}

  /**
   * A branch that is prepared: its rows count once it is committed.
   *
   * @param branch its XA name
   */
  record Prepared(String branch, List<TableChanges> changes) implements LogRecord {}

  /** A prepared branch is committed. */
  record BranchCommitted(String branch, HlcTimestamp stamp) implements LogRecord {}

  /** A prepared branch is gone. */
  record BranchRolledBack(String branch) implements LogRecord {}

  /** No record with a stamp at or below it will come any more. */
  record Resolved(HlcTimestamp to) implements LogRecord {}
}
