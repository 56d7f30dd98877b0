package io.alrai.dn.binlog;

/**
 * Decides when each commit of a mysqld becomes visible. Called on the stream's event loop; must not
 * block.
 */
public interface CommitGate {
  /**
   * The mysqld started: what was received from an earlier life and not acknowledged is void. It may
   * come again, or never, under the same GTID or as another transaction under it.
   *
   * @param acks for this life
   * @param visible what is visible already; the receiver's own
   * @param start everything that arrives ends after this position
   */
  void attached(Acks acks, GtidSet visible, BinlogPosition start);

  /**
   * The next transaction in the order of the log. It is durable in the mysqld's log and invisible
   * to everybody until it is acknowledged; its session waits. There are never more of these than
   * sessions.
   */
  void received(BinlogTransaction transaction);

  /** The mysqld ended or is about to. Not acknowledged commits never were. */
  void detached();
}
