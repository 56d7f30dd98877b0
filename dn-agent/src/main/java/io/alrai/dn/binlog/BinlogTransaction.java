package io.alrai.dn.binlog;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A whole transaction as it was received.
 *
 * @param end the exact end of its last event: what is acknowledged
 * @param length of all its events in the log, in bytes
 * @param mayEndGroup whether it may be the last of its commit group. mysqld makes a group visible
 *     as one, when its last transaction is acknowledged: an acknowledgement in the middle of a
 *     group shows nothing. Every last one is marked, and now and then one in the middle
 * @param connectionId the number of the mysqld connection that committed it
 * @param tables what it wrote, each once, in the order of first use; empty for statements
 */
public record BinlogTransaction(
    Gtid gtid,
    BinlogPosition end,
    long length,
    boolean mayEndGroup,
    TransactionKind kind,
    long connectionId,
    List<TableName> tables,
    Optional<EventBytes> events) {
  private static final int OBJECTS = 256;

  /**
   * Hands out its events in their order.
   *
   * @throws BinlogException when they are not held
   */
  void forEachEvent(Consumer<Event> consumer) {
    ByteBuf in =
        events
            .orElseThrow(() -> new BinlogException(gtid + " is too long to be held in memory"))
            .view();
    while (in.isReadable()) {
      int start = in.readerIndex();
      int length = Math.toIntExact(in.getUnsignedIntLE(start + 9));
      consumer.accept(new Event(in, start, length, false));
      in.readerIndex(start + length);
    }
  }

  /** This transaction, with its events. */
  public BinlogTransaction with(EventBytes held) {
    return new BinlogTransaction(
        gtid, end, length, mayEndGroup, kind, connectionId, tables, Optional.of(held));
  }

  /** This transaction, with these tables. */
  public BinlogTransaction with(List<TableName> written) {
    return new BinlogTransaction(
        gtid, end, length, mayEndGroup, kind, connectionId, written, events);
  }

  /** About what it takes in memory. */
  public long heldBytes() {
    return OBJECTS + events.map(bytes -> (long) bytes.length()).orElse(0L);
  }
}
