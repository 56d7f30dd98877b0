package io.alrai.dn.role;

import io.alrai.common.metrics.Latency;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.group.CommitBrake;
import io.alrai.dn.group.GroupBacklog;
import io.alrai.dn.group.GroupCommits;
import io.alrai.dn.group.GroupDecisions;
import io.alrai.dn.group.GroupSource;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.group.GroupView.Progress;
import io.alrai.dn.group.HeldCommits;
import io.alrai.dn.group.VoterLog;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.ship.Backlog;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a follower to a leader, on the role's thread:
 *
 * <pre>
 *  the clock goes above all that was reserved
 *  the entry that begins this lead is committed    what was before it is decided for good
 *  the mysqld has applied all before it
 *  the mysqld leaves its source                    its commits are flushed, and will wait
 *  the wall time is near the clock
 *  a leader's part is opened                       its stream is attached while nobody can write
 *  the mysqld may write
 * </pre>
 *
 * <p>What fails in the middle ends with the mysqld's life.
 */
final class Promotion {
  private static final Logger log = LoggerFactory.getLogger(Promotion.class);
  private static final Duration BEGIN_BOUND = Duration.ofSeconds(5);

  /** How far ahead of the wall time a leader may begin: other nodes bear with 500 ms. */
  private static final long START_AHEAD_MILLIS = 200;

  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long PAUSE_MILLIS = 10;

  private final String name;
  private final Member member;
  private final GroupLog groupLog;
  private final GroupView view;
  private final GroupSource source;
  private final GroupFollower follower;
  private final LeaderContext context;
  private final Runnable changed;
  private final CommitBrake brake;
  private final LongAdder promotions;
  private final LongAdder promotionTimes;
  private final Latency appends;
  private final Backlog.Source missed;

  /**
   * A way to lead, any number of times.
   *
   * @param brake holds its acknowledgements back
   * @param changed called when a lead is lost
   */
  Promotion(
      String name,
      Member member,
      GroupLog groupLog,
      GroupView view,
      VoterLog source,
      GroupFollower follower,
      LeaderContext context,
      CommitBrake brake,
      Runnable changed) {
    this.name = name;
    this.member = member;
    this.groupLog = groupLog;
    this.view = view;
    this.source = source.all();
    this.follower = follower;
    this.context = context;
    this.brake = brake;
    this.changed = changed;
    Metrics metrics = member.context().metrics();
    this.promotions = metrics.adder(Metric.MEMBER_PROMOTIONS, member.dn());
    this.appends = metrics.latency(Metric.MEMBER_APPENDS, member.dn());
    this.promotionTimes = metrics.adder(Metric.MEMBER_PROMOTION_TIMES, member.dn());
    this.missed = (known, until) -> new GroupBacklog(source.kept(), known, until);
  }

  /**
   * Makes the member lead.
   *
   * @param term in which it was elected
   * @param life of the mysqld, which follows the group
   * @param waits hears again and again for how many nanoseconds the mysqld has been applying
   * @param goOn false as soon as either has ended
   * @return empty when it had ended before it led
   */
  Optional<LeadingTerm> promote(long term, long life, LongConsumer waits, BooleanSupplier goOn)
      throws InterruptedException {
    follower.beginsToLead();
    follower.refuseKnownErrant();
    HlcTimestamp reserved = view.reserved();
    member.clock().restoreAbove(reserved);
    AtomicBoolean lost = new AtomicBoolean();
    GroupCommits commits =
        new GroupCommits(
            entry -> append(term, entry),
            member.loop(),
            member.clock(),
            reason -> {
              log.warn(
                  "{}: what it writes in term {} is not taken: {}", name, term, reason.toString());
              lost.set(true);
              changed.run();
            });
    Optional<LeadingTerm> promoted = Optional.empty();
    try {
      Optional<Begun> begun = begin(commits, goOn);
      if (begun.isPresent()) {
        long entry = begun.get().entry();
        promoted =
            lead(begun.get(), commits, reserved, waits, goOn)
                .map(part ->
                    new LeadingTerm(
                        term,
                        life,
                        entry,
                        member,
                        part,
                        commits,
                        missed,
                        () -> view.heard().last(),
                        lost::get,
                        changed));
      }
      return promoted;
    } finally {
      if (promoted.isEmpty()) {
        commits.close();
      }
    }
  }

  private CompletableFuture<Long> append(long term, byte[] entry) {
    long since = nanos();
    return groupLog
        .append(term, entry)
        .thenApply(index -> {
          appends.record(nanos() - since);
          return index;
        });
  }

  /**
   * A lead that has begun.
   *
   * @param entry the index of its first one
   * @param before what was committed by then
   * @param sinceNanos when that entry was written
   */
  private record Begun(long entry, Progress before, long sinceNanos) {}

  private Optional<LeaderPart> lead(
      Begun begun,
      GroupCommits commits,
      HlcTimestamp reserved,
      LongConsumer waits,
      BooleanSupplier goOn)
      throws InterruptedException {
    long since = begun.sinceNanos();
    BooleanSupplier applying =
        () -> {
          waits.accept(nanos() - since);
          return goOn.getAsBoolean();
        };
    if (!follower.awaitApplied(begun.before().transactions(), applying)) {
      return Optional.empty();
    }
    long applied = nanos();
    follower.refuseErrant(begun.before());
    // takes its time, in which the wall time comes nearer
    follower.leaveSource();
    if (!awaitWallTime(reserved, goOn)) {
      return Optional.empty();
    }
    LeaderPart part = LeaderPart.open(member, context(commits));
    boolean leads = false;
    try {
      follower.openForWrites();
      leads = goOn.getAsBoolean();
    } finally {
      if (!leads) {
        part.close();
      }
    }
    promotions.increment();
    promotionTimes.add(nanos() - since);
    log.info(
        "{}: applied after {} ms, writes after {} ms",
        name,
        millis(applied - since),
        millis(nanos() - since));
    return leads ? Optional.of(part) : Optional.empty();
  }

  private LeaderContext context(GroupCommits commits) {
    GroupDecisions decisions = new GroupDecisions(source, view, commits::settle);
    Metrics metrics = member.context().metrics();
    HeldCommits held =
        new HeldCommits(
            commits,
            member.loop(),
            brake,
            metrics.adder(Metric.MEMBER_HELD_COMMITS, member.dn()),
            metrics.adder(Metric.MEMBER_HOLDS, member.dn()));
    return context.with(new LeaderLog(held, commits, Optional.of(decisions)));
  }

  /** Writes the entry that begins this lead; all that comes before it is decided then. */
  private Optional<Begun> begin(GroupCommits commits, BooleanSupplier goOn)
      throws InterruptedException {
    long since = nanos();
    CompletableFuture<Long> written = commits.begin(view.progress().settled());
    while (goOn.getAsBoolean()) {
      try {
        long index = written.get(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        return view.awaitEntry(index, BEGIN_BOUND).map(before -> new Begun(index, before, since));
      } catch (TimeoutException e) {
        if (nanos() - since > BEGIN_BOUND.toNanos()) {
          log.warn("{}: no majority has taken its first entry in {}", name, BEGIN_BOUND);
          return Optional.empty();
        }
      } catch (ExecutionException e) {
        log.info("{}: its first entry was not taken: {}", name, String.valueOf(e.getCause()));
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private boolean awaitWallTime(HlcTimestamp reserved, BooleanSupplier goOn)
      throws InterruptedException {
    long told = nanos();
    while (reserved.millis() - START_AHEAD_MILLIS > member.context().wallMillis().getAsLong()) {
      if (!goOn.getAsBoolean()) {
        return false;
      }
      if (nanos() - told > TELL_NANOS) {
        told = nanos();
        log.warn(
            "{} cannot lead yet: its group's clock is at {}, ahead of the time of this machine",
            name,
            reserved);
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
    return goOn.getAsBoolean();
  }

  private long nanos() {
    return member.context().nanos().getAsLong();
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
