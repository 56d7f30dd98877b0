package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyFramer;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replies that are outstanding on one connection: frames what comes and hands each packet to
 * the reader whose turn it is. A packet that is out of step, or that cannot come where it comes, is
 * a {@link ReplyFramer.Violation}. Event loop only.
 */
final class ReplyQueue {
  private static final Logger log = LoggerFactory.getLogger(ReplyQueue.class);
  private static final int MOST_RESERVED = 1 << 20;

  /** Whose replies they are. */
  interface Owner {
    /** Whether nothing that comes counts any more. */
    boolean closed();

    /** A statement succeeded, and may tell of changed rows. */
    void ok(ByteBuf buf, int payload, int length);

    /** All packets of a reply have arrived; its reader is called next. */
    void replyRead();

    /**
     * A packet that answers no command: the mysqld says why it closes the connection (inactivity,
     * KILL, shutdown). It has not read the commands whose replies are outstanding.
     */
    void leaves(String why);

    /** A reader failed. */
    void defect(Throwable defect);

    /** The error for a reader that may have missed packets. */
    AlraiException lost();
  }

  /**
   * A command whose reply is not complete.
   *
   * @param first sequence number of its reply: as many as the command has packets
   */
  private record Pending(ReplyKind kind, ReplySink sink, int first) {}

  private final Owner owner;
  private final ReplyFramer framer = new ReplyFramer();
  private final ArrayDeque<Pending> pending = new ArrayDeque<>(4);
  private @Nullable Pending current;
  private @Nullable ByteBuf leftover;

  /** Sequence number of the next packet of the current reply. */
  private int expected;

  private int heard;

  /** From the last reply that carried status flags. */
  private int status = ServerStatus.AUTOCOMMIT;

  ReplyQueue(Owner owner) {
    this.owner = owner;
  }

  /** How many are not complete. */
  int size() {
    return pending.size() + (current == null ? 0 : 1);
  }

  /** A command is being sent. */
  void add(ByteBuf command, ReplyKind kind, ReplySink sink) {
    pending.add(new Pending(kind, sink, packets(command)));
  }

  /** How many there are in a command. */
  private static int packets(ByteBuf command) {
    int count = 1;
    int at = command.readerIndex();
    while (command.writerIndex() - at > Packets.MAX_PAYLOAD) {
      at += Packets.HEADER + command.getUnsignedMediumLE(at);
      count += at < command.writerIndex() ? 1 : 0;
    }
    return count & 0xff;
  }

  /** The current reply has asked for a file, which is being sent: it goes on after that. */
  void fileSent(ByteBuf packets) {
    int at = packets.readerIndex();
    while (at < packets.writerIndex()) {
      at += Packets.HEADER + packets.getUnsignedMediumLE(at);
      expected = expected + 1 & 0xff;
    }
  }

  /** Grows whenever something comes. */
  int heard() {
    return heard;
  }

  /** Status flags from the last reply that carried them. */
  int status() {
    return status;
  }

  void status(int flags) {
    status = flags;
  }

  /** Whether a part of a packet is there. */
  boolean withinPacket() {
    return leftover != null;
  }

  /**
   * Takes bytes as they come, and the buffer.
   *
   * @throws ReplyFramer.Violation when the connection is of no use any more
   */
  void read(ByteBufAllocator alloc, ByteBuf bytes) {
    heard++;
    ByteBuf buf = bytes;
    ByteBuf before = leftover;
    if (before != null) {
      before.writeBytes(buf);
      buf.release();
      buf = before;
      leftover = null;
    }
    try {
      int stop = frame(buf);
      int rest = buf.writerIndex() - stop;
      if (rest > 0) {
        int wanted = rest >= Packets.HEADER ? buf.getUnsignedMediumLE(stop) + Packets.HEADER : rest;
        ByteBuf kept = alloc.buffer(Math.max(Math.min(wanted, MOST_RESERVED), rest) + 256);
        leftover = kept.writeBytes(buf, stop, rest);
      }
    } finally {
      buf.release();
    }
  }

  /** Takes whole packets while the owner is open; gives where the rest begins. */
  private int frame(ByteBuf buf) {
    int at = buf.readerIndex();
    int end = buf.writerIndex();
    boolean given = false;
    while (!owner.closed() && end - at >= Packets.HEADER) {
      int length = buf.getUnsignedMediumLE(at);
      if (end - at - Packets.HEADER < length) {
        break;
      }
      Pending reply = current;
      if (reply == null) {
        reply = begin(buf, at, length);
        if (reply == null) {
          return end;
        }
      }
      int sequence = buf.getUnsignedByte(at + Packets.HEADER - 1);
      if (sequence != expected) {
        throw new ReplyFramer.Violation("packet " + sequence + " where " + expected + " is due");
      }
      expected = sequence + 1 & 0xff;
      PacketKind kind = framer.accept(buf, at + Packets.HEADER, length);
      if (kind == PacketKind.OK) {
        owner.ok(buf, at + Packets.HEADER, length);
      }
      reply.sink.packet(kind, buf, at, length + Packets.HEADER);
      given = true;
      at += length + Packets.HEADER;
      if (framer.done()) {
        given = false;
        end(reply, kind);
      }
    }
    Pending open = current;
    if (given && open != null) {
      open.sink.chunkEnd();
    }
    return owner.closed() ? end : at;
  }

  /** The next reply, whose first packet is there; null when the connection is at its end. */
  private @Nullable Pending begin(ByteBuf buf, int at, int length) {
    Pending reply = pending.peek();
    int sequence = buf.getUnsignedByte(at + Packets.HEADER - 1);
    boolean error = length > 2 && buf.getUnsignedByte(at + Packets.HEADER) == 0xff;
    if (reply == null || (error && sequence == 0)) {
      owner.leaves(error ? ErrPacket.parse(buf, at + Packets.HEADER, length).message() : "unasked");
      return null;
    }
    pending.remove();
    current = reply;
    framer.begin(reply.kind);
    // a command that is too large is refused before all of its packets are read
    expected = error ? Math.min(sequence, reply.first) : reply.first;
    return reply;
  }

  private void end(Pending reply, PacketKind kind) {
    current = null;
    if (kind == PacketKind.OK || kind == PacketKind.RESULT_END) {
      status = framer.status();
    }
    try {
      reply.sink.chunkEnd();
      owner.replyRead();
      reply.sink.end(kind == PacketKind.ERR ? 0 : framer.status());
    } catch (RuntimeException | VirtualMachineError defect) {
      owner.defect(defect);
      fail(reply.sink, owner.lost());
    }
  }

  /**
   * The connection is lost, with all replies that are not complete.
   *
   * @param unread the error for commands that the mysqld has not read; null if it may have read any
   *     of them
   */
  void fail(@Nullable AlraiException unread) {
    ByteBuf rest = leftover;
    if (rest != null) {
      leftover = null;
      rest.release();
    }
    Pending open = current;
    current = null;
    if (open != null) {
      fail(open.sink, owner.lost());
    }
    Pending next;
    while ((next = pending.poll()) != null) {
      fail(next.sink, unread == null ? owner.lost() : unread);
    }
  }

  /** What one reader makes of it is no matter for the next. */
  static void fail(ReplySink sink, AlraiException reason) {
    try {
      sink.failed(reason);
    } catch (RuntimeException | VirtualMachineError defect) {
      log.error("the loss of a connection meets a defect", defect);
    }
  }
}
