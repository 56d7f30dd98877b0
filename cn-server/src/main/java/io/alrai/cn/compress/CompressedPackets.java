package io.alrai.cn.compress;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageCodec;
import io.netty.handler.codec.DecoderException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a compressed connection, between the socket (or its TLS) and the packets.
 *
 * <pre>
 * 3 bytes  length of what follows the header
 * 1 byte   number of the frame within its command
 * 3 bytes  length before it was compressed; 0 for a frame that is not compressed
 * </pre>
 *
 * Frames know nothing of packets: one may hold several, or a piece of one (protocol documentation,
 * "Compression"). Event loop only.
 */
public final class CompressedPackets extends ByteToMessageCodec<ByteBuf> {
  private static final int HEADER = 7;

  /** Compressing less is not worth it: mysqld's bound too. */
  private static final int LEAST = 50;

  /** What is compressed at a time, so that a large packet need not be in memory twice. */
  private static final int MOST = 256 << 10;

  private final BlockCodec codec;
  private int sequence;
  private boolean damaged;

  /** Frames of a connection whose login is done. */
  public CompressedPackets(Compression compression) {
    this.codec = compression.codec();
  }

  static AlraiException damaged(@Nullable Exception cause) {
    String sentence = "Couldn't uncompress communication packet";
    return cause == null
        ? new AlraiException(ErrorCode.ER_NET_UNCOMPRESS_ERROR, sentence)
        : new AlraiException(ErrorCode.ER_NET_UNCOMPRESS_ERROR, sentence, cause);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (damaged) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (in.readableBytes() < HEADER) {
      return;
    }
    int at = in.readerIndex();
    int length = in.getUnsignedMediumLE(at);
    if (in.readableBytes() < HEADER + length) {
      return;
    }
    sequence = in.getUnsignedByte(at + 3) + 1;
    int whole = in.getUnsignedMediumLE(at + 4);
    in.skipBytes(HEADER);
    if (whole == 0) {
      out.add(in.readRetainedSlice(length));
    } else {
      out.add(decompressed(ctx, in.readSlice(length), whole));
    }
  }

  private ByteBuf decompressed(ChannelHandlerContext ctx, ByteBuf block, int whole) {
    ByteBuf packets =
        ctx.alloc().directBuffer(Math.min(whole + 1, BlockCodec.room(block, 0)), whole + 1);
    boolean done = false;
    try {
      ByteBuf direct = direct(ctx, block);
      try {
        codec.decompress(direct, whole, packets);
      } finally {
        direct.release();
      }
      done = true;
      return packets;
    } finally {
      if (!done) {
        packets.release();
      }
    }
  }

  @Override
  protected void encode(ChannelHandlerContext ctx, ByteBuf packets, ByteBuf out) {
    ByteBuf direct = direct(ctx, packets);
    try {
      while (direct.isReadable()) {
        frame(direct.readSlice(Math.min(direct.readableBytes(), MOST)), out);
      }
    } finally {
      direct.release();
    }
  }

  private void frame(ByteBuf block, ByteBuf out) {
    int header = out.writerIndex();
    int size = block.readableBytes();
    out.writeMediumLE(size).writeByte(sequence++).writeMediumLE(0);
    if (size >= LEAST && out.isDirect() && codec.compress(block, out)) {
      out.setMediumLE(header, out.writerIndex() - header - HEADER);
      out.setMediumLE(header + 4, size);
    } else {
      out.writeBytes(block);
    }
  }

  /** To be released. */
  private static ByteBuf direct(ChannelHandlerContext ctx, ByteBuf buf) {
    return buf.isDirect() && buf.nioBufferCount() == 1
        ? buf.retainedSlice()
        : ctx.alloc().directBuffer(buf.readableBytes()).writeBytes(buf.slice());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (cause instanceof DecoderException && cause.getCause() instanceof AlraiException error) {
      damaged = true;
      ByteBuf out = ctx.alloc().buffer(128);
      Packets.writeErr(out, sequence, error.errno(), error.sqlState(), error.sentence());
      ctx.channel().writeAndFlush(out).addListener(done -> ctx.close());
      return;
    }
    super.exceptionCaught(ctx, cause);
  }
}
