package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.rpc.wire.DataFramer;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.LogRecords;
import io.alrai.dn.rpc.wire.LogRecords.LogRecord;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.rpc.wire.Purpose;
import io.alrai.dn.ship.FollowedLog;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.LogSubscription;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a DN's log over one connection, from where its subscription is, on a thread of its own. It
 * reads no further while the other side does not; one that takes nothing for a minute has the log
 * kept for nothing, and loses its connection. Ends with its connection, and the other way round.
 */
final class LogSender implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LogSender.class);
  private static final Duration WAIT = Duration.ofMillis(20);
  private static final int OBJECT_BYTES = 512;
  private static final long PATIENCE_SECONDS = 60;

  private final AgentContext agent;
  private final DnId dn;
  private final Reservation reservation;
  private final boolean tellsTime;
  private final FollowedLog source;
  private final Optional<GtidSet> known;
  private final ChannelHandlerContext ctx;
  private final Thread thread;
  private @Nullable LogPlace told;
  private volatile boolean closed;

  /**
   * Begins.
   *
   * @param reservation up to which time it may speak
   * @param tellsTime whether it says what time it is, as leaders do
   * @param known what the other side has; empty when it wants what becomes visible from now on
   */
  LogSender(
      AgentContext agent,
      FollowedLog source,
      Reservation reservation,
      boolean tellsTime,
      Optional<GtidSet> known,
      ChannelHandlerContext ctx) {
    this.agent = agent;
    this.dn = agent.dn();
    this.reservation = reservation;
    this.tellsTime = tellsTime;
    this.source = source;
    this.known = known;
    this.ctx = ctx;
    this.thread = Thread.ofPlatform().daemon().name("log-" + dn).start(this::send);
  }

  private void send() {
    try {
      follow();
    } catch (InterruptedException e) {
      log.debug("the log of {} is followed no longer", dn);
    } catch (BinlogException e) {
      log.warn("the log of {} cannot be sent on: {}", dn, e.getMessage());
    } catch (RuntimeException e) {
      log.error("the log of {}", dn, e);
    } finally {
      ctx.close();
    }
  }

  private void follow() throws InterruptedException {
    try (LogSubscription subscription = open()) {
      write(new LogRecord.Begins(subscription.lead(), subscription.position()), OBJECT_BYTES);
      while (!closed) {
        send(subscription);
      }
    } catch (BinlogException e) {
      String why = String.valueOf(e.getMessage());
      write(e.positionLost() ? new LogRecord.Gone(why) : new LogRecord.Broken(why), OBJECT_BYTES);
      ctx.flush();
      throw e;
    }
  }

  private LogSubscription open() throws InterruptedException {
    return known.isPresent() ? source.follow(known.get()) : source.follow();
  }

  /** What is there at once goes out together. */
  private void send(LogSubscription subscription) throws InterruptedException {
    Optional<BinlogTransaction> next = subscription.next(Duration.ZERO);
    if (next.isEmpty()) {
      LogPlace place = subscription.place().orElse(null);
      if (place != null && !place.equals(told)) {
        write(new LogRecord.Reached(place), OBJECT_BYTES);
        told = place;
      }
      ctx.flush();
      next = subscription.next(WAIT);
    }
    if (next.isPresent()) {
      BinlogTransaction transaction = next.get();
      int bytes = OBJECT_BYTES + transaction.events().map(events -> events.length()).orElse(0);
      LogPlace place = subscription.place().orElse(null);
      ChannelFuture written =
          write(new LogRecord.Next(transaction, subscription.stamp(), place != null), bytes);
      told = place;
      if (!ctx.channel().isWritable()) {
        ctx.flush();
        if (!written.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          log.warn("a follower of {} takes nothing: it is to begin anew", dn);
          closed = true;
        }
      }
    }
  }

  private ChannelFuture write(LogRecord record, int bytes) throws InterruptedException {
    long now = reserved();
    ByteBuf out = ctx.alloc().buffer(bytes);
    LogRecords.write(out, record);
    agent.counts().sent().add(out.readableBytes());
    return DataFramer.write(ctx, now, 0, 0, out, ctx.newPromise());
  }

  /** The time, as soon as it may be shown. */
  private long reserved() throws InterruptedException {
    if (!tellsTime) {
      return 0;
    }
    long now = agent.clock().nowValue();
    if (!reservation.allows(now)) {
      ctx.flush();
      agent.counts().held().increment();
      CountDownLatch allowed = new CountDownLatch(1);
      reservation.whenAllowed(now, Runnable::run, allowed::countDown);
      if (!allowed.await(SessionOutput.MOST_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new BinlogException("its group has not confirmed that its leader still leads");
      }
    }
    return now;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  /**
   * Which log a connection may ask for, and what sends it when it was asked for. Event loop only.
   */
  static final class Choice {
    private static final Runnable NOTHING = () -> {};

    private final AgentContext agent;
    private @Nullable FollowedLog log;
    private @Nullable GroupMembership voter;
    private Reservation reservation = Reservation.NONE;
    private boolean tellsTime;
    private Runnable end = NOTHING;

    Choice(AgentContext agent) {
      this.agent = agent;
    }

    /** The leader's log, which is its word. */
    void of(Leading leading) {
      log = leading.log();
      reservation = leading.reservation();
      tellsTime = true;
    }

    /**
     * A member's log, if it is for that.
     *
     * @return whether it is
     * @throws io.alrai.common.error.AlraiException why it is not given
     */
    boolean of(GroupMembership member, Purpose purpose) {
      if (purpose == Purpose.LEARN) {
        voter = member;
      } else if (purpose == Purpose.FEED) {
        log = agent.feed(member);
      }
      return voter != null || log != null;
    }

    void begin(Message.FollowLog asked, ChannelHandlerContext ctx) {
      GroupMembership teacher = voter;
      FollowedLog source = log;
      if (end == NOTHING && source != null) {
        end = new LogSender(agent, source, reservation, tellsTime, asked.known(), ctx)::close;
      } else if (end == NOTHING && teacher != null) {
        end = VoterLogSender.begin(agent, teacher, asked.known(), ctx)::close;
      } else {
        throw Envelope.unexpected(asked);
      }
    }

    void close() {
      end.run();
    }
  }
}
