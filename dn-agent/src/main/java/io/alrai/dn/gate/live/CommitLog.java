package io.alrai.dn.gate.live;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import java.util.List;

/**
 * Where the transactions of a mysqld must be written before its gate may let them through. On the
 * gate's loop only.
 *
 * <pre>
 *  begins -> append, append, restamped, ... -> ends
 * </pre>
 */
public interface CommitLog {
  /** Hears how far it has come, in order. Called on the gate's loop. */
  interface Written {
    /** Everything up to there is written. */
    void durable(BinlogPosition through);

    /** So are these stamps. */
    void stamps(long number);
  }

  /** A stamp that a transaction got after it was given. */
  record Restamp(Gtid gtid, HlcTimestamp stamp) {}

  /**
   * Whether everything is written before it is given, as the mysqld's own log has it: then nothing
   * is given or reported.
   */
  boolean ownLog();

  /** A life of the mysqld begins; nothing more is reported of what an earlier one has given. */
  void begins(Written to);

  /**
   * The next transaction, in the order of the mysqld's log.
   *
   * @param stamp ZERO for what changes no visible row, and where it is not known yet
   */
  void append(BinlogTransaction transaction, HlcTimestamp stamp);

  /**
   * Transactions that were given before have other stamps now.
   *
   * @param number comes back when they are written
   */
  void restamped(long number, List<Restamp> stamps);

  /** The life ends: nothing more is reported of what it has given. */
  void ends();
}
