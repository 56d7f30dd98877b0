package io.alrai.dn.binlog;

import io.alrai.common.wire.Command;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.PausableDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a mysqld sends to a replica into events. Event loop only.
 *
 * <pre>
 *  packet:  length 3 | seq | 00 | EF, flags: only to a semi-synchronous replica | event
 *  ack:     length 3 | 0   | EF | offset 8 | file name
 * </pre>
 *
 * An event of 16 MiB or more goes on in further packets, without the bytes before it. Packets are
 * numbered from 1 on, and again from 1 on after an event for which an acknowledgement is wanted.
 */
final class DumpHandler extends PausableDecoder {
  private static final int MAGIC = 0xef;
  private static final int ERROR = 0xff;
  private static final int END = 0xfe;

  private final boolean semiSync;
  private final DumpConnection connection;
  private final DumpConnection.Sink sink;
  private @Nullable ByteBuf large;
  private boolean largeAckWanted;
  private boolean attached;

  /** Sequence number of the next packet. */
  private int expected = 1;

  DumpHandler(boolean semiSync, DumpConnection connection, DumpConnection.Sink sink) {
    this.semiSync = semiSync;
    this.connection = connection;
    this.sink = sink;
  }

  void request(Channel channel, byte[] dumpRequest) {
    ByteBuf out = channel.alloc().buffer(dumpRequest.length + Packets.HEADER + 1);
    Packets.writeCommand(out, Command.BINLOG_DUMP_GTID, dumpRequest);
    channel.writeAndFlush(out, channel.voidPromise());
  }

  static void ack(Channel channel, BinlogPosition position) {
    ByteBuf out = channel.alloc().buffer(64);
    int header = Packets.begin(out, 0);
    out.writeByte(MAGIC).writeLongLE(position.offset());
    out.writeCharSequence(position.file(), StandardCharsets.UTF_8);
    Packets.end(out, header);
    channel.writeAndFlush(out, channel.voidPromise());
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    while (in.readableBytes() >= Packets.HEADER) {
      int length = in.getUnsignedMediumLE(in.readerIndex());
      if (in.readableBytes() < Packets.HEADER + length) {
        return;
      }
      int sequence = in.getUnsignedByte(in.readerIndex() + Packets.HEADER - 1);
      in.skipBytes(Packets.HEADER);
      int end = in.readerIndex() + length;
      inStep(in, length, sequence);
      packet(ctx, in, length);
      in.readerIndex(end);
    }
  }

  /** What is missing, or comes twice, must not go unseen; an error ends the stream anyway. */
  private void inStep(ByteBuf in, int length, int sequence) {
    boolean error = large == null && length > 0 && in.getUnsignedByte(in.readerIndex()) == ERROR;
    if (sequence != expected && !error) {
      throw new BinlogException(
          "the mysqld's packet is out of step: " + sequence + " where " + expected + " is due");
    }
    expected = sequence + 1 & 0xff;
  }

  private void packet(ChannelHandlerContext ctx, ByteBuf in, int length) {
    int start = in.readerIndex();
    boolean goesOn = length == Packets.MAX_PAYLOAD;
    ByteBuf begun = large;
    if (begun != null) {
      begun.writeBytes(in, start, length);
      if (!goesOn) {
        large = null;
        begins(largeAckWanted);
        try {
          sink.event(new Event(begun, 0, begun.readableBytes(), largeAckWanted));
        } finally {
          begun.release();
        }
      }
      return;
    }
    int prefix = prefix(in, start, length);
    if (!attached) {
      attached = true;
      sink.attached();
    }
    boolean ackWanted = semiSync && in.getByte(start + 2) != 0;
    if (goesOn) {
      largeAckWanted = ackWanted;
      large = ctx.alloc().buffer(2 * length).writeBytes(in, start + prefix, length - prefix);
    } else {
      begins(ackWanted);
      sink.event(new Event(in, start + prefix, length - prefix, ackWanted));
    }
  }

  /** The mysqld counts anew where it reads an acknowledgement. */
  private void begins(boolean ackWanted) {
    if (ackWanted) {
      expected = 1;
    }
  }

  private int prefix(ByteBuf in, int start, int length) {
    int status = in.getUnsignedByte(start);
    if (status == ERROR) {
      throw new BinlogException(
          "the mysqld ends the stream", ErrPacket.parse(in, start, length).toException());
    }
    if (status == END) {
      throw new BinlogException("the mysqld ends the stream");
    }
    if (!semiSync) {
      return 1;
    }
    if (in.getUnsignedByte(start + 1) != MAGIC) {
      throw new BinlogException("the mysqld does not wait for acknowledgements");
    }
    return 3;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    sink.batchEnd();
    super.channelReadComplete(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    connection.fail(new BinlogException("the mysqld closed the connection"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    Throwable reason = cause;
    if (cause instanceof DecoderException && cause.getCause() != null) {
      reason = cause.getCause();
    }
    connection.fail(reason);
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) {
    ByteBuf begun = large;
    if (begun != null) {
      large = null;
      begun.release();
    }
  }
}
