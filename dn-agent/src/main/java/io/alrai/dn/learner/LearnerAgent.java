package io.alrai.dn.learner;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metric;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.clock.PersistentClock;
import io.alrai.dn.group.ApplierWatch;
import io.alrai.dn.group.GroupView.Progress;
import io.alrai.dn.group.MysqldRoles;
import io.alrai.dn.group.ReplicaFeeder;
import io.alrai.dn.group.ReplicaState;
import io.alrai.dn.group.VoterLogs;
import io.alrai.dn.link.Donors;
import io.alrai.dn.link.GroupLimits;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.reads.ReplicaViews;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.role.Member;
import io.alrai.dn.role.MemberContext;
import io.alrai.dn.role.Rebuild;
import io.alrai.dn.role.Role;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.watch.DiskRoom;
import io.alrai.dn.watch.ErrantWatch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A learner of a DN at work: its mysqld applies what the group has committed, and shows snapshots.
 * It has no part in the group's log, so nothing that it does or does not do changes who leads, or
 * what is committed. One thread of its own changes what it does; public methods may be called from
 * any thread.
 *
 * <pre>
 *           its mysqld answers           no voter's log has what it lacks, or asked to
 *  STARTING -----------------> FOLLOWING -----------------> REBUILDING
 *     ^                            |                            |
 *     +------- its mysqld ends ----+----- with the clone -------+
 * </pre>
 */
public final class LearnerAgent implements Learner {
  private static final Logger log = LoggerFactory.getLogger(LearnerAgent.class);
  private static final double MILLIS = 1e3;
  private static final long STEP_MILLIS = 100;
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String name;
  private final Member member;
  private final LearnerFeed feed;
  private final ReplicaFeeder feeder;
  private final MysqldRoles mysqld;
  private final ErrantWatch errant;
  private final DiskRoom room;
  private final Rebuild rebuild;
  private final Lives lives;
  private final Thread thread;

  private volatile Role role = Role.STARTING;
  private volatile boolean closing;

  /** Told when this cannot go on. */
  private volatile Consumer<Throwable> failed = reason -> {};

  /** Null while the mysqld does not follow. */
  private volatile @Nullable ApplierWatch watch;

  // The thread's:

  /** The life of the mysqld that was begun with, and the one that follows. */
  private long seen;

  private long followed;
  private long lookedNanos;

  private LearnerAgent(
      String name,
      Member member,
      Lives lives,
      VoterLogs voters,
      GroupLimits limits,
      Supplier<Optional<Donors>> donors) {
    this.name = name;
    this.member = member;
    this.lives = lives;
    this.feed = new LearnerFeed(name, voters, member.context().nanos());
    this.feeder =
        new ReplicaFeeder(member.dn().name(), feed, member.loop(1), member.context().wallMillis());
    this.mysqld = member.roles();
    this.errant = new ErrantWatch(name);
    this.room =
        new DiskRoom(
            name, member.context().disk(), List.of(member.file("")), member.context().nanos());
    this.rebuild = Rebuild.of(name, member, limits, donors, lives::note);
    member.context().metrics().now(Metric.MEMBER_COMMITTED, member.dn(), feed::committed);
    member.context().metrics().now(Metric.MEMBER_LAG, member.dn(), () -> feed.lagMillis() / MILLIS);
    this.thread = Thread.ofPlatform().name("learner-" + name).unstarted(this::run);
  }

  /**
   * A learner whose mysqld does not run yet.
   *
   * @param instance its mysqld, with {@link io.alrai.dn.mysqld.MysqldConfig#withGroup}
   * @param donors whom it can clone: voters
   */
  public static LearnerAgent open(
      DnId dn,
      String name,
      MysqldInstance instance,
      MemberContext context,
      VoterLogs voters,
      GroupLimits limits,
      Supplier<Optional<Donors>> donors) {
    Lives lives = new Lives();
    return new LearnerAgent(
        name, Member.ofGroup(dn, instance, context, lives), lives, voters, limits, donors);
  }

  @Override
  public void start(Consumer<Throwable> told) {
    begin(told);
    member.start(); // ends with an exception when this is closed meanwhile
  }

  /** All of it comes before a close, or nothing. */
  private synchronized void begin(Consumer<Throwable> told) {
    if (closing) {
      throw new IllegalStateException(name + " was closed before its start");
    }
    failed = told;
    feeder.start();
    thread.start();
  }

  /** What it does now. */
  public Role role() {
    return role;
  }

  /** Its mysqld. */
  public MysqldSupervisor supervisor() {
    return member.supervisor();
  }

  /** Its clock. */
  public PersistentClock clock() {
    return member.clock();
  }

  /** Who sends it the group's log; empty while nobody does. */
  public String source() {
    return feed.source().voter();
  }

  @Override
  public void rebuild(boolean wanted) {
    rebuild.want(wanted, Role.FOLLOWING);
    lives.note();
  }

  @Override
  public ServedViews reads(Supplier<Optional<DnLog>> leader) {
    return new ServedViews(
        member.connector(),
        new ReplicaViews(name, feeder.hold(), this::serves, leader, member.context().nanos()));
  }

  @Override
  public boolean serves() {
    return role == Role.FOLLOWING && watch != null && whyNot().isEmpty();
  }

  private String whyNot() {
    String found = whyErrant();
    return found.isEmpty() ? feed.lacking() : found;
  }

  private String whyErrant() {
    String found = errant.error();
    return found.isEmpty() ? feed.errant() : found;
  }

  @Override
  public MemberStatus status() throws InterruptedException {
    Role now = role;
    long unapplied = MemberStatus.UNKNOWN;
    String error = whyNot();
    if (lives.present() != 0) {
      try {
        ReplicaState state = mysqld.state();
        feed.executed(state.executed());
        unapplied = feed.unapplied(state.executed());
        error = state.error().isEmpty() ? error : state.error();
      } catch (MysqldException e) {
        error = e.sentence();
      }
    } else {
      error = "its mysqld does not answer";
    }
    LearnerFeed.Source source = feed.source();
    if (error.isEmpty()) {
      error = room.unfit();
    }
    if (error.isEmpty() && source.voter().isEmpty()) {
      error = "nobody sends it the log: " + source.error();
    }
    return new MemberStatus(
        name,
        now == Role.FOLLOWING && !whyErrant().isEmpty() ? MemberStatus.ERRANT : now.name(),
        false,
        0,
        feed.committed(),
        unapplied,
        feed.lagMillis(),
        now == Role.REBUILDING ? rebuild.sentence() : error,
        "",
        List.of(),
        rebuild.cloning());
  }

  // The learner's thread.

  private void run() {
    try {
      while (!closing) {
        try {
          step();
        } catch (AlraiException | MysqldException e) {
          log.warn("{}: {}", name, e.getMessage()); // it may be down: the next step sees that
        }
        lives.await(STEP_MILLIS);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException defect) {
      log.error("{} cannot go on", name, defect);
      failed.accept(defect);
    } finally {
      end();
      becomes(Role.CLOSED, "asked to");
    }
  }

  private void becomes(Role next, String reason) {
    if (role != next) {
      log.info("{}: {} -> {} ({})", name, role, next, reason);
      role = next;
    }
  }

  private void step() throws InterruptedException {
    long now = lives.present();
    if (now == 0) {
      becomes(Role.STARTING, "its mysqld does not answer");
      end();
      followed = 0;
      return;
    }
    if (seen != now) {
      seen = now;
      rebuild.lives(now);
      feed.forget();
      errant.forget();
    }
    String lacking = feed.lacking();
    if (!lacking.isEmpty() || rebuild.asked()) {
      String why = lacking.isEmpty() ? "asked to" : lacking;
      end();
      followed = 0;
      if (role != Role.REBUILDING && !lacking.isEmpty()) {
        stopReceiving();
      }
      becomes(Role.REBUILDING, why);
      rebuild.step(why, now);
      return;
    }
    rebuild.forget();
    if (followed != now) {
      follow(now);
    }
    look();
  }

  /** Else it asks each second, and each voter looks through its log each time. */
  private void stopReceiving() throws InterruptedException {
    try {
      mysqld.stopReceiving();
    } catch (MysqldException e) {
      log.warn("{}: {}", name, e.sentence()); // it may be down: its next life asks nobody
    }
  }

  private void follow(long now) throws InterruptedException {
    end(); // the watch of a life that ended by itself
    mysqld.follow(feeder.port(), ReplicaFeeder.USER, feeder.password());
    watch = member.watchApplier(name, mysqld, feeder, room);
    followed = now;
    becomes(Role.FOLLOWING, "its mysqld answers");
  }

  /** What it has on disk it needs no more, and what it has must be the group's. */
  private void look() throws InterruptedException {
    long now = member.context().nanos().getAsLong();
    if (now - lookedNanos < LOOK_NANOS || watch == null) {
      return;
    }
    lookedNanos = now;
    room.look();
    GtidSet executed = mysqld.executed();
    feed.executed(executed);
    Optional<GtidSet> arrived = feed.arrived();
    arrived.ifPresent(
        all -> errant.look(executed, new Progress(feed.committed(), all, new GtidSet(), -1)));
    mysqld.purgeOwnBinlog();
  }

  private void end() {
    ApplierWatch last = watch;
    watch = null;
    feeder.hold().forget();
    if (last != null) {
      last.close();
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closing = true;
    }
    lives.note();
    try {
      if (thread.getState() != Thread.State.NEW) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    rebuild.close();
    feeder.close();
    member.close();
  }

  /** The lives of the mysqld. */
  private static final class Lives implements MysqldListener {
    @GuardedBy("this")
    private long present;

    @GuardedBy("this")
    private long last;

    @Override
    public void up(MysqldInstance instance) {
      set(true);
    }

    @Override
    public void down(MysqldInstance instance, String reason) {
      set(false);
    }

    private synchronized void set(boolean up) {
      present = up ? ++last : 0;
      note();
    }

    /** 0 while it does not answer. */
    synchronized long present() {
      return present;
    }

    synchronized void note() {
      notifyAll();
    }

    /** Returns when something has changed, or after a while. */
    synchronized void await(long millis) throws InterruptedException {
      wait(millis);
    }
  }
}
