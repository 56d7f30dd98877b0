package io.alrai.dn.ship;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.binlog.Xid;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a transaction is without its events, in bytes: numbers are big-endian, a text has its length
 * before it (u8, ASCII), a long one too (u32, UTF-8), a place is a file's name as text and an
 * offset u64.
 *
 * <pre>
 *  uuid 16 bytes, tag text, number u64 of the GTID | place of its end | length in the log u64 |
 *  may end a group u8 | connection id u64 | kind u8 and its names |
 *  count u32 of tables: schema and name as long texts
 * </pre>
 */
public final class TransactionHead {
  private TransactionHead() {}

  /** Writes all but the events. */
  public static void write(ByteBuf out, BinlogTransaction transaction) {
    gtid(out, transaction.gtid());
    place(out, transaction.end());
    out.writeLong(transaction.length()).writeBoolean(transaction.mayEndGroup());
    out.writeLong(transaction.connectionId());
    kind(out, transaction.kind());
    tables(out, transaction.tables());
  }

  /** Writes names of tables. */
  public static void tables(ByteBuf out, List<TableName> tables) {
    out.writeInt(tables.size());
    for (TableName table : tables) {
      longText(out, table.schema());
      longText(out, table.table());
    }
  }

  /** Reads names of tables. */
  public static List<TableName> tables(ByteBuf in) {
    int count = in.readInt();
    List<TableName> tables = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tables.add(new TableName(longText(in), longText(in)));
    }
    return tables;
  }

  private static void kind(ByteBuf out, TransactionKind kind) {
    switch (kind) {
      case TransactionKind.Commit k -> out.writeByte(0);
      case TransactionKind.Decision k -> {
        out.writeByte(1);
        text(out, k.id().gtrid());
        out.writeLong(k.commitTs().value());
        out.writeShort(k.marked().size());
        k.marked().forEach(dn -> text(out, dn.name()));
      }
      case TransactionKind.Tombstone k -> {
        out.writeByte(2);
        text(out, k.id().gtrid());
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
    longText(out, xid.gtrid());
    longText(out, xid.bqual());
  }

  /**
   * Reads what was written; its events are not there.
   *
   * @throws IllegalArgumentException when it is none
   * @throws IndexOutOfBoundsException when a part is missing
   */
  public static BinlogTransaction read(ByteBuf in) {
    Gtid gtid = gtid(in);
    BinlogPosition end = place(in);
    long length = in.readLong();
    boolean mayEndGroup = in.readBoolean();
    long connectionId = in.readLong();
    TransactionKind kind = kind(in);
    return new BinlogTransaction(
        gtid, end, length, mayEndGroup, kind, connectionId, tables(in), Optional.empty());
  }

  private static TransactionKind kind(ByteBuf in) {
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 0 -> new TransactionKind.Commit();
      case 1 ->
          new TransactionKind.Decision(
              TransactionId.parse(text(in)), new HlcTimestamp(in.readLong()), dns(in));
      case 2 -> new TransactionKind.Tombstone(TransactionId.parse(text(in)));
      case 3 -> new TransactionKind.XaPrepare(xid(in));
      case 4 -> new TransactionKind.XaCommit(xid(in));
      case 5 -> new TransactionKind.XaRollback(xid(in));
      case 6 -> new TransactionKind.OnePhase(xid(in));
      case 7 -> new TransactionKind.Statement();
      default -> throw new IllegalArgumentException("kind " + kind + " of a transaction");
    };
  }

  private static List<DnId> dns(ByteBuf in) {
    int count = in.readUnsignedShort();
    List<DnId> dns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      dns.add(new DnId(text(in)));
    }
    return dns;
  }

  private static Xid xid(ByteBuf in) {
    return new Xid(in.readInt(), longText(in), longText(in));
  }

  /** Writes a transaction's name. */
  public static void gtid(ByteBuf out, Gtid gtid) {
    out.writeLong(gtid.source().getMostSignificantBits());
    out.writeLong(gtid.source().getLeastSignificantBits());
    text(out, gtid.tag());
    out.writeLong(gtid.number());
  }

  /** Reads a transaction's name. */
  public static Gtid gtid(ByteBuf in) {
    return new Gtid(new UUID(in.readLong(), in.readLong()), text(in), in.readLong());
  }

  /** Writes a place. */
  public static void place(ByteBuf out, BinlogPosition place) {
    text(out, place.file());
    out.writeLong(place.offset());
  }

  /** Reads a place. */
  public static BinlogPosition place(ByteBuf in) {
    return new BinlogPosition(text(in), in.readLong());
  }

  private static void text(ByteBuf out, String ascii) {
    byte[] bytes = ascii.getBytes(StandardCharsets.US_ASCII);
    out.writeByte(bytes.length).writeBytes(bytes);
  }

  private static String text(ByteBuf in) {
    return in.readCharSequence(in.readUnsignedByte(), StandardCharsets.US_ASCII).toString();
  }

  /** Writes a text that may be long. */
  public static void longText(ByteBuf out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length).writeBytes(bytes);
  }

  /** Reads a text that may be long. */
  public static String longText(ByteBuf in) {
    return in.readCharSequence(in.readInt(), StandardCharsets.UTF_8).toString();
  }
}
