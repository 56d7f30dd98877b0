package io.alrai.dn.rpc;

import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.PausableDecoder;
import io.alrai.dn.link.ReplyKey;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.KeptRecords;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's end of a connection for kept replies, after its session: answers what has come
 * together in one frame. Its stamp is read after all replies were found, and it waits like every
 * other frame until its clock is reserved. Event loop only.
 */
final class KeptAnswers extends PausableDecoder {
  private static final Logger log = LoggerFactory.getLogger(KeptAnswers.class);

  /** An answer that is at least as long does not wait for those of more questions. */
  private static final int MOST_TOGETHER = 64 << 10;

  private final KeptReplies rows;
  private final long term;
  private final SessionOutput output;
  private final ReplyKey read = new ReplyKey();
  private final byte[] reply = new byte[KeptRecords.MOST_BYTES];
  private @Nullable ByteBuf answers;

  KeptAnswers(Leading leader, SessionOutput output) {
    this.rows = leader.rows();
    this.term = leader.term();
    this.output = output;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    ByteBuf record = KeptRecords.next(in);
    if (record == null) {
      return;
    }
    try {
      record(ctx, record);
    } catch (IndexOutOfBoundsException e) {
      throw Envelope.malformed("a record about kept replies: " + e.getMessage());
    }
  }

  private void record(ChannelHandlerContext ctx, ByteBuf record) {
    int kind = record.readUnsignedByte();
    int number = kind == KeptRecords.ASK ? record.readInt() : 0;
    boolean sameTerm = record.readLong() == term;
    long shown = record.readLong();
    KeptRecords.read(record, read);
    boolean current = shown == KeptReplies.CURRENT;
    switch (kind) {
      case KeptRecords.ASK -> {
        if (record.isReadable()) {
          throw Envelope.malformed("a question about kept replies with more behind it");
        }
        boolean comparable = sameTerm || current;
        answer(ctx, number, comparable ? rows.find(read, shown, reply) : KeptReplies.NOT_NOW);
      }
      case KeptRecords.KEEP -> {
        int length = record.readableBytes();
        if (length > reply.length || current) {
          throw Envelope.malformed("a reply that cannot be kept");
        }
        record.readBytes(reply, 0, length);
        if (sameTerm) {
          rows.keep(read, shown, reply, length);
        }
      }
      default -> throw Envelope.malformed("a record of kind " + kind + " about kept replies");
    }
  }

  private void answer(ChannelHandlerContext ctx, int number, int length) {
    ByteBuf out = answers;
    if (out == null) {
      out = ctx.alloc().buffer(512);
      answers = out;
    }
    long visible = rows.visible();
    switch (length) {
      case KeptReplies.MISSED -> KeptRecords.none(out, KeptRecords.MISSED, number, visible);
      case KeptReplies.UNWATCHED -> KeptRecords.none(out, KeptRecords.UNWATCHED, number, visible);
      case KeptReplies.NOT_NOW -> KeptRecords.none(out, KeptRecords.NOT_NOW, number, visible);
      default -> KeptRecords.found(out, number, visible, reply, length);
    }
    if (out.readableBytes() >= MOST_TOGETHER) {
      send();
    }
  }

  private void send() {
    ByteBuf out = answers;
    if (out != null) {
      answers = null;
      output.data(out);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    send();
    super.channelReadComplete(ctx);
  }

  /** Who does not read the answers is not read either. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
    ctx.channel().config().setAutoRead(ctx.channel().isWritable());
    super.channelWritabilityChanged(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    log.warn("a connection for kept replies ends: {}", String.valueOf(cause));
    ctx.close();
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) {
    ByteBuf out = answers;
    answers = null;
    if (out != null) {
      out.release();
    }
  }
}
