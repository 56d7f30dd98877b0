package io.alrai.dn.group;

import io.alrai.dn.binlog.TableName;
import java.util.ArrayList;
import java.util.List;

/** Names of tables, which may be more than an entry of the log takes. Stateless. */
final class TableNames {
  /** Bytes of names beside a piece of a transaction, and of names that are alone in an entry. */
  static final int MOST_BYTES = 512 << 10;

  /** Names of fewer tables are not worth the counting. */
  private static final int FEW = 8;

  private static final int LENGTHS = 2 * Integer.BYTES;

  /** A character takes so many, in UTF-8: names are in the basic plane. */
  private static final int CHARACTER = 3;

  private TableNames() {}

  /** At least what they take, but for a few. */
  static long bytes(List<TableName> tables) {
    if (tables.size() <= FEW) {
      return 0;
    }
    long bytes = 0;
    for (TableName table : tables) {
      bytes += bytes(table);
    }
    return bytes;
  }

  private static long bytes(TableName table) {
    return LENGTHS + (long) CHARACTER * (table.schema().length() + table.table().length());
  }

  /** In their order, each part at most {@link #MOST_BYTES}. */
  static List<List<TableName>> parts(List<TableName> tables) {
    List<List<TableName>> parts = new ArrayList<>();
    List<TableName> part = new ArrayList<>();
    long bytes = 0;
    for (TableName table : tables) {
      long more = bytes(table);
      if (bytes + more > MOST_BYTES) {
        parts.add(part);
        part = new ArrayList<>();
        bytes = 0;
      }
      part.add(table);
      bytes += more;
    }
    parts.add(part);
    return parts;
  }
}
