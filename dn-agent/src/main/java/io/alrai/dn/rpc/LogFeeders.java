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
import java.util.List;
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

  /** Longer than a follower needs that runs. */
  private static final long FOLLOWER_SECONDS = 3;

  /** Longer than one needs that hears from its leader what is visible, and looks for that. */
  private static final long LOOK_SECONDS = 10;

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

  /** Followers that may be asked now, one after the other. */
  List<KnownMembers.Member> next() {
    return choice.next(connector.seeker().following());
  }

  /** Whether it is a member still. */
  boolean knows(KnownMembers.Member member) {
    return connector.seeker().knows(member.name());
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

  /**
   * One that is asked for its log.
   *
   * @param connected its connection
   * @param begun when it gives all that is not known
   */
  record Asked(
      CompletableFuture<AgentChannel> connected, CompletableFuture<RemoteSubscription> begun) {
    void close() {
      connected.thenAccept(AgentChannel::close);
    }
  }

  /** Asks a follower, without waiting. */
  Asked ask(KnownMembers.Member follower, Optional<GtidSet> known) {
    Connecting connecting = new Connecting();
    loop.execute(() -> connector.openFeed(loop, follower.address(), connecting));
    return asked(connecting.made, known);
  }

  private Asked askLeader(Optional<GtidSet> known) {
    Connecting connecting = new Connecting();
    loop.execute(() -> connector.openLog(loop, connecting));
    return asked(connecting.made, known);
  }

  private Asked asked(CompletableFuture<AgentChannel> connected, Optional<GtidSet> known) {
    return new Asked(
        connected,
        connected.thenComposeAsync(
            channel -> {
              RemoteSubscription opened = RemoteSubscription.open(channel, known);
              return opened.begun().thenApply(before -> opened);
            },
            loop));
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
   * Reads the log of whoever may give it: each follower is asked once, the leader last.
   *
   * @param known what the reader has; empty when it wants what becomes visible from now on
   * @throws BinlogException when nobody gives it
   */
  FedSubscription open(Optional<GtidSet> known) throws InterruptedException {
    for (KnownMembers.Member follower : next()) {
      try {
        RemoteSubscription begun = begin(ask(follower, known), FOLLOWER_SECONDS, LOOK_SECONDS);
        return new FedSubscription(this, begun, Optional.of(follower));
      } catch (BinlogException e) {
        doesNotFeed(follower, e);
      }
    }
    RemoteSubscription begun = begin(askLeader(known), LEADER_SECONDS, LEADER_SECONDS);
    return new FedSubscription(this, begun, Optional.empty());
  }

  private void doesNotFeed(KnownMembers.Member follower, BinlogException why) {
    failed(follower, 0);
    log.info("{}: {} does not give its log: {}", dn, follower.name(), why.getMessage());
  }

  private RemoteSubscription begin(Asked asked, long connectSeconds, long seconds)
      throws InterruptedException {
    boolean begun = false;
    try {
      wait(asked.connected(), connectSeconds);
      RemoteSubscription subscription = wait(asked.begun(), seconds);
      begun = true;
      return subscription;
    } finally {
      if (!begun) {
        asked.close();
      }
    }
  }

  private <T> T wait(CompletableFuture<T> made, long seconds) throws InterruptedException {
    try {
      return made.get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof BinlogException reason
          ? reason
          : new BinlogException("an agent of " + dn + " failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new BinlogException(
          "an agent of " + dn + " has not begun to send its log for " + seconds + " s", e);
    }
  }

  /**
   * The log of a DN from one of its members. A follower that breaks off, or says nothing while more
   * is waited for, has failed: whoever reads goes on at another member. While the leader feeds, a
   * follower is sought, and takes over when it has begun, which says that it lacks nothing: what
   * both give comes once. Belongs to its reader's thread.
   */
  static final class FedSubscription implements LogSubscription {
    private static final long MOST_SILENT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final LogFeeders feeders;

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A follower that is asked whether it feeds. */
    private record Sought(KnownMembers.Member member, Asked asked, long sinceNanos) {}

    private RemoteSubscription current;

    /** Who feeds; null for the leader. */
    private KnownMembers.@Nullable Member follower;

    private @Nullable Sought sought;

    /** What the leader gave before it, and it may give again; null where it does not. */
    private @Nullable GtidSet before;

    private long sinceNanos;
    private long movedNanos;
    private long lookedNanos;
    private long reads;

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
      lookedNanos = sinceNanos;
      feeders.fedBy(Optional.ofNullable(from).map(KnownMembers.Member::name));
    }

    @Override
    public Optional<BinlogTransaction> next(Duration atMost) throws InterruptedException {
      if (follower == null) {
        seek();
      }
      KnownMembers.Member from = follower;
      if (from == null) {
        return current.next(atMost);
      }
      try {
        requireMember(from);
        Optional<LogPlace> place = current.place();
        Optional<BinlogTransaction> next = current.next(atMost);
        if (next.isPresent() || !current.place().equals(place) || current.reads() != reads) {
          reads = current.reads();
          movedNanos = feeders.nanoTime();
        }
        requireToSpeak();
        return next.filter(this::isNew);
      } catch (BinlogException broken) {
        feeders.failed(from, feeders.nanoTime() - sinceNanos);
        // without the cause: what is gone there another member may have
        throw new BinlogException(from.name() + ": " + broken.getMessage());
      }
    }

    private boolean isNew(BinlogTransaction next) {
      GtidSet given = before;
      if (given == null) {
        return true;
      }
      if (current.position().containsAll(given)) {
        before = null;
      }
      return !given.contains(next.gtid());
    }

    /** One that a group was forced without may not know it, and go on with others. */
    private void requireMember(KnownMembers.Member from) {
      long now = feeders.nanoTime();
      if (now - lookedNanos > LOOK_NANOS) {
        lookedNanos = now;
        if (!feeders.knows(from)) {
          throw new BinlogException("it is no member any more");
        }
      }
    }

    private void requireToSpeak() {
      long silent = feeders.nanoTime() - movedNanos;
      if (Math.min(silent, feeders.waitsNanos(current.place())) > MOST_SILENT_NANOS) {
        throw new BinlogException("more of its log is waited for, and it says nothing");
      }
    }

    /** Looks for a follower, without waiting; one that has begun takes over. */
    private void seek() throws InterruptedException {
      Sought now = sought;
      if (now == null) {
        List<KnownMembers.Member> members = feeders.next();
        if (!members.isEmpty()) {
          KnownMembers.Member first = members.getFirst();
          Optional<GtidSet> known = Optional.of(current.position());
          sought = new Sought(first, feeders.ask(first, known), feeders.nanoTime());
        }
        return;
      }
      boolean late = feeders.nanoTime() - now.sinceNanos() > TimeUnit.SECONDS.toNanos(LOOK_SECONDS);
      if (late || now.asked().begun().isDone()) {
        sought = null;
        try {
          takeOver(now.member(), feeders.begin(now.asked(), 0, 0));
        } catch (BinlogException e) {
          feeders.doesNotFeed(now.member(), e);
        }
      }
    }

    private void takeOver(KnownMembers.Member member, RemoteSubscription begun) {
      GtidSet given = current.position();
      current.close();
      before = begun.position().containsAll(given) ? null : given;
      reads = 0;
      begin(begun, member);
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
      GtidSet given = before;
      return given == null ? current.position() : GtidSet.parse(given + "," + current.position());
    }

    @Override
    public void close() {
      current.close();
      Sought asked = sought;
      if (asked != null) {
        asked.asked().close();
      }
    }
  }
}
