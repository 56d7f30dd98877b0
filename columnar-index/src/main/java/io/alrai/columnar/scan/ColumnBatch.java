package io.alrai.columnar.scan;

import java.util.List;
import java.util.Optional;

/**
 * Rows of a table side by side: the vectors of the columns that were asked for, in that order.
 * Valid until its scan is closed; nothing in it may be changed.
 *
 * @param rows how many the vectors have, 1 to 65536; not all need be visible
 * @param columns one for each column that was asked for
 * @param selection the visible rows, ascending; absent: all of them
 */
public record ColumnBatch(int rows, List<ColumnVector> columns, Optional<int[]> selection) {
  /** Rows in a batch at most. */
  public static final int MOST_ROWS = 1 << 16;

  /** How many rows are visible. */
  public int visibleRows() {
    return selection.isPresent() ? selection.get().length : rows;
  }
}
