package io.alrai.dn.rpc.wire;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.TransactionHead;
import io.netty.buffer.ByteBuf;
import java.util.Optional;

/**
 * What the bytes of a log connection say. Each record has its length before it, without itself; all
 * else is as in {@link TransactionHead}.
 *
 * <pre>
 *  length u32 | 1 | transaction, see below
 *  length u32 | 2 | lead | place             nothing was missed up to there
 *  length u32 | 3 | lead | set of GTIDs      what comes is not in there; the first record
 *  length u32 | 4 | long text                what is wanted is not kept any more; the last record
 *  length u32 | 5 | long text                it cannot be sent on; the last record
 *
 *  lead: term u64, entry u64
 *
 *  stamp u64 with u8 before it: 1 if it is known, and 2 if its end is a place of the last lead |
 *  its head |
 *  its events to the end, with u8 before them, 0 if they are not there
 * </pre>
 */
public final class LogRecords {
  /** Bytes of a record's length. */
  public static final int LENGTH = 4;

  /** Most bytes of a record: the events of one that its reader gets whole, and what goes before. */
  public static final int MOST = 32 << 20;

  private static final int TRANSACTION = 1;
  private static final int PLACE = 2;
  private static final int BEGINS = 3;
  private static final int GONE = 4;
  private static final int BROKEN = 5;

  private static final int STAMPED = 1;
  private static final int PLACED = 2;

  /** One record. */
  public sealed interface LogRecord {
    /**
     * The next transaction.
     *
     * @param placed whether nothing was missed up to its end, in the log of the last lead
     */
    record Next(BinlogTransaction transaction, Optional<HlcTimestamp> stamp, boolean placed)
        implements LogRecord {}

    /** Nothing was missed up to there. */
    record Reached(LogPlace place) implements LogRecord {}

    /** What comes is of that lead, or of earlier ones, and not among these. */
    record Begins(LeadNumber lead, GtidSet known) implements LogRecord {}

    /** What is wanted is not kept any more. */
    record Gone(String why) implements LogRecord {}

    /** It cannot be sent on, but maybe from elsewhere, or later. */
    record Broken(String why) implements LogRecord {}
  }

  private LogRecords() {}

  static void lead(ByteBuf out, LeadNumber lead) {
    out.writeLong(lead.term()).writeLong(lead.entry());
  }

  static LeadNumber lead(ByteBuf in) {
    return new LeadNumber(in.readLong(), in.readLong());
  }

  static void place(ByteBuf out, LogPlace place) {
    lead(out, place.lead());
    TransactionHead.place(out, place.position());
  }

  static LogPlace place(ByteBuf in) {
    return new LogPlace(lead(in), TransactionHead.place(in));
  }

  /** Writes a record with its length. */
  public static void write(ByteBuf out, LogRecord record) {
    int start = out.writerIndex();
    out.writeInt(0);
    switch (record) {
      case LogRecord.Next next -> {
        out.writeByte(TRANSACTION);
        transaction(out, next);
      }
      case LogRecord.Reached reached -> {
        out.writeByte(PLACE);
        place(out, reached.place());
      }
      case LogRecord.Begins begins -> {
        out.writeByte(BEGINS);
        lead(out, begins.lead());
        begins.known().encode(out);
      }
      case LogRecord.Gone gone -> {
        out.writeByte(GONE);
        TransactionHead.longText(out, gone.why());
      }
      case LogRecord.Broken broken -> {
        out.writeByte(BROKEN);
        TransactionHead.longText(out, broken.why());
      }
    }
    out.setInt(start, out.writerIndex() - start - LENGTH);
  }

  private static void transaction(ByteBuf out, LogRecord.Next next) {
    BinlogTransaction transaction = next.transaction();
    out.writeByte((next.stamp().isPresent() ? STAMPED : 0) | (next.placed() ? PLACED : 0));
    out.writeLong(next.stamp().map(HlcTimestamp::value).orElse(0L));
    TransactionHead.write(out, transaction);
    out.writeBoolean(transaction.events().isPresent());
    transaction.events().ifPresent(events -> out.writeBytes(events.view()));
  }

  /**
   * Reads a record without its length.
   *
   * @throws AlraiException ER_MALFORMED_PACKET when it is none
   */
  public static LogRecord read(ByteBuf in) {
    try {
      int kind = in.readUnsignedByte();
      LogRecord record =
          switch (kind) {
            case TRANSACTION -> transaction(in);
            case PLACE -> new LogRecord.Reached(place(in));
            case BEGINS -> new LogRecord.Begins(lead(in), set(in));
            case GONE -> new LogRecord.Gone(TransactionHead.longText(in));
            case BROKEN -> new LogRecord.Broken(TransactionHead.longText(in));
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

  /**
   * Reads a set of GTIDs.
   *
   * @throws AlraiException ER_MALFORMED_PACKET when it is none
   */
  static GtidSet set(ByteBuf in) {
    try {
      return GtidSet.decode(in);
    } catch (BinlogException e) {
      throw Envelope.malformed(String.valueOf(e.getMessage()));
    }
  }

  private static LogRecord.Next transaction(ByteBuf in) {
    int flags = in.readUnsignedByte();
    HlcTimestamp stamp = new HlcTimestamp(in.readLong());
    BinlogTransaction transaction = TransactionHead.read(in);
    if (in.readBoolean()) {
      byte[] bytes = new byte[in.readableBytes()];
      in.readBytes(bytes);
      transaction = transaction.with(new EventBytes(bytes));
    }
    return new LogRecord.Next(
        transaction,
        (flags & STAMPED) != 0 ? Optional.of(stamp) : Optional.empty(),
        (flags & PLACED) != 0);
  }
}
