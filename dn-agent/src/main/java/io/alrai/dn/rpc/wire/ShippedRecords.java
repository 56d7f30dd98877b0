package io.alrai.dn.rpc.wire;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.ship.TransactionHead;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * What a voter sends to one who learns from it. Each record has its length before it, without
 * itself; all else is as in {@link TransactionHead}.
 *
 * <pre>
 *  length u32 | 1                           nothing is missing before what comes
 *  length u32 | 2 | index u64, head         the next transaction, whose events follow in pieces
 *  length u32 | 3 | bytes of events
 *  length u32 | 4 | index u64               no entry after that one is committed here
 *  length u32 | 5 | long text               what is wanted is not kept any more; the last record
 *  length u32 | 6 | it leads u8, long text  it does not know of all that is known; the last record
 * </pre>
 */
public final class ShippedRecords {
  /** Bytes of a record's length. */
  public static final int LENGTH = 4;

  /** Most bytes of a record: the names of a transaction's tables. */
  public static final int MOST = 32 << 20;

  private static final int BEGINS = 1;
  private static final int NEXT = 2;
  private static final int PIECE = 3;
  private static final int HEARD = 4;
  private static final int GONE = 5;
  private static final int UNKNOWN = 6;

  /** One record. */
  public sealed interface ShippedRecord {
    /** Nothing is missing before what comes. */
    record Begins() implements ShippedRecord {}

    /**
     * The next transaction.
     *
     * @param head without its events
     */
    record Next(long index, BinlogTransaction head) implements ShippedRecord {}

    /** The next part of its events. */
    record Piece(ByteBuffer events) implements ShippedRecord {}

    /** No entry after that one is committed. */
    record Heard(long index, long sent) implements ShippedRecord {}

    /** What is wanted is not kept any more. */
    record Gone(String why) implements ShippedRecord {}

    /**
     * The other side has what this one does not know.
     *
     * @param leads whether this one leads, so that nobody knows of it
     */
    record Unknown(boolean leads, String which) implements ShippedRecord {}
  }

  private ShippedRecords() {}

  /** Writes a record with its length. */
  public static void write(ByteBuf out, ShippedRecord record) {
    int start = out.writerIndex();
    out.writeInt(0);
    switch (record) {
      case ShippedRecord.Begins _ -> out.writeByte(BEGINS);
      case ShippedRecord.Next(long index, BinlogTransaction head) -> {
        out.writeByte(NEXT).writeLong(index);
        TransactionHead.write(out, head);
      }
      case ShippedRecord.Piece(ByteBuffer events) ->
          out.writeByte(PIECE).writeBytes(events.duplicate());
      case ShippedRecord.Heard(long index, long sent) ->
          out.writeByte(HEARD).writeLong(index).writeLong(sent);
      case ShippedRecord.Gone(String why) -> {
        out.writeByte(GONE);
        TransactionHead.longText(out, why);
      }
      case ShippedRecord.Unknown(boolean leads, String which) -> {
        out.writeByte(UNKNOWN).writeBoolean(leads);
        TransactionHead.longText(out, which);
      }
    }
    out.setInt(start, out.writerIndex() - start - LENGTH);
  }

  /**
   * Reads a record without its length.
   *
   * @throws AlraiException ER_MALFORMED_PACKET when it is none
   */
  public static ShippedRecord read(ByteBuf in) {
    try {
      int kind = in.readUnsignedByte();
      ShippedRecord record =
          switch (kind) {
            case BEGINS -> new ShippedRecord.Begins();
            case NEXT -> new ShippedRecord.Next(in.readLong(), TransactionHead.read(in));
            case PIECE -> {
              byte[] events = new byte[in.readableBytes()];
              in.readBytes(events);
              yield new ShippedRecord.Piece(ByteBuffer.wrap(events).asReadOnlyBuffer());
            }
            case HEARD -> new ShippedRecord.Heard(in.readLong(), in.readLong());
            case GONE -> new ShippedRecord.Gone(TransactionHead.longText(in));
            case UNKNOWN ->
                new ShippedRecord.Unknown(in.readBoolean(), TransactionHead.longText(in));
            default -> throw Envelope.malformed("record " + kind + " of a voter's log");
          };
      if (in.isReadable()) {
        throw Envelope.malformed("a record with " + in.readableBytes() + " bytes too many");
      }
      return record;
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Envelope.malformed("a record of a voter's log: " + e.getMessage());
    }
  }
}
