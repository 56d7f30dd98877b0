package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.binlog.Xid;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What the bytes of a log connection say. Each record has its length before it, without itself;
 * numbers are big-endian, texts as in {@link Envelope}, a place is a file's name as text and an
 * offset u64.
 *
 * <pre>
 *  length u32 | 1 | transaction, see below
 *  length u32 | 2 | place                    nothing was missed up to there
 *
 *  stamp u64 with u8 before it, 0 if it is not known | uuid 16 bytes, tag text, number u64 of the
 *  GTID | place of its end | length in the log u64 | may end a group u8 | connection id u64 |
 *  kind u8 and its names | count u16 of tables: schema and name as long texts |
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
        place(out, reached.place());
      }
    }
    out.setInt(start, out.writerIndex() - start - LENGTH);
  }

  private static void transaction(
      ByteBuf out, BinlogTransaction transaction, Optional<HlcTimestamp> stamp) {
    out.writeBoolean(stamp.isPresent()).writeLong(stamp.map(HlcTimestamp::value).orElse(0L));
    Gtid gtid = transaction.gtid();
    out.writeLong(gtid.source().getMostSignificantBits());
    out.writeLong(gtid.source().getLeastSignificantBits());
    MessageCodec.text(out, gtid.tag());
    out.writeLong(gtid.number());
    place(out, transaction.end());
    out.writeLong(transaction.length()).writeBoolean(transaction.mayEndGroup());
    out.writeLong(transaction.connectionId());
    kind(out, transaction.kind());
    out.writeShort(transaction.tables().size());
    for (TableName table : transaction.tables()) {
      MessageCodec.longText(out, table.schema());
      MessageCodec.longText(out, table.table());
    }
    out.writeBoolean(transaction.events().isPresent());
    transaction.events().ifPresent(events -> out.writeBytes(events.view()));
  }

  private static void kind(ByteBuf out, TransactionKind kind) {
    switch (kind) {
      case TransactionKind.Commit k -> out.writeByte(0);
      case TransactionKind.Decision k -> {
        out.writeByte(1);
        MessageCodec.text(out, k.id().gtrid());
        out.writeLong(k.commitTs().value());
        out.writeShort(k.marked().size());
        k.marked().forEach(dn -> MessageCodec.text(out, dn.name()));
      }
      case TransactionKind.Tombstone k -> {
        out.writeByte(2);
        MessageCodec.text(out, k.id().gtrid());
      }
      case TransactionKind.XaPrepare k -> xid(out, 3, k.xid());
      case TransactionKind.XaCommit k -> xid(out, 4, k.xid());
      case TransactionKind.XaRollback k -> xid(out, 5, k.xid());
      case TransactionKind.OnePhase k -> xid(out, 6, k.xid());
      case TransactionKind.Statement k -> out.writeByte(7);
    }
  }

  private static void xid(ByteBuf out, int kind, Xid xid) {
    out.writeByte(kind).writeInt(xid.format());
    MessageCodec.longText(out, xid.gtrid());
    MessageCodec.longText(out, xid.bqual());
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
            case PLACE -> new LogRecord.Reached(place(in));
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
    Gtid gtid =
        new Gtid(new UUID(in.readLong(), in.readLong()), MessageCodec.text(in), in.readLong());
    BinlogPosition end = place(in);
    long length = in.readLong();
    boolean mayEndGroup = in.readBoolean();
    long connectionId = in.readLong();
    TransactionKind kind = kind(in);
    int count = in.readUnsignedShort();
    List<TableName> tables = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tables.add(new TableName(MessageCodec.longText(in), MessageCodec.longText(in)));
    }
    Optional<EventBytes> events = Optional.empty();
    if (in.readBoolean()) {
      byte[] bytes = new byte[in.readableBytes()];
      in.readBytes(bytes);
      events = Optional.of(new EventBytes(bytes));
    }
    return new LogRecord.Next(
        new BinlogTransaction(gtid, end, length, mayEndGroup, kind, connectionId, tables, events),
        stamped ? Optional.of(stamp) : Optional.empty());
  }

  private static List<DnId> dns(ByteBuf in) {
    int count = in.readUnsignedShort();
    List<DnId> dns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      dns.add(new DnId(MessageCodec.text(in)));
    }
    return dns;
  }

  private static TransactionKind kind(ByteBuf in) {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 0 -> new TransactionKind.Commit();
      case 1 ->
          new TransactionKind.Decision(
              TransactionId.parse(MessageCodec.text(in)), new HlcTimestamp(in.readLong()), dns(in));
      case 2 -> new TransactionKind.Tombstone(TransactionId.parse(MessageCodec.text(in)));
      case 3 -> new TransactionKind.XaPrepare(xid(in));
      case 4 -> new TransactionKind.XaCommit(xid(in));
      case 5 -> new TransactionKind.XaRollback(xid(in));
      case 6 -> new TransactionKind.OnePhase(xid(in));
      case 7 -> new TransactionKind.Statement();
      default -> throw Envelope.malformed("kind " + kind + " of a transaction");
    };
  }

  private static Xid xid(ByteBuf in) {
    return new Xid(in.readInt(), MessageCodec.longText(in), MessageCodec.longText(in));
  }

  /** Writes a place. */
  static void place(ByteBuf out, BinlogPosition place) {
    MessageCodec.text(out, place.file());
    out.writeLong(place.offset());
  }

  /** Reads a place. */
  static BinlogPosition place(ByteBuf in) {
    return new BinlogPosition(MessageCodec.text(in), in.readLong());
  }
}
