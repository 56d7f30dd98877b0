package io.alrai.dn.rpc.wire;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.PausableDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;

/**
 * Takes the frames of one connection apart. DATA goes on in the pieces in which it arrives, without
 * a copy; other payloads are gathered. Event loop only.
 *
 * <pre>
 * HEADER -> DATA (payload of any length) -> HEADER
 *    |----> MESSAGE (whole payload)  -----> HEADER
 * </pre>
 */
public abstract class FrameDecoder extends PausableDecoder {
  private boolean proved;
  private int version = EnvelopeVersions.OLDEST;
  private long dataLeft;

  /** The other side has proved itself: frames may be larger, DATA may come. */
  protected final void proved() {
    proved = true;
  }

  /** Both have agreed on that one. */
  protected final void speaks(int agreed) {
    version = agreed;
  }

  /** The connection's version: the oldest until both have agreed on another. */
  protected final int version() {
    return version;
  }

  @Override
  protected final void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (!in.isReadable()) {
      return;
    }
    if (dataLeft > 0) {
      int length = (int) Math.min(dataLeft, in.readableBytes());
      dataLeft -= length;
      data(ctx, in.readRetainedSlice(length));
      return;
    }
    if (in.readableBytes() < Envelope.HEADER) {
      return;
    }
    int at = in.readerIndex();
    long length = in.getUnsignedInt(at);
    FrameKind kind = FrameKind.of(in.getUnsignedByte(at + 4));
    int flags = in.getUnsignedByte(at + 5);
    boolean known = flags == 0 || flags == Envelope.DISTURBED && kind == FrameKind.DATA;
    if (kind == null || !kind.isOf(version) || !known || in.getUnsignedShort(at + 6) != 0) {
      throw Envelope.malformed("kind, flags or reserved bytes are unknown");
    }
    long stamp = in.getLong(at + 20);
    if (stamp >>> 62 != 0) {
      throw Envelope.malformed("reserved bits of the stamp are set");
    }
    if (kind == FrameKind.DATA) {
      if (!proved) {
        throw Envelope.malformed("DATA before the proof");
      }
      clock(Math.max(in.getLong(at + 12), stamp));
      stamp(stamp);
      disturbed(flags == Envelope.DISTURBED);
      in.skipBytes(Envelope.HEADER);
      dataLeft = length;
      return;
    }
    if (length > (proved ? Envelope.MAX_MESSAGE : Envelope.MAX_UNPROVED)) {
      throw Envelope.malformed(kind + " of " + length + " bytes");
    }
    if (in.readableBytes() < Envelope.HEADER + length) {
      return;
    }
    int call = in.getInt(at + 8);
    long clock = in.getLong(at + 12);
    in.skipBytes(Envelope.HEADER);
    Message message = MessageCodec.read(kind, in.readSlice((int) length));
    if (proved) {
      clock(Math.max(clock, stamp));
      stamp(stamp);
    }
    message(ctx, message, call, clock);
  }

  /**
   * The clock of a frame from one who has proved himself, or its stamp if that is larger.
   *
   * @throws AlraiException ALRAI_CLOCK_SKEW when it is beyond the bound
   */
  protected abstract void clock(long remote);

  /** The stamp of a frame from one who has proved himself, before anything else of the frame. */
  protected abstract void stamp(long remote);

  /** Whether the piece of the stream of packets that follows may come from a disturbed read. */
  protected void disturbed(boolean flag) {
    // only an agent says so
  }

  /** A piece of the stream of packets; the buffer is the callee's. */
  protected abstract void data(ChannelHandlerContext ctx, ByteBuf piece);

  /**
   * A message.
   *
   * @param clock of its frame; already applied when the sender had proved himself before it
   */
  protected abstract void message(ChannelHandlerContext ctx, Message message, int call, long clock);
}
