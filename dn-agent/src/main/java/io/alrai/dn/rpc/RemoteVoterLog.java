package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.group.Shipped;
import io.alrai.dn.group.VoterLogs;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.rpc.wire.ShippedRecords;
import io.alrai.dn.rpc.wire.ShippedRecords.ShippedRecord;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A voter's log over a connection to its agent. What arrives waits in memory up to a bound, beyond
 * which the connection is not read. One from which nothing came for some seconds is given up. The
 * connection's side is on its event loop, the reader's on the reader's thread.
 */
final class RemoteVoterLog implements VoterLogs.Stream, AgentChannel.Listener {
  private static final long MOST_WAITING = 8 << 20;
  private static final long MOST_SILENT_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long SLICE_MILLIS = 100;

  private sealed interface Arrived {
    record Record(ShippedRecord record, long bytes) implements Arrived {}

    record End(BinlogException why) implements Arrived {}
  }

  private final String voter;
  private final GtidSet known;
  private final VoterLogs.Arrivals arrivals;
  private final LongSupplier nanos;
  private final LinkedBlockingQueue<Arrived> queue = new LinkedBlockingQueue<>();
  private final AtomicLong waiting = new AtomicLong();

  private volatile @Nullable AgentChannel channel;
  private volatile boolean closed;
  private volatile boolean begun;
  private volatile boolean errant;
  private volatile long heardNanos;

  // The reader's:
  private @Nullable Coming coming;
  private long passed = -1;

  /**
   * A stream whose connection is about to be opened, with this as its listener.
   *
   * @param nanos monotonic time
   */
  RemoteVoterLog(String voter, GtidSet known, VoterLogs.Arrivals arrivals, LongSupplier nanos) {
    this.voter = voter;
    this.known = known.copy();
    this.arrivals = arrivals;
    this.nanos = nanos;
    this.heardNanos = nanos.getAsLong();
  }

  // ---- the connection ----

  @Override
  public void ready(AgentChannel agent, long connectionId) {
    channel = agent;
    if (closed) {
      agent.close();
      return;
    }
    agent
        .channel()
        .pipeline()
        .addLast(
            new LengthFieldBasedFrameDecoder(
                ShippedRecords.MOST, 0, ShippedRecords.LENGTH, 0, ShippedRecords.LENGTH),
            new Receiver());
    agent.tell(new Message.FollowLog(Optional.of(known)));
  }

  @Override
  public void refused(AlraiException reason) {
    end(new BinlogException(voter + ": " + reason.sentence(), reason));
  }

  private void end(BinlogException why) {
    queue.add(new Arrived.End(why));
  }

  private final class Receiver extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf content) {
      heardNanos = nanos.getAsLong();
      long bytes = content.readableBytes();
      ShippedRecord record = ShippedRecords.read(content);
      switch (record) {
        case ShippedRecord.Begins _ -> begun = true;
        case ShippedRecord.Heard(long index, long sent) -> arrivals.heard(index, sent);
        case ShippedRecord.Gone(String why) -> end(BinlogException.gone(voter + ": " + why));
        case ShippedRecord.Unknown(boolean leads, String which) -> {
          errant = leads;
          end(new BinlogException(voter + " does not know of " + which));
        }
        case ShippedRecord.Next next -> {
          arrivals.arrived(next.index(), next.head().gtid());
          add(ctx, record, bytes);
        }
        case ShippedRecord.Piece _ -> add(ctx, record, bytes);
      }
    }

    private void add(ChannelHandlerContext ctx, ShippedRecord record, long bytes) {
      queue.add(new Arrived.Record(record, bytes));
      if (waiting.addAndGet(bytes) > MOST_WAITING) {
        ctx.channel().config().setAutoRead(false);
        if (waiting.get() <= MOST_WAITING / 2) {
          ctx.channel().config().setAutoRead(true); // it was all taken meanwhile
        }
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      end(new BinlogException("what " + voter + " sent is not understood: " + cause.getMessage()));
      ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      end(new BinlogException("the connection to " + voter + " broke"));
    }
  }

  // ---- the reader ----

  @Override
  public boolean begun() {
    return begun;
  }

  @Override
  public boolean errant() {
    return errant;
  }

  @Override
  public long passed() {
    return passed;
  }

  @Override
  public @Nullable Shipped poll(long millis) throws InterruptedException {
    skipRest();
    ShippedRecord record = take(millis);
    if (record == null) {
      return null;
    }
    if (record instanceof ShippedRecord.Next(long index, BinlogTransaction head)) {
      passed = index;
      Coming next = new Coming(index, head);
      coming = next;
      return next;
    }
    throw new BinlogException("what " + voter + " sent is out of order");
  }

  /** What nobody wanted of the last one. */
  private void skipRest() {
    Coming last = coming;
    if (last != null && last.left > 0) {
      last.forEachPiece(piece -> {});
    }
    coming = null;
  }

  private @Nullable ShippedRecord take(long millis) throws InterruptedException {
    Arrived arrived = queue.poll(millis, TimeUnit.MILLISECONDS);
    return switch (arrived) {
      case null -> {
        if (!isPaused() && nanos.getAsLong() - heardNanos > MOST_SILENT_NANOS) {
          throw new BinlogException(voter + " says nothing");
        }
        yield null;
      }
      case Arrived.End end -> {
        queue.add(end);
        throw new BinlogException(String.valueOf(end.why().getMessage()), end.why());
      }
      case Arrived.Record(ShippedRecord record, long bytes) -> {
        taken(bytes);
        yield record;
      }
    };
  }

  private boolean isPaused() {
    AgentChannel open = channel;
    return open != null && !open.channel().config().isAutoRead();
  }

  /** Any thread may turn reading on: Netty has it done on the event loop. */
  private void taken(long bytes) {
    long left = waiting.addAndGet(-bytes);
    AgentChannel open = channel;
    if (open != null && left <= MOST_WAITING / 2 && left + bytes > MOST_WAITING / 2) {
      heardNanos = nanos.getAsLong();
      open.channel().config().setAutoRead(true);
    }
  }

  @Override
  public void close() {
    closed = true;
    AgentChannel open = channel;
    if (open != null) {
      open.close();
    }
  }

  /** A transaction whose events are read once, as they come. */
  private final class Coming implements Shipped {
    private final long index;
    private final BinlogTransaction head;
    private long left;

    Coming(long index, BinlogTransaction head) {
      this.index = index;
      this.head = head;
      this.left = head.length();
    }

    @Override
    public long index() {
      return index;
    }

    @Override
    public Gtid gtid() {
      return head.gtid();
    }

    @Override
    public TransactionKind kind() {
      return head.kind();
    }

    @Override
    public HlcTimestamp stamp() {
      return HlcTimestamp.ZERO;
    }

    @Override
    public long length() {
      return head.length();
    }

    @Override
    public BinlogTransaction transaction() {
      return head;
    }

    @Override
    public void forEachPiece(Consumer<ByteBuffer> piece) {
      while (left > 0) {
        ByteBuffer events = next();
        left -= events.remaining();
        if (left < 0) {
          throw new BinlogException(voter + " sent too much of " + gtid());
        }
        piece.accept(events);
      }
    }

    private ByteBuffer next() {
      try {
        ShippedRecord record;
        do {
          record = take(SLICE_MILLIS);
        } while (record == null);
        if (record instanceof ShippedRecord.Piece(ByteBuffer events)) {
          return events;
        }
        throw new BinlogException(voter + " sent too little of " + gtid());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BinlogException("the reader of " + voter + " was interrupted", e);
      }
    }
  }
}
