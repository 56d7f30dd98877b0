package io.alrai.dn.group;

import io.alrai.common.wire.Packets;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.UUID;

/**
 * Makes packets for a replica out of committed transactions, whose bytes come in pieces that end
 * anywhere. No I/O; one thread.
 *
 * <pre>
 *  packet:  length 3 | seq | 00 | event         numbered from 1 on
 *  event:   timestamp 4 | type 1 | server id 4 | length 4 | end pos 4 | flags 2 | body | CRC-32
 * </pre>
 *
 * An event of 16 MiB or more goes on in further packets, without the 00.
 *
 * <p>Events stay as their origin logged them, with their places in its files. The replica counts
 * bytes from the last rotation on by itself, and so does this: heartbeats name that place. Which
 * transactions need which follows from numbers that mean something in one file of one origin only:
 * where they do not go on, a rotation makes the replica wait until all before it is applied.
 */
final class ReplicaPackets {
  /** After the magic number at the beginning of a file. */
  static final int FIRST_PLACE = 4;

  private static final int HEADER = 19;
  private static final int LENGTH_AT = 9;
  private static final int LEAST_EVENT = HEADER + 4;

  /** No GTID's event is longer. */
  private static final int MOST_FIRST = 64 << 10;

  private static final long LONGEST_FILE = 1L << 30;

  private int sequence = 1;
  private int fileNumber;
  private long place;

  // The last transaction:
  private UUID origin = new UUID(0, 0);
  private long number;

  // The event under way:
  private final ByteBuf head = Unpooled.buffer(256);
  private boolean first;
  private long payloadLeft;
  private int packetLeft;
  private boolean goesOn;

  /** The next pieces are those of a transaction. */
  void begin(Gtid gtid) {
    first = true;
    if (!origin.equals(gtid.source())) {
      origin = gtid.source();
      number = -1;
    }
  }

  /**
   * Takes a piece.
   *
   * @param out is appended to
   * @throws BinlogException when these are no events
   */
  void piece(ByteBuffer piece, ByteBuf out) {
    while (piece.hasRemaining()) {
      if (payloadLeft > 0) {
        int count = (int) Math.min(piece.remaining(), payloadLeft);
        event(Unpooled.wrappedBuffer(piece).readSlice(count), out);
        piece.position(piece.position() + count);
      } else {
        head(piece, out);
      }
    }
  }

  /**
   * All pieces of the transaction have come.
   *
   * @throws BinlogException when its last event is not whole
   */
  void end() {
    if (payloadLeft > 0 || head.isReadable() || first) {
      throw new BinlogException("a transaction of the group's log ends in the middle of an event");
    }
  }

  /** Collects what has to be known before an event is sent: its length; of the first one, all. */
  private void head(ByteBuffer piece, ByteBuf out) {
    long wanted = HEADER;
    if (head.readableBytes() >= HEADER) {
      wanted = head.getUnsignedIntLE(LENGTH_AT);
    }
    int count = (int) Math.min(piece.remaining(), wanted - head.readableBytes());
    head.writeBytes(piece.slice().limit(count));
    piece.position(piece.position() + count);
    if (head.readableBytes() < HEADER) {
      return;
    }
    long length = head.getUnsignedIntLE(LENGTH_AT);
    if (length < LEAST_EVENT || first && length > MOST_FIRST) {
      throw new BinlogException("an event of " + length + " bytes in the group's log");
    }
    if (first) {
      if (head.readableBytes() < length) {
        return;
      }
      first = false;
      numbered(out);
    }
    open(length, out);
    event(head, out);
    head.clear();
  }

  private void numbered(ByteBuf out) {
    byte[] bytes = new byte[head.readableBytes()];
    head.getBytes(head.readerIndex(), bytes);
    long next = new EventBytes(bytes).sequence();
    if (place != FIRST_PLACE && (next != number + 1 || place > LONGEST_FILE)) {
      rotation(out);
    }
    number = next;
  }

  /** A new file: at the beginning of a connection, too. */
  void rotation(ByteBuf out) {
    fileNumber++;
    made(MadeUpEvents.rotation(file()), out);
    place = FIRST_PLACE;
  }

  /** There is nothing to send. */
  void heartbeat(ByteBuf out) {
    long sent = place;
    made(MadeUpEvents.heartbeat(file(), sent), out);
    place = sent;
  }

  private String file() {
    return String.format(Locale.ROOT, "group.%06d", fileNumber);
  }

  private void made(ByteBuf event, ByteBuf out) {
    open(event.readableBytes(), out);
    event(event, out);
  }

  private void open(long length, ByteBuf out) {
    place += length;
    payloadLeft = length + 1;
    packet(out);
    out.writeByte(0);
    payloadLeft--;
    packetLeft--;
  }

  private void packet(ByteBuf out) {
    packetLeft = (int) Math.min(payloadLeft, Packets.MAX_PAYLOAD);
    goesOn = packetLeft == Packets.MAX_PAYLOAD;
    out.writeMediumLE(packetLeft).writeByte(sequence++);
  }

  /** Bytes of the event under way; a packet that is full is followed by another, an empty one. */
  private void event(ByteBuf bytes, ByteBuf out) {
    while (bytes.isReadable()) {
      int count = Math.min(bytes.readableBytes(), packetLeft);
      out.writeBytes(bytes, count);
      packetLeft -= count;
      payloadLeft -= count;
      if (packetLeft == 0 && goesOn) {
        packet(out);
      }
    }
  }
}
