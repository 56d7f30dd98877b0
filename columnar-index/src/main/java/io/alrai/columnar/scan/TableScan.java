package io.alrai.columnar.scan;

import io.alrai.common.time.HlcTimestamp;

/**
 * A partition of a table as of one timestamp: the rows with insert stamp &lt;= at &lt; delete
 * stamp. It keeps what it reads from being freed until it is closed; batches are valid until then,
 * also those that cursors have left behind. Close it when the query ends, whatever happened.
 * Thread-safe.
 *
 * <p>Whoever reads batches by their addresses while somebody else may close the scan does so within
 * a {@link Use}: the memory stays until the last use has ended. Outside of one, reading a batch
 * while or after the scan is closed is an IllegalStateException at best.
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

  /** Memory that is kept, also when the scan is closed meanwhile. Ended once, on any thread. */
  interface Use extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Begins to read batches, for example for one slice of a task.
   *
   * @throws IllegalStateException when the scan is closed
   */
  Use use();

  /** Lets go of everything that is not in use. Repeating it is harmless. */
  @Override
  void close();
}
