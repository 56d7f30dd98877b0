package io.alrai.dn.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.feed.FeedChoice;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.LogSubscription;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The members of a DN that may send its log, and what is waited for of it. Connections are made on
 * one loop. Thread-safe.
 */
final class LogFeeders {
  private static final Logger log = LoggerFactory.getLogger(LogFeeders.class);

  /** Longer than a leader is sought, and than a group's log is read. */
  private static final long LEADER_SECONDS = 30;

  /** Longer than a follower needs that hears from its leader what is visible. */
  private static final long FOLLOWER_SECONDS = 3;

  private final DnId dn;
  private final AgentConnector connector;
  private final EventLoop loop;
  private final FeedChoice<KnownMembers.Member> choice;

  /** A follower that feeds; empty for the leader, or nobody yet. */
  private volatile Optional<String> feeder = Optional.empty();

  @GuardedBy("this")
  private @Nullable LogPlace awaited;

  @GuardedBy("this")
  private long awaitedNanos;

  LogFeeders(DnId dn, AgentConnector connector, EventLoop loop) {
    this.dn = dn;
    this.connector = connector;
    this.loop = loop;
    this.choice = new FeedChoice<>(this::nanoTime);
  }

  /** Monotonic time. */
  long nanoTime() {
    return loop.ticker().nanoTime();
  }

  /** A follower that may be asked now. */
  Optional<KnownMembers.Member> next() {
    return choice.next(connector.seeker().following());
  }

  /** That one cannot feed, as it is; it had fed for so long. */
  void failed(KnownMembers.Member member, long fedNanos) {
    choice.failed(member, fedNanos);
  }

  /** A follower feeds from now on, or, where none is named, the leader. */
  void fedBy(Optional<String> name) {
    log.info("{}: its log comes from {}", dn, name.orElse("its leader"));
    feeder = name;
  }

  /** The follower that feeds, or did last; empty for the leader. */
  Optional<String> feeder() {
    return feeder;
  }

  /** The log is complete up to there at the leader, and a reader waits for that. */
  synchronized void awaits(LogPlace place) {
    if (awaited == null) {
      awaitedNanos = nanoTime();
      awaited = place;
    } else if (place.compareTo(awaited) > 0) {
      awaited = place;
    }
  }

  /** For how long a reader has waited for more than that. */
  synchronized long waitsNanos(Optional<LogPlace> place) {
    LogPlace wanted = awaited;
    if (wanted != null && place.isPresent() && place.get().compareTo(wanted) >= 0) {
      awaited = null;
    }
    return awaited == null ? 0 : nanoTime() - awaitedNanos;
  }

  /** A connection to a follower that gives its log. */
  CompletableFuture<AgentChannel> connect(KnownMembers.Member follower) {
    Connecting connecting = new Connecting();
    loop.execute(() -> connector.openFeed(loop, follower.address(), connecting));
    return connecting.made;
  }

  private CompletableFuture<AgentChannel> connectToLeader() {
    Connecting connecting = new Connecting();
    loop.execute(() -> connector.openLog(loop, connecting));
    return connecting.made;
  }

  private static final class Connecting implements AgentChannel.Listener {
    private final CompletableFuture<AgentChannel> made = new CompletableFuture<>();

    @Override
    public void ready(AgentChannel channel, long connectionId) {
      made.complete(channel);
    }

    @Override
    public void refused(AlraiException reason) {
      made.completeExceptionally(new BinlogException(reason.sentence(), reason));
    }
  }

  /**
   * Reads the log of whoever may give it, the leader last.
   *
   * @param known what the reader has; empty when it wants what becomes visible from now on
   * @throws BinlogException when nobody gives it
   */
  FedSubscription open(Optional<GtidSet> known) throws InterruptedException {
    Optional<KnownMembers.Member> follower;
    while ((follower = next()).isPresent()) {
      try {
        RemoteSubscription begun = begin(follower.get(), connect(follower.get()), known);
        return new FedSubscription(this, begun, follower);
      } catch (BinlogException e) {
        log.info("{}: {}", dn, e.getMessage());
      }
    }
    RemoteSubscription begun = begin(connectToLeader(), known, LEADER_SECONDS);
    return new FedSubscription(this, begun, Optional.empty());
  }

  /**
   * Begins at a follower.
   *
   * @throws BinlogException when that does not feed; it has failed then
   */
  RemoteSubscription begin(
      KnownMembers.Member follower,
      CompletableFuture<AgentChannel> connected,
      Optional<GtidSet> known)
      throws InterruptedException {
    try {
      return begin(connected, known, FOLLOWER_SECONDS);
    } catch (BinlogException e) {
      failed(follower, 0);
      // without the cause: what is gone there another member may have
      throw new BinlogException(follower.name() + " does not give its log: " + e.getMessage());
    }
  }

  private RemoteSubscription begin(
      CompletableFuture<AgentChannel> connected, Optional<GtidSet> known, long seconds)
      throws InterruptedException {
    CompletableFuture<RemoteSubscription> made =
        connected.thenComposeAsync(
            channel -> {
              RemoteSubscription opened = RemoteSubscription.open(channel, known);
              return opened.begun().thenApply(before -> opened);
            },
            loop);
    boolean begun = false;
    try {
      RemoteSubscription subscription = made.get(seconds, TimeUnit.SECONDS);
      begun = true;
      return subscription;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof BinlogException reason
          ? reason
          : new BinlogException("an agent of " + dn + " failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new BinlogException(
          "an agent of " + dn + " has not begun to send its log for " + seconds + " s", e);
    } finally {
      if (!begun) {
        connected.thenAccept(AgentChannel::close);
      }
    }
  }

  /**
   * The log of a DN from one of its members. A follower that breaks off, or says nothing while more
   * is waited for, has failed: whoever reads goes on at another member. While the leader feeds, a
   * follower is sought, and takes over as soon as it answers. Belongs to its reader's thread.
   */
  static final class FedSubscription implements LogSubscription {
    private static final long MOST_SILENT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LogFeeders feeders;

    /** A follower that is asked whether it feeds. */
    private record Sought(KnownMembers.Member member, CompletableFuture<AgentChannel> connected) {}

    private RemoteSubscription current;

    /** Who feeds; null for the leader. */
    private KnownMembers.@Nullable Member follower;

    private @Nullable Sought sought;
    private long sinceNanos;
    private long movedNanos;

    /**
     * One that has begun.
     *
     * @param follower who feeds; empty for the leader
     */
    FedSubscription(
        LogFeeders feeders, RemoteSubscription begun, Optional<KnownMembers.Member> follower) {
      this.feeders = feeders;
      this.current = begun;
      begin(begun, follower.orElse(null));
    }

    private void begin(RemoteSubscription begun, KnownMembers.@Nullable Member from) {
      current = begun;
      follower = from;
      sinceNanos = feeders.nanoTime();
      movedNanos = sinceNanos;
      feeders.fedBy(Optional.ofNullable(from).map(KnownMembers.Member::name));
    }

    @Override
    public Optional<BinlogTransaction> next(Duration atMost) throws InterruptedException {
      KnownMembers.Member from = follower;
      if (from == null) {
        seek();
        return current.next(atMost);
      }
      try {
        Optional<LogPlace> before = current.place();
        Optional<BinlogTransaction> next = current.next(atMost);
        if (next.isPresent() || !current.place().equals(before)) {
          movedNanos = feeders.nanoTime();
        }
        requireToSpeak();
        return next;
      } catch (BinlogException broken) {
        feeders.failed(from, feeders.nanoTime() - sinceNanos);
        // without the cause: what is gone there another member may have
        throw new BinlogException(from.name() + ": " + broken.getMessage());
      }
    }

    private void requireToSpeak() {
      long silent = feeders.nanoTime() - movedNanos;
      if (Math.min(silent, feeders.waitsNanos(current.place())) > MOST_SILENT_NANOS) {
        throw new BinlogException("more of its log is waited for, and it says nothing");
      }
    }

    /** Looks for a follower, without waiting; one that has answered takes over. */
    private void seek() throws InterruptedException {
      Sought asked = sought;
      if (asked == null) {
        sought =
            feeders.next().map(member -> new Sought(member, feeders.connect(member))).orElse(null);
      } else if (asked.connected().isDone()) {
        sought = null;
        if (asked.connected().isCompletedExceptionally()) {
          feeders.failed(asked.member(), 0);
        } else {
          GtidSet known = current.position();
          current.close();
          begin(
              feeders.begin(asked.member(), asked.connected(), Optional.of(known)), asked.member());
        }
      }
    }

    @Override
    public Optional<HlcTimestamp> stamp() {
      return current.stamp();
    }

    @Override
    public LeadNumber lead() {
      return current.lead();
    }

    @Override
    public Optional<LogPlace> place() {
      return current.place();
    }

    @Override
    public GtidSet position() {
      return current.position();
    }

    @Override
    public void close() {
      current.close();
      Sought asked = sought;
      if (asked != null) {
        asked.connected().thenAccept(AgentChannel::close);
      }
    }
  }
}
