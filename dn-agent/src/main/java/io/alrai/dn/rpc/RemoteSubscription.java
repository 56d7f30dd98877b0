package io.alrai.dn.rpc;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.rpc.wire.LogRecords;
import io.alrai.dn.rpc.wire.LogRecords.LogRecord;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.LogSubscription;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A DN's log over a connection to its agent. What arrives waits in memory up to a bound, beyond
 * which the connection is not read. When it breaks its reader opens another one.
 */
final class RemoteSubscription implements LogSubscription {
  private static final long MOST_WAITING = 8 << 20;

  private sealed interface Arrived {
    record Record(LogRecord record, long bytes) implements Arrived {}

    record End(BinlogException why) implements Arrived {}
  }

  private final AgentChannel agent;
  private final CompletableFuture<GtidSet> begun = new CompletableFuture<>();
  private final LinkedBlockingQueue<Arrived> queue = new LinkedBlockingQueue<>();
  private final AtomicLong waiting = new AtomicLong();
  private final LongAdder reads = new LongAdder();
  private volatile LeadNumber begins = LeadNumber.ALONE;

  // The reader's:
  private Optional<HlcTimestamp> stamp = Optional.empty();
  private @Nullable GtidSet consumed;
  private @Nullable LogPlace place;
  private @Nullable LeadNumber lead;

  private RemoteSubscription(AgentChannel agent) {
    this.agent = agent;
  }

  /**
   * Takes over a connection that is ready; on its event loop.
   *
   * @param known what the reader has; empty when it wants what becomes visible from now on
   */
  static RemoteSubscription open(AgentChannel agent, Optional<GtidSet> known) {
    RemoteSubscription opened = new RemoteSubscription(agent);
    opened
        .channel()
        .pipeline()
        .addLast(
            new LengthFieldBasedFrameDecoder(
                LogRecords.MOST, 0, LogRecords.LENGTH, 0, LogRecords.LENGTH) {
              @Override
              public void channelRead(ChannelHandlerContext ctx, Object read) throws Exception {
                opened.reads.increment();
                super.channelRead(ctx, read);
              }
            },
            opened.new Receiver());
    agent.tell(new Message.FollowLog(known));
    if (!opened.channel().isActive()) {
      opened.begun.completeExceptionally(new BinlogException("the connection to the agent broke"));
    }
    return opened;
  }

  /** Completes when nothing that comes later is missed; fails with a {@link BinlogException}. */
  CompletableFuture<GtidSet> begun() {
    return begun;
  }

  /** Grows whenever something arrives, if only a part of a transaction. Any thread. */
  long reads() {
    return reads.sum();
  }

  private Channel channel() {
    return agent.channel();
  }

  /** On the event loop. */
  private final class Receiver extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf content) {
      long bytes = content.readableBytes();
      LogRecord record = LogRecords.read(content);
      switch (record) {
        case LogRecord.Begins first -> {
          begins = first.lead();
          begun.complete(first.known());
        }
        case LogRecord.Gone gone -> end(BinlogException.gone(gone.why()));
        case LogRecord.Broken broken -> end(new BinlogException(broken.why()));
        case LogRecord.Next _, LogRecord.Reached _ -> add(ctx, record, bytes);
      }
    }

    private void add(ChannelHandlerContext ctx, LogRecord record, long bytes) {
      queue.add(new Arrived.Record(record, bytes));
      if (waiting.addAndGet(bytes) > MOST_WAITING) {
        ctx.channel().config().setAutoRead(false);
        if (waiting.get() <= MOST_WAITING / 2) {
          ctx.channel().config().setAutoRead(true); // it was all taken meanwhile
        }
      }
    }

    private void end(BinlogException why) {
      queue.add(new Arrived.End(why));
      begun.completeExceptionally(why);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      end(new BinlogException("what its agent sent is not understood: " + cause.getMessage()));
      ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      end(new BinlogException("the connection to the agent broke"));
    }
  }

  @Override
  public Optional<BinlogTransaction> next(Duration atMost) throws InterruptedException {
    Ticker time = channel().eventLoop().ticker();
    long deadline = time.nanoTime() + atMost.toNanos();
    while (true) {
      Arrived arrived = queue.poll(deadline - time.nanoTime(), TimeUnit.NANOSECONDS);
      switch (arrived) {
        case null -> {
          return Optional.empty();
        }
        case Arrived.End end -> {
          queue.add(end);
          throw new BinlogException(String.valueOf(end.why().getMessage()), end.why());
        }
        case Arrived.Record(LogRecord record, long bytes) -> {
          taken(bytes);
          if (record instanceof LogRecord.Reached reached) {
            place = reached.place();
            lead = reached.place().lead();
          } else if (record instanceof LogRecord.Next next) {
            place = next.placed() ? new LogPlace(lead(), next.transaction().end()) : null;
            stamp = next.stamp();
            consumed().add(next.transaction().gtid());
            return Optional.of(next.transaction());
          }
        }
      }
    }
  }

  /** Any thread may turn reading on: Netty has it done on the event loop. */
  private void taken(long bytes) {
    long left = waiting.addAndGet(-bytes);
    if (left <= MOST_WAITING / 2 && left + bytes > MOST_WAITING / 2) {
      channel().config().setAutoRead(true);
    }
  }

  private GtidSet consumed() {
    GtidSet all = consumed;
    if (all == null) {
      all = begun.join().copy();
      consumed = all;
    }
    return all;
  }

  @Override
  public Optional<HlcTimestamp> stamp() {
    return stamp;
  }

  @Override
  public LeadNumber lead() {
    LeadNumber told = lead;
    return told == null ? begins : told;
  }

  @Override
  public Optional<LogPlace> place() {
    return Optional.ofNullable(place);
  }

  @Override
  public GtidSet position() {
    return consumed().copy();
  }

  @Override
  public void close() {
    agent.close();
  }
}
