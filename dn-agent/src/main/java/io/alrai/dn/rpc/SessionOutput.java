package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.rpc.wire.DataFramer;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.rpc.wire.MessageCodec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an agent's end of one connection sends. Every frame tells the clock: one that is not
 * reserved yet waits, and all that comes after it, in order. Event loop only.
 */
final class SessionOutput {
  /** A leader whose group confirms nothing for so long has been succeeded, or cannot be. */
  static final long MOST_MILLIS = 5_000;

  /** Its session. */
  interface Owner {
    /** Nothing waits any more. */
    void released();

    /** What waits has waited too long. */
    void unreserved(AlraiException reason);
  }

  private sealed interface Waiting {
    record Reply(Message message, int call) implements Waiting {}

    record Data(ByteBuf packets, int flags) implements Waiting {}

    /** The end of the connection. */
    record End() implements Waiting {}
  }

  private final AgentContext agent;
  private final Owner owner;
  private final ChannelHandlerContext ctx;
  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private @Nullable Leading leading;
  private Reservation reservation = Reservation.NONE;
  private int waits;
  private boolean tellsTime = true;

  SessionOutput(AgentContext agent, Owner owner, ChannelHandlerContext ctx) {
    this.agent = agent;
    this.owner = owner;
    this.ctx = ctx;
  }

  /** What is sent from now on is a leader's word. */
  void of(Leading leader) {
    leading = leader;
    reservation = leader.reservation();
  }

  /** What is sent is no leader's word, and does not tell the clock, which may not be reserved. */
  void ofMember() {
    tellsTime = false;
  }

  /** The connection. */
  Channel channel() {
    return ctx.channel();
  }

  /** Whether something waits. */
  boolean waits() {
    return !waiting.isEmpty();
  }

  /** Sends a message. */
  void message(Message message, int call) {
    long clock = tellsTime ? agent.clock().nowValue() : 0;
    if (waiting.isEmpty() && reservation.allows(clock)) {
      write(message, call, clock);
      ctx.flush();
    } else {
      await(new Waiting.Reply(message, call), clock);
    }
  }

  /** Sends a part of the stream of packets at the next {@link #flush}; takes the buffer. */
  void data(ByteBuf packets, int flags) {
    long clock = tellsTime ? agent.clock().nowValue() : 0;
    if (waiting.isEmpty() && reservation.allows(clock)) {
      DataFramer.write(ctx, clock, stamp(), flags, packets, ctx.voidPromise());
    } else {
      await(new Waiting.Data(packets, flags), clock);
    }
  }

  /** Sends a part of the stream at once; takes the buffer. */
  void data(ByteBuf packets) {
    data(packets, 0);
    flush();
  }

  void flush() {
    ctx.flush();
  }

  /** Ends the connection when all was sent. */
  void end() {
    if (waiting.isEmpty()) {
      close();
    } else {
      waiting.add(new Waiting.End());
    }
  }

  /** Sends this instead of what waits, and ends the connection. */
  void lastWord(Message message) {
    discard();
    long clock = agent.clock().nowValue();
    write(message, 0, reservation.allows(clock) ? clock : 0);
    close();
  }

  /** Drops what waits. */
  void discard() {
    Waiting next;
    while ((next = waiting.poll()) != null) {
      if (next instanceof Waiting.Data data) {
        data.packets().release();
      }
    }
  }

  private void close() {
    ctx.writeAndFlush(ctx.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
  }

  private void write(Message message, int call, long clock) {
    ByteBuf out = ctx.alloc().buffer(256);
    MessageCodec.write(out, message, call, clock, clock == 0 ? 0 : stamp());
    ctx.write(out, ctx.voidPromise());
  }

  private long stamp() {
    Leading leader = leading;
    return leader == null ? 0 : leader.views().visibleStamp();
  }

  private void await(Waiting next, long clock) {
    boolean first = waiting.isEmpty();
    waiting.add(next);
    if (first) {
      agent.counts().held().increment();
      int wait = ++waits;
      reservation.whenAllowed(clock, ctx.executor(), () -> release(wait));
      ctx.executor().schedule(() -> tooLong(wait), MOST_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void release(int wait) {
    if (wait != waits) {
      return;
    }
    Waiting next;
    while ((next = waiting.peek()) != null) {
      long clock = agent.clock().nowValue();
      if (!reservation.allows(clock)) {
        ctx.flush();
        reservation.whenAllowed(clock, ctx.executor(), () -> release(wait));
        return;
      }
      waiting.poll();
      switch (next) {
        case Waiting.Reply reply -> write(reply.message(), reply.call(), clock);
        case Waiting.Data data ->
            DataFramer.write(ctx, clock, stamp(), data.flags(), data.packets(), ctx.voidPromise());
        case Waiting.End _ -> close();
      }
    }
    ctx.flush();
    owner.released();
  }

  private void tooLong(int wait) {
    if (wait == waits && !waiting.isEmpty()) {
      owner.unreserved(
          new AlraiException(
              ErrorCode.ALRAI_NODE_UNAVAILABLE,
              "the agent of "
                  + agent.dn()
                  + " leads it, as far as it knows, but its group has not confirmed that for "
                  + MOST_MILLIS
                  + " ms"));
    }
  }
}
