package io.alrai.columnar.version;

import io.alrai.columnar.delta.DeltaChunk;
import io.alrai.columnar.scan.ColumnBatch;

/**
 * What is worth rewriting.
 *
 * @param leastDeltaRows rows in chunks that are old enough, below which the delta is left alone
 * @param deadShare the share of deleted rows from which on a row group is rewritten, 0 to 1
 * @param mostRows read at a time, which bounds how long installing the result stops the feed
 */
public record RewriteRules(int leastDeltaRows, double deadShare, int mostRows) {
  /** 32 Ki rows, a quarter, 128 Ki rows. */
  public static RewriteRules standard() {
    return new RewriteRules(8 * DeltaChunk.CAPACITY, 0.25, 2 * ColumnBatch.MOST_ROWS);
  }
}
