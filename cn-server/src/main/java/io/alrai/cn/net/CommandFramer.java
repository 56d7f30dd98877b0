package io.alrai.cn.net;

import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a client's bytes into commands: buffers of one packet, or of several where the payload goes
 * on over 16 MiB, headers included. A command that is whole in one read is passed on as a slice
 * without a copy. Event loop only.
 */
public final class CommandFramer extends ChannelInboundHandlerAdapter {
  /** Takes the commands. */
  public interface Receiver {
    /** One command with its headers; the receiver releases it. */
    void command(ByteBuf packets);

    /** A command over {@code max_allowed_packet}; the connection is of no use any more. */
    void tooLarge();

    /** The client is gone. */
    void gone();

    /** The channel can take more, or cannot. */
    void writabilityChanged(boolean writable);
  }

  private final int maxAllowedPacket;
  private final Receiver receiver;
  private @Nullable ByteBuf leftover;

  /**
   * A framer for one client.
   *
   * @param maxAllowedPacket bytes of a command's payload
   */
  public CommandFramer(int maxAllowedPacket, Receiver receiver) {
    this.maxAllowedPacket = maxAllowedPacket;
    this.receiver = receiver;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf buf = (ByteBuf) message;
    ByteBuf before = leftover;
    if (before != null) {
      before.writeBytes(buf);
      buf.release();
      buf = before;
      leftover = null;
    }
    try {
      int at = buf.readerIndex();
      while (true) {
        int end = commandEnd(buf, at);
        if (end < 0) {
          break;
        }
        receiver.command(buf.retainedSlice(at, end - at));
        at = end;
      }
      int rest = buf.writerIndex() - at;
      if (rest > maxAllowedPacket + (maxAllowedPacket / Packets.MAX_PAYLOAD + 2) * 4) {
        receiver.tooLarge();
      } else if (rest > 0) {
        leftover = ctx.alloc().buffer(Math.max(rest + 1024, 4096));
        leftover.writeBytes(buf, at, rest);
      }
    } finally {
      buf.release();
    }
  }

  /** Index behind the command that starts at an index, or -1 when it is not whole yet. */
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
    ByteBuf rest = leftover;
    leftover = null;
    if (rest != null) {
      rest.release();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    receiver.writabilityChanged(ctx.channel().isWritable());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
