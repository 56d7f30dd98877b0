package io.alrai.columnar.scan;

import java.util.Optional;

/**
 * One reader of a {@link TableScan}. Belongs to one thread at a time. It holds nothing of its own:
 * there is nothing to close.
 */
public interface Cursor {
  /**
   * The next batch, which no other cursor of the scan gets. Never waits.
   *
   * @return empty when there is none any more
   * @throws IllegalStateException when the scan is closed
   */
  Optional<ColumnBatch> next();
}
