package io.alrai.cn.protocol;

import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts a client's bytes into commands: buffers of one packet, or of several where the payload goes
 * on over 16 MiB, headers included. A command that is whole in one read is passed on as a slice
 * without a copy; each byte of another is copied once, and up to 1 MiB while the buffer grows.
 * Event loop only.
 *
 * <pre>
 *  read 1            read 2                     read 3
 * +---------+------+ +------------------------+ +------+---------+---------+
 * | command | begin| | of a command           | | end  | command | command |
 * +---------+------+ +------------------------+ +------+---------+---------+
 *   slice    \______________ unfinished ______________/    slice     slice
 * </pre>
 */
public final class CommandFramer extends ChannelInboundHandlerAdapter {
  /** Takes the commands. */
  public interface Receiver {
    /** One command with its headers; the receiver releases it. */
    void command(ByteBuf packets);

    /** A command over {@code max_allowed_packet}; the connection is of no use any more. */
    void tooLarge();

    /**
     * There was no memory for a command, which has been read to its end and forgotten.
     *
     * @param sequence of the packet that answers it
     */
    void noRoom(int sequence);

    /** The client is gone. */
    void gone();

    /** The channel can take more, or cannot. */
    void writabilityChanged(boolean writable);
  }

  private static final Logger log = LoggerFactory.getLogger(CommandFramer.class);
  private static final int LEAST_ROOM = 4096;

  private final long mostBytes;
  private final Receiver receiver;
  private @Nullable ByteBuf unfinished;
  private @Nullable DiscardedCommand discarded;
  private int lastHeader;
  private boolean refused;

  /**
   * A framer for one client.
   *
   * @param maxAllowedPacket bytes of a command's payload
   */
  public CommandFramer(int maxAllowedPacket, Receiver receiver) {
    this.mostBytes = maxAllowedPacket + (maxAllowedPacket / Packets.MAX_PAYLOAD + 2L) * 4;
    this.receiver = receiver;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf buf = (ByteBuf) message;
    try {
      while (buf.isReadable() && !refused) {
        DiscardedCommand ending = discarded;
        if (ending != null) {
          discard(ending, buf);
          continue;
        }
        ByteBuf begun = unfinished;
        if (begun != null) {
          go(begun, buf);
          continue;
        }
        int end = commandEnd(buf, buf.readerIndex());
        if (end < 0) {
          begin(ctx, buf);
        } else {
          receiver.command(buf.readRetainedSlice(end - buf.readerIndex()));
        }
      }
    } finally {
      buf.release();
    }
  }

  private void begin(ChannelHandlerContext ctx, ByteBuf buf) {
    int length = buf.readableBytes();
    ByteBuf begun = ctx.alloc().buffer(Math.max(2 * length, LEAST_ROOM));
    begun.writeBytes(buf);
    unfinished = begun;
    lastHeader = 0;
  }

  /** Takes what the command lacks, or all that there is. */
  private void go(ByteBuf before, ByteBuf buf) {
    int missing = missing(before);
    int taken = Math.min(missing, buf.readableBytes());
    if (before.writerIndex() + (long) taken > mostBytes) {
      refused = true;
      release();
      receiver.tooLarge();
      return;
    }
    ByteBuf begun;
    try {
      begun = withRoom(before, taken);
    } catch (OutOfMemoryError e) {
      discard(before, e);
      return;
    }
    begun.writeBytes(buf, taken);
    if (taken == missing && missing(begun) == 0) {
      unfinished = null;
      receiver.command(begun);
    }
  }

  /** The bytes with room for more; from {@link LargeCommand#STEP} on they are not moved. */
  private ByteBuf withRoom(ByteBuf begun, int wanted) {
    if (begun.writableBytes() >= wanted) {
      return begun;
    }
    int needed = begun.writerIndex() + wanted;
    if (needed <= LargeCommand.STEP) {
      return begun.capacity(Math.min(LargeCommand.STEP, Math.max(needed, 2 * begun.capacity())));
    }
    LargeCommand large = begun instanceof LargeCommand known ? known : LargeCommand.behind(begun);
    unfinished = large;
    large.grow(wanted);
    return large;
  }

  private void discard(ByteBuf begun, OutOfMemoryError why) {
    log.warn("no memory for a command of a client: {}", why.getMessage());
    discarded = new DiscardedCommand(begun, lastHeader);
    release();
  }

  private void discard(DiscardedCommand command, ByteBuf buf) {
    if (command.discard(buf)) {
      discarded = null;
      receiver.noRoom(command.answer());
    }
  }

  /** How many bytes the command lacks until its next header, or its end, is there; 0: whole. */
  private int missing(ByteBuf begun) {
    while (true) {
      int there = begun.writerIndex() - lastHeader;
      if (there < Packets.HEADER) {
        return Packets.HEADER - there;
      }
      int packet = Packets.HEADER + begun.getUnsignedMediumLE(lastHeader);
      if (there < packet) {
        return packet - there;
      }
      if (packet < Packets.HEADER + Packets.MAX_PAYLOAD) {
        return 0;
      }
      lastHeader += packet;
    }
  }

  /** Index after the command that starts at an index, or -1 when it is not complete yet. */
  private static int commandEnd(ByteBuf buf, int start) {
    int at = start;
    while (buf.writerIndex() - at >= Packets.HEADER) {
      int length = buf.getUnsignedMediumLE(at);
      int end = at + Packets.HEADER + length;
      if (end > buf.writerIndex()) {
        return -1;
      }
      if (length < Packets.MAX_PAYLOAD) {
        return end;
      }
      at = end;
    }
    return -1;
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    release();
    receiver.gone();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    release();
  }

  private void release() {
    ByteBuf rest = unfinished;
    unfinished = null;
    if (rest != null) {
      rest.release();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    receiver.writabilityChanged(ctx.channel().isWritable());
  }

  /** A client that has ended its TLS has nothing more to say. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslCloseCompletionEvent) {
      ctx.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // a reset, or TLS that is none any more
    boolean ofNetwork = cause instanceof IOException || cause.getCause() instanceof IOException;
    if (!ofNetwork) {
      log.error("{}: the connection ends by a defect", ctx.channel().remoteAddress(), cause);
    }
    ctx.close();
  }
}
