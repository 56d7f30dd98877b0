package io.alrai.dn.binlog;

import java.util.List;
import java.util.Optional;

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

  /** About what it takes in memory. */
  public long heldBytes() {
    return OBJECTS + events.map(bytes -> (long) bytes.length()).orElse(0L);
  }
}
