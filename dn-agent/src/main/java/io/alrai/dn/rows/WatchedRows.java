package io.alrai.dn.rows;

import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.RowKeys;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.binlog.Xid;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * When rows were touched last, by the log of one life of a mysqld: for each of many buckets of rows
 * the end of the last transaction that touched one of them. For watched tables only; a change whose
 * rows are not known counts as touching all rows.
 *
 * <p>The rows of XA PREPARE are touched by the XA COMMIT, which makes them visible.
 *
 * <p>{@link #arrived} and what changes the tables belong on the gate's loop; the rest to any
 * thread.
 */
final class WatchedRows {
  private static final int BUCKETS = 1 << 16;

  /** This very array stands for rows that are not known. */
  private static final long[] UNKNOWN = {};

  private final AtomicLongArray buckets = new AtomicLongArray(BUCKETS);
  private final Map<KeyedTable, Long> tables = new ConcurrentHashMap<>();
  private final Map<TableName, List<KeyedTable>> byName = new HashMap<>();

  /** The rows of branches, {@link #UNKNOWN} where they are not known. */
  private final Map<Xid, long[]> prepared = new HashMap<>();

  private final RowKeys keys = new RowKeys(name -> byName.getOrDefault(name, List.of()));
  private volatile long all;
  private long arrived;

  /**
   * Watches nothing yet.
   *
   * @param start of the log; all before it is visible
   */
  WatchedRows(long start) {
    all = start;
    arrived = start;
  }

  /**
   * When a row was touched last, at the latest; {@link Long#MAX_VALUE} where its table is not
   * watched.
   */
  long touched(ReplyKey read) {
    Long since = tables.get(read.table());
    return since == null
        ? Long.MAX_VALUE
        : Math.max(Math.max(all, since), buckets.get(bucket(read.row())));
  }

  private static int bucket(long row) {
    return (int) (row >>> 20) & BUCKETS - 1;
  }

  /** Watches a table from now on. */
  void watch(KeyedTable table) {
    if (tables.putIfAbsent(table, arrived) != null) {
      return;
    }
    byName
        .computeIfAbsent(new TableName(table.schema(), table.table()), name -> new ArrayList<>())
        .add(table);
    keys.forget();
    // rows of this table were not looked at
    prepared.replaceAll((xid, rows) -> UNKNOWN);
  }

  /** The next transaction of the log; before it may become visible. */
  void arrived(BinlogTransaction transaction) {
    long end = transaction.end().ordinal();
    arrived = end;
    switch (transaction.kind()) {
      case TransactionKind.XaPrepare branch -> prepared.put(branch.xid(), rowsOf(transaction));
      case TransactionKind.XaRollback branch -> prepared.remove(branch.xid());
      case TransactionKind.XaCommit branch -> {
        long[] rows = prepared.remove(branch.xid());
        touch(rows == null ? UNKNOWN : rows, end);
      }
      case TransactionKind.Statement statement -> {
        // it may give a table another definition
        all = end;
        tables.clear();
        byName.clear();
        keys.forget();
      }
      case TransactionKind.Commit commit -> touch(rowsOf(transaction), end);
      case TransactionKind.OnePhase commit -> touch(rowsOf(transaction), end);
      case TransactionKind.Decision commit -> touch(rowsOf(transaction), end);
      case TransactionKind.Tombstone commit -> touch(rowsOf(transaction), end);
    }
  }

  private void touch(long[] rows, long end) {
    if (rows == UNKNOWN) {
      all = end;
      return;
    }
    for (long row : rows) {
      buckets.set(bucket(row), end);
    }
  }

  private long[] rowsOf(BinlogTransaction transaction) {
    try {
      return keys.read(transaction);
    } catch (BinlogException | IllegalArgumentException | IndexOutOfBoundsException unknown) {
      return UNKNOWN;
    }
  }
}
