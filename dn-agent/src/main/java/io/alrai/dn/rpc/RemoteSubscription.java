package io.alrai.dn.rpc;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.rpc.LogRecords.LogRecord;
import io.alrai.dn.ship.LogSubscription;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A DN's log over a connection to its agent. What arrives waits in memory up to a bound, beyond
 * which the connection is not read. When it breaks the reader begins anew, at the end of the log.
 */
final class RemoteSubscription implements LogSubscription {
  private static final long MOST_WAITING = 8 << 20;

  private sealed interface Arrived {
    record Record(LogRecord record, long bytes) implements Arrived {}

    record End(String why) implements Arrived {}
  }

  private final AgentChannel agent;
  private final LinkedBlockingQueue<Arrived> queue = new LinkedBlockingQueue<>();
  private final AtomicLong waiting = new AtomicLong();
  private Optional<HlcTimestamp> stamp = Optional.empty();
  private volatile @Nullable BinlogPosition place;

  /** Takes over a connection that is ready; on its event loop. */
  RemoteSubscription(AgentChannel agent) {
    this.agent = agent;
    channel()
        .pipeline()
        .addLast(
            new LengthFieldBasedFrameDecoder(
                LogRecords.MOST, 0, LogRecords.LENGTH, 0, LogRecords.LENGTH),
            new Receiver());
  }

  private Channel channel() {
    return agent.channel();
  }

  /** On the event loop. */
  private final class Receiver extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf record) {
      long bytes = record.readableBytes();
      queue.add(new Arrived.Record(LogRecords.read(record), bytes));
      if (waiting.addAndGet(bytes) > MOST_WAITING) {
        ctx.channel().config().setAutoRead(false);
        if (waiting.get() <= MOST_WAITING / 2) {
          ctx.channel().config().setAutoRead(true); // it was all taken meanwhile
        }
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      queue.add(new Arrived.End("what its agent sent is not understood: " + cause.getMessage()));
      ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      queue.add(new Arrived.End("the connection to the agent broke"));
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
          throw new BinlogException(end.why());
        }
        case Arrived.Record(LogRecord record, long bytes) -> {
          taken(bytes);
          switch (record) {
            case LogRecord.Reached reached -> place = reached.place();
            case LogRecord.Next next -> {
              place = next.transaction().end();
              stamp = next.stamp();
              return Optional.of(next.transaction());
            }
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

  @Override
  public Optional<HlcTimestamp> stamp() {
    return stamp;
  }

  @Override
  public Optional<BinlogPosition> place() {
    return Optional.ofNullable(place);
  }

  @Override
  public void close() {
    agent.close();
  }
}
