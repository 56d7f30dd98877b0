package io.alrai.dn.role;

import io.alrai.common.metrics.Metric;
import io.alrai.dn.group.GroupCommits;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.ship.Backlog;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.watch.MysqldPulse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lead of a member of a group: in one term, within one life of its mysqld. Made and closed by the
 * role's thread.
 */
final class LeadingTerm implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LeadingTerm.class);

  /** Longer would cost more than the next leader's wait. */
  private static final long ENDS_MILLIS = 100;

  private static final long HEARD_MILLIS = 100;

  private final long term;
  private final long life;
  private final LeaderPart part;
  private final Lead lead;
  private final GroupCommits commits;

  /** The group does not take its commits any more. */
  private final BooleanSupplier lost;

  private final MysqldPulse pulse;
  private final LongAdder keptTime;

  /** Its mysqld does not answer. */
  private volatile boolean silent;

  /**
   * A lead that has begun.
   *
   * @param entry that begins it
   * @param missed what those who follow have not seen of earlier leads
   * @param written see {@link GroupView.Heard#last}
   * @param lost whether the group does not take its commits any more
   * @param changed called when the mysqld falls silent
   */
  LeadingTerm(
      long term,
      long life,
      long entry,
      Member member,
      LeaderPart part,
      GroupCommits commits,
      Backlog.Source missed,
      LongSupplier written,
      BooleanSupplier lost,
      Runnable changed) {
    this.term = term;
    this.life = life;
    this.part = part;
    this.lead =
        new Lead(member, part, new LeadNumber(term, entry), missed, commits::spread, written);
    this.commits = commits;
    this.lost = lost;
    this.keptTime = member.context().metrics().adder(Metric.MEMBER_KEPT_TIME, member.dn());
    this.pulse =
        new MysqldPulse(
            member.dn(),
            part.connector(),
            member.loop(1),
            reason -> {
              silent = true;
              changed.run();
            });
    pulse.start();
  }

  /** Whether it goes on while that is the member's term and its mysqld's life. */
  boolean holds(long presentTerm, long presentLife) {
    return term == presentTerm && life == presentLife && !silent && !lost.getAsBoolean();
  }

  /** The life of its mysqld. */
  long life() {
    return life;
  }

  /** Why it does not go on. */
  String whyNot(long presentTerm, long presentLife) {
    if (life != presentLife) {
      return "its mysqld has ended";
    }
    if (silent) {
      return "its mysqld does not answer";
    }
    return term == presentTerm ? "its group does not take what it writes" : "another leads";
  }

  Lead lead() {
    return lead;
  }

  Reservation reservation() {
    return commits.reservation();
  }

  /**
   * Its group hears that this lead says nothing more, so that the next leader need not wait for the
   * time that was reserved. That one waits where statements are at work still, as their answers
   * need that time, and where this takes too long.
   *
   * @param heard completes when all whose statements were answered have heard it; whether none is
   *     at work
   */
  void giveTimeBack(CompletableFuture<Boolean> heard) throws InterruptedException {
    try {
      if (heard.get(ENDS_MILLIS, TimeUnit.MILLISECONDS)) {
        commits.giveBack().get(HEARD_MILLIS, TimeUnit.MILLISECONDS);
        return;
      }
      log.info("term {}: its time is not given back, as statements are at work", term);
    } catch (TimeoutException | ExecutionException | RejectedExecutionException e) {
      log.info("term {}: its time is not given back: {}", term, e.toString());
    }
    keptTime.increment();
  }

  /** It leads on, after {@link #giveTimeBack}. */
  Reservation goOn() {
    commits.goOn();
    return commits.reservation();
  }

  /** Nothing becomes visible by it once this returns; its connections are closed. */
  @Override
  public void close() {
    pulse.close();
    commits.close(); // who waits for an entry of it need not
    part.close();
  }
}
