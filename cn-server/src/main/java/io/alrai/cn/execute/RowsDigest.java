package io.alrai.cn.execute;

import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;

/**
 * A digest of rows that does not depend on their order.
 *
 * @param rows how many
 * @param sum of their 64-bit hashes
 */
record RowsDigest(long rows, long sum) {
  private static final long PRIME = 0x100000001b3L;
  private static final long BASIS = 0xcbf29ce484222325L;

  /** Reads a source to its end. */
  static RowsDigest of(RowSource source) {
    long rows = 0;
    long sum = 0;
    while (source.advance()) {
      rows++;
      sum += hash(source.row());
    }
    return new RowsDigest(rows, sum);
  }

  /** FNV-1a with its bits mixed, so that sums of similar rows differ. */
  private static long hash(Row row) {
    long hash = BASIS;
    byte[] bytes = row.bytes();
    for (int i = row.start(); i < row.end(); i++) {
      hash = (hash ^ bytes[i]) * PRIME;
    }
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }
}
