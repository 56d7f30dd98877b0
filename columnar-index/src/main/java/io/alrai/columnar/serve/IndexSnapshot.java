package io.alrai.columnar.serve;

import io.alrai.columnar.scan.ColumnTable;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;

/**
 * A table in the column index as of one timestamp. It stays readable until it is closed, whatever
 * happens to the index meanwhile: changes, compaction, failure, DROP. Close it when the query ends.
 * Thread-safe.
 */
public interface IndexSnapshot extends AutoCloseable {
  /** What it shows. */
  HlcTimestamp at();

  /**
   * One for each partition; a broadcast table has one. Scans at {@link #at} open at once, as often
   * as wanted and also after a long time; another timestamp is an IllegalArgumentException. A scan
   * may outlive this.
   */
  List<ColumnTable> partitions();

  /** Lets go of everything that no scan holds. Repeating it is harmless. */
  @Override
  void close();
}
