package io.alrai.dn.rows;

import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The replies that are kept in one life of a mysqld, and what has touched their rows since.
 *
 * <p>Why a reply that is found is the one the mysqld would give: it was read where all of the log
 * up to a place was visible, and its row was touched before that place at the latest. Whatever
 * touches the row later is {@link #arrived} before it becomes visible, and the reply is not found
 * any more.
 *
 * <p>{@link #arrived}, {@link #watch} and {@link #visible(long)} belong on the gate's loop; the
 * rest to any thread.
 */
public final class RowCache {
  /** Bytes of replies and of what they are found by. */
  public static final int BYTES = 32 << 20;

  private static final int RINGS = 8;

  private final WatchedRows rows;
  private final ReplyRing[] rings = new ReplyRing[RINGS];
  private final Set<KeyedTable> asked = ConcurrentHashMap.newKeySet();
  private final Wants wants;
  private final LongAdder found;
  private volatile long visible;
  private long statements;

  /** Where the last of them ends in the log. */
  private long lastStatement;

  /** What it needs to keep more. Any thread. */
  public interface Wants {
    /** A table is read that is not watched; once until the next statement. */
    void watched(KeyedTable table);

    /** A read depends on rows that were touched after what is known to be visible. */
    void laterVisible();
  }

  /**
   * An empty one.
   *
   * @param start of the log; all before it is visible
   * @param found counts replies that were found
   */
  public RowCache(long start, Wants wants, LongAdder found) {
    this.rows = new WatchedRows(start);
    this.visible = start;
    this.wants = wants;
    this.found = found;
    for (int i = 0; i < RINGS; i++) {
      rings[i] = new ReplyRing(BYTES / RINGS);
    }
  }

  /** As {@link KeptReplies#find}, for reads that may see current rows. */
  public int find(ReplyKey read, long shown, byte[] into) {
    long touched = rows.touched(read);
    if (touched == Long.MAX_VALUE) {
      wantWatched(read);
      return KeptReplies.UNWATCHED;
    }
    int length = touched > shown ? KeptReplies.MISSED : ring(read).find(read, touched, into);
    if (length >= 0) {
      found.increment();
    } else if (touched > visible) {
      wants.laterVisible(); // so that it is known when the mysqld has answered
    }
    return length;
  }

  private void wantWatched(ReplyKey read) {
    if (asked.add(read.table())) {
      wants.watched(read.table());
    }
  }

  private ReplyRing ring(ReplyKey read) {
    return rings[(int) (read.hash() >>> Long.SIZE - 3)];
  }

  /** As {@link KeptReplies#visible}. */
  public long visible() {
    return visible;
  }

  /** As {@link KeptReplies#keep}. */
  public void keep(ReplyKey read, long shown, byte[] reply, int length) {
    long touched = rows.touched(read);
    if (touched <= shown) {
      ring(read).keep(read, touched, reply, length);
    } else if (touched != Long.MAX_VALUE) {
      wants.laterVisible();
    } else {
      wantWatched(read);
    }
  }

  /**
   * Names the definitions that tables have now; empty while there is one in the log that the
   * mysqld's dictionary does not show yet.
   */
  public OptionalLong statements() {
    return visible >= lastStatement ? OptionalLong.of(statements) : OptionalLong.empty();
  }

  /**
   * Watches a table from now on.
   *
   * @param since {@link #statements} of before it was looked at whether that can be done
   */
  public void watch(KeyedTable table, long since) {
    if (since == statements) {
      rows.watch(table);
    }
  }

  /** It could not be found out whether a table can be watched. */
  public void askAgain(KeyedTable table) {
    asked.remove(table);
  }

  /** The next transaction of the log; before it may become visible. */
  public void arrived(BinlogTransaction transaction) {
    rows.arrived(transaction);
    if (transaction.kind() instanceof TransactionKind.Statement) {
      statements++;
      lastStatement = transaction.end().ordinal();
      asked.clear();
    }
  }

  /** All before that place is visible. */
  public void visible(long shown) {
    if (shown > visible) {
      visible = shown;
    }
  }
}
