package io.alrai.dn.link;

import java.util.List;

/**
 * A physical table with columns of whole numbers by which rows of it are read.
 *
 * @param schema of the partition group
 * @param columns of the primary key, in the order in which {@link #rowHash(long, long)} gets their
 *     values; none where all rows are one
 */
public record KeyedTable(String schema, String table, List<String> columns) {
  private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

  public KeyedTable {
    columns = List.copyOf(columns);
  }

  /**
   * Stands for all rows, or for those with the values that are going to be added. Of parts whose
   * hashes every JVM computes alike, as a CN and an agent compare them.
   */
  public long rowHash() {
    return ((schema.hashCode() * 31L + table.hashCode()) * 31L + columns.hashCode()) * SPREAD;
  }

  /** Adds another value to a hash. */
  public static long rowHash(long soFar, long value) {
    long mixed = (soFar ^ value) * SPREAD;
    return mixed ^ mixed >>> 29;
  }
}
