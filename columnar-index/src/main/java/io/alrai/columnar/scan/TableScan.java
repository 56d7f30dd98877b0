package io.alrai.columnar.scan;

import io.alrai.common.time.HlcTimestamp;

/**
 * A partition of a table as of one timestamp: the rows with insert stamp &lt;= at &lt; delete
 * stamp. It keeps what it reads from being freed until it is closed; batches are valid until then,
 * also those that cursors have left behind. Close it when the query ends, whatever happened.
 * Thread-safe, but nobody may read a batch while or after it is closed: that is an
 * IllegalStateException at best.
 */
public interface TableScan extends AutoCloseable {
  /** The timestamp that it shows. */
  HlcTimestamp at();

  /** An upper bound of the visible rows, before filters. */
  long rowsAtMost();

  /**
   * A further reader. The cursors of a scan share the batches: each goes to exactly one of them, so
   * a scan is read once, by as many threads as there are cursors.
   */
  Cursor cursor();

  /** Lets go of everything. Repeating it is harmless. */
  @Override
  void close();
}
