package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.ship.TransactionHead;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/**
 * What the bytes of a log connection say. Each record has its length before it, without itself; all
 * else is as in {@link TransactionHead}.
 *
 * <pre>
 *  length u32 | 1 | transaction, see below
 *  length u32 | 2 | place                    nothing was missed up to there
 *
 *  stamp u64 with u8 before it, 0 if it is not known | its head |
 *  its events to the end, with u8 before them, 0 if they are not there
 * </pre>
 */
final class LogRecords {
  /** Bytes of a record's length. */
  static final int LENGTH = 4;

  /** Most bytes of a record: the events of one that its reader gets whole, and what goes before. */
  static final int MOST = 32 << 20;

  private static final int TRANSACTION = 1;
  private static final int PLACE = 2;

  /** One record. */
  sealed interface LogRecord {
    /** The next transaction. */
    record Next(BinlogTransaction transaction, Optional<HlcTimestamp> stamp) implements LogRecord {}

    /** Nothing was missed up to there. */
    record Reached(BinlogPosition place) implements LogRecord {}
  }

  private LogRecords() {}

  /** Writes a record with its length. */
  static void write(ByteBuf out, LogRecord record) {
    int start = out.writerIndex();
    out.writeInt(0);
    switch (record) {
      case LogRecord.Next next -> {
        out.writeByte(TRANSACTION);
        transaction(out, next.transaction(), next.stamp());
      }
      case LogRecord.Reached reached -> {
        out.writeByte(PLACE);
        TransactionHead.place(out, reached.place());
      }
    }
    out.setInt(start, out.writerIndex() - start - LENGTH);
  }

  private static void transaction(
      ByteBuf out, BinlogTransaction transaction, Optional<HlcTimestamp> stamp) {
    out.writeBoolean(stamp.isPresent()).writeLong(stamp.map(HlcTimestamp::value).orElse(0L));
    TransactionHead.write(out, transaction);
    out.writeBoolean(transaction.events().isPresent());
    transaction.events().ifPresent(events -> out.writeBytes(events.view()));
  }

  /**
   * Reads a record without its length.
   *
   * @throws AlraiException ER_MALFORMED_PACKET when it is none
   */
  static LogRecord read(ByteBuf in) {
    try {
      int kind = in.readUnsignedByte();
      LogRecord record =
          switch (kind) {
            case TRANSACTION -> transaction(in);
            case PLACE -> new LogRecord.Reached(TransactionHead.place(in));
            default -> throw Envelope.malformed("log record " + kind);
          };
      if (in.isReadable()) {
        throw Envelope.malformed("log record with " + in.readableBytes() + " bytes too many");
      }
      return record;
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Envelope.malformed("log record: " + e.getMessage());
    }
  }

  private static LogRecord.Next transaction(ByteBuf in) {
    boolean stamped = in.readBoolean();
    HlcTimestamp stamp = new HlcTimestamp(in.readLong());
    BinlogTransaction transaction = TransactionHead.read(in);
    if (in.readBoolean()) {
      byte[] bytes = new byte[in.readableBytes()];
      in.readBytes(bytes);
      transaction = transaction.with(new EventBytes(bytes));
    }
    return new LogRecord.Next(transaction, stamped ? Optional.of(stamp) : Optional.empty());
  }
}
