package io.alrai.dn.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.gate.live.CommitLog.Restamp;
import io.alrai.dn.group.GroupEntry.Stamped;
import io.alrai.dn.group.GroupEntry.Written;
import io.alrai.dn.ship.TransactionHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Entries in bytes. Numbers are big-endian; heads, names and long texts as in {@link
 * TransactionHead}; a stamp is u64. Stateless.
 *
 * <pre>
 *  version u8 | kind u8 | H u64 | what follows from the kind | CRC-32C of all before u32
 *
 *  1 transactions   count u32 | { stamp | head } | their events, of the lengths in the heads
 *  2 piece          name | offset u64 | total u64 | last u8: then stamp, head | its bytes
 *  3 stamps         count u32 | { name | stamp }
 *  4 clock          settled GTID set as a long text
 *  5 begin          the same
 *  6 names          name | tables as in a head
 * </pre>
 */
public final class EntryCodec {
  private static final int VERSION = 1;
  private static final int CRC = Integer.BYTES;
  private static final int FIRST_BYTES = 256;

  private static final int TRANSACTIONS = 1;
  private static final int PIECE = 2;
  private static final int STAMPS = 3;
  private static final int CLOCK = 4;
  private static final int BEGIN = 5;
  private static final int NAMES = 6;

  private EntryCodec() {}

  /** Writes an entry; events are copied once. */
  public static byte[] encode(GroupEntry entry) {
    ByteBuf head = Unpooled.buffer(FIRST_BYTES);
    head.writeByte(VERSION);
    return switch (entry) {
      case GroupEntry.Transactions e -> {
        begin(head, TRANSACTIONS, e);
        head.writeInt(e.transactions().size());
        e.transactions().forEach(one -> stamped(head, one.stamped()));
        yield joined(head, e.transactions().stream().map(Written::events).toList());
      }
      case GroupEntry.Piece e -> {
        begin(head, PIECE, e);
        TransactionHead.gtid(head, e.gtid());
        head.writeLong(e.offset()).writeLong(e.total()).writeBoolean(e.last().isPresent());
        e.last().ifPresent(last -> stamped(head, last));
        yield joined(head, List.of(e.bytes()));
      }
      case GroupEntry.Names e -> {
        begin(head, NAMES, e);
        TransactionHead.gtid(head, e.gtid());
        TransactionHead.tables(head, e.tables());
        yield joined(head, List.of());
      }
      case GroupEntry.Stamps e -> {
        begin(head, STAMPS, e);
        head.writeInt(e.stamps().size());
        for (Restamp one : e.stamps()) {
          TransactionHead.gtid(head, one.gtid());
          head.writeLong(one.stamp().value());
        }
        yield joined(head, List.of());
      }
      case GroupEntry.GivenBack e -> {
        begin(head, STAMPS, e);
        head.writeInt(0);
        yield joined(head, List.of());
      }
      case GroupEntry.Clock e -> {
        begin(head, CLOCK, e);
        TransactionHead.longText(head, e.settled().toString());
        yield joined(head, List.of());
      }
      case GroupEntry.Begin e -> {
        begin(head, BEGIN, e);
        TransactionHead.longText(head, e.settled().toString());
        yield joined(head, List.of());
      }
    };
  }

  private static void begin(ByteBuf head, int kind, GroupEntry entry) {
    head.writeByte(kind).writeLong(entry.reserved().value());
  }

  private static void stamped(ByteBuf head, Stamped one) {
    head.writeLong(one.stamp().value());
    TransactionHead.write(head, one.transaction());
  }

  private static byte[] joined(ByteBuf head, List<ByteBuffer> events) {
    int length = head.readableBytes() + CRC;
    for (ByteBuffer one : events) {
      length = Math.addExact(length, one.remaining());
    }
    ByteBuffer entry = ByteBuffer.allocate(length);
    entry.put(head.nioBuffer());
    events.forEach(one -> entry.put(one.duplicate()));
    CRC32C sum = new CRC32C();
    sum.update(entry.array(), 0, length - CRC);
    return entry.putInt((int) sum.getValue()).array();
  }

  /**
   * Reads an entry. Its events are parts of the given buffer.
   *
   * @param entry all of it; its position is not moved
   * @throws BinlogException with a sentence when it is damaged, or of a later version
   */
  public static GroupEntry decode(ByteBuffer entry) {
    ByteBuffer whole = entry.slice();
    int end = whole.limit() - CRC;
    if (end < 0) {
      throw damaged("it has " + whole.limit() + " bytes");
    }
    CRC32C sum = new CRC32C();
    sum.update(whole.slice(0, end));
    if (whole.getInt(end) != (int) sum.getValue()) {
      throw damaged("it has not its checksum");
    }
    ByteBuf in = Unpooled.wrappedBuffer(whole.slice(0, end));
    try {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new BinlogException(
            "an entry of the group's log has format "
                + version
                + ", and this program knows "
                + VERSION
                + ": another member is newer");
      }
      GroupEntry read = body(in, in.readUnsignedByte());
      if (in.isReadable()) {
        throw damaged("it has " + in.readableBytes() + " bytes too many");
      }
      return read;
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw damaged(e.toString());
    }
  }

  private static BinlogException damaged(String how) {
    return new BinlogException("an entry of the group's log is damaged: " + how);
  }

  private static GroupEntry body(ByteBuf in, int kind) {
    HlcTimestamp reserved = stamp(in);
    return switch (kind) {
      case TRANSACTIONS -> new GroupEntry.Transactions(reserved, transactions(in));
      case PIECE -> piece(reserved, in);
      case STAMPS -> stamps(reserved, stamps(in));
      case CLOCK -> new GroupEntry.Clock(reserved, set(in));
      case BEGIN -> new GroupEntry.Begin(reserved, set(in));
      case NAMES ->
          new GroupEntry.Names(reserved, TransactionHead.gtid(in), TransactionHead.tables(in));
      default -> throw new IllegalArgumentException("kind " + kind);
    };
  }

  private static HlcTimestamp stamp(ByteBuf in) {
    return new HlcTimestamp(in.readLong());
  }

  private static Stamped stamped(ByteBuf in) {
    HlcTimestamp stamp = stamp(in);
    return new Stamped(TransactionHead.read(in), stamp);
  }

  private static List<Written> transactions(ByteBuf in) {
    int count = in.readInt();
    List<Stamped> heads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      heads.add(stamped(in));
    }
    List<Written> all = new ArrayList<>(heads.size());
    for (Stamped head : heads) {
      all.add(new Written(head, bytes(in, head.transaction().length())));
    }
    return all;
  }

  private static GroupEntry.Piece piece(HlcTimestamp reserved, ByteBuf in) {
    Gtid gtid = TransactionHead.gtid(in);
    long offset = in.readLong();
    long total = in.readLong();
    Optional<Stamped> last = in.readBoolean() ? Optional.of(stamped(in)) : Optional.empty();
    return new GroupEntry.Piece(reserved, gtid, offset, total, last, bytes(in, in.readableBytes()));
  }

  private static ByteBuffer bytes(ByteBuf in, long length) {
    if (length < 0 || length > in.readableBytes()) {
      throw new IndexOutOfBoundsException(length + " bytes of events are not there");
    }
    ByteBuffer bytes = in.nioBuffer(in.readerIndex(), (int) length);
    in.skipBytes((int) length);
    return bytes;
  }

  private static GroupEntry stamps(HlcTimestamp reserved, List<Restamp> stamps) {
    return stamps.isEmpty()
        ? new GroupEntry.GivenBack(reserved)
        : new GroupEntry.Stamps(reserved, stamps);
  }

  private static List<Restamp> stamps(ByteBuf in) {
    int count = in.readInt();
    List<Restamp> stamps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      stamps.add(new Restamp(TransactionHead.gtid(in), stamp(in)));
    }
    return stamps;
  }

  private static GtidSet set(ByteBuf in) {
    return GtidSet.parse(TransactionHead.longText(in));
  }
}
