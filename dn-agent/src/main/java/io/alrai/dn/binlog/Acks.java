package io.alrai.dn.binlog;

/** The way back to one life of a mysqld. Thread-safe. */
public interface Acks {
  /**
   * Lets everything up to here become visible. Without effect when it was let through before, and
   * when that life of the mysqld has ended.
   *
   * @param end of a transaction that was received in this life
   * @throws IllegalArgumentException on the stream's loop, when it is no such end: a mysqld
   *     believes an acknowledgement of what it never sent, and would wait for none any more.
   *     Elsewhere that is logged
   */
  void ack(BinlogPosition end);
}
