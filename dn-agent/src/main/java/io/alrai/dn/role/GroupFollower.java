package io.alrai.dn.role;

import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.feed.MemberLog;
import io.alrai.dn.group.ApplierWatch;
import io.alrai.dn.group.GroupSource;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.group.GroupView.Progress;
import io.alrai.dn.group.LogRelease;
import io.alrai.dn.group.MissingRows;
import io.alrai.dn.group.MysqldRoles;
import io.alrai.dn.group.ReplicaFeeder;
import io.alrai.dn.group.ReplicaState;
import io.alrai.dn.group.VoterLog;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldException.Reason;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.reads.ReplicaViews;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.watch.DiskRoom;
import io.alrai.dn.watch.ErrantWatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member's mysqld does as a follower, and what is done with it whether it follows or not: it
 * is fed, watched, and its share of the group's log is released. On the role's thread, but for the
 * looks, which have one of their own.
 */
final class GroupFollower implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(GroupFollower.class);

  /** Nobody is served meanwhile. */
  private static final Duration ALIVE = Duration.ofSeconds(2);

  private static final Duration SLICE = Duration.ofMillis(200);
  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LOOK_SECONDS = 3;
  private static final long SOON_SECONDS = 1;

  private final String name;
  private final Member member;
  private final DiskRoom room;
  private final GroupView view;
  private final VoterLog teaches;
  private final ReplicaFeeder feeder;
  private final MysqldRoles mysqld;
  private final LogRelease release;
  private final ErrantWatch errant;
  private final CountDownLatch closed = new CountDownLatch(1);

  private volatile boolean rebuilding;

  /** It is about to lead: nobody may keep it from applying all. */
  private volatile boolean leads;

  /** What the mysqld lacks; null where it lacks nothing. */
  private volatile @Nullable String lacking;

  /** The life of the mysqld that was looked at; on the role's thread. */
  private long judged;

  /** Null while the mysqld does not follow. */
  private volatile @Nullable ApplierWatch watch;

  /**
   * A follower whose mysqld does not follow yet.
   *
   * @param source all that the group has committed
   * @param groupLog of the member
   * @param teaches keeps for others what of the log this member does not need any more
   */
  GroupFollower(
      String name,
      Member member,
      GroupView view,
      GroupSource source,
      GroupLog groupLog,
      VoterLog teaches) {
    this.name = name;
    this.member = member;
    this.room =
        new DiskRoom(
            name,
            member.context().disk(),
            List.of(member.file(""), groupLog.gauges().directory()),
            member.context().nanos());
    this.view = view;
    this.teaches = teaches;
    this.feeder =
        new ReplicaFeeder(
            member.dn().name(), source, member.loop(1), member.context().wallMillis());
    this.mysqld = member.roles();
    this.release = new LogRelease(teaches::release);
    this.errant = new ErrantWatch(name);
  }

  /** Listens for the mysqld, and begins to look. */
  void start() {
    feeder.start();
    Thread.ofVirtual().name("release-" + name).start(this::look);
  }

  /** The mysqld has just been started: it follows from now on. */
  void begin() throws InterruptedException {
    end(); // the watch of a life that ended by itself
    leads = false;
    rebuilding = false;
    mysqld.follow(feeder.port(), ReplicaFeeder.USER, feeder.password());
    watch = member.watchApplier(name, mysqld, feeder, room);
  }

  /** How much room its disks have. */
  DiskRoom room() {
    return room;
  }

  /**
   * Views of its mysqld, and the group's log.
   *
   * @param leader the DN's log, see {@link ReplicaViews} and {@link MemberLog}
   */
  ServedViews reads(Supplier<Optional<DnLog>> leader) {
    return new ServedViews(
        member.connector(),
        new ReplicaViews(name, feeder.hold(), this::serves, leader, member.context().nanos()),
        Optional.of(
            new MemberLog(
                name, teaches.kept(), view, this::serves, leader, member.context().nanos())));
  }

  /** Whether what its mysqld has is the group's, and all that the log had. */
  private boolean serves() {
    return watch != null && !leads && !rebuilding && lacking == null && errant.error().isEmpty();
  }

  /** It was elected: it serves no reads any more. */
  void beginsToLead() {
    leads = true;
    feeder.hold().forget();
  }

  /**
   * What the log has forgotten must be in the mysqld.
   *
   * @param life of the mysqld
   * @return what is missing: rows that only another member's mysqld has
   */
  Optional<String> lacks(long life) throws InterruptedException {
    if (judged != life) {
      lacking = missing();
      judged = life;
    }
    return Optional.ofNullable(lacking);
  }

  private @Nullable String missing() throws InterruptedException {
    GtidSet executed = mysqld.executed();
    return MissingRows.of(executed, view.progress(), release.released()).orElse(null);
  }

  /**
   * The mysqld gets its rows from another member: it is not watched any more, and the log is kept.
   *
   * @param lacks whether the log cannot feed it, which it would ask for each second
   */
  void rebuilds(boolean lacks) throws InterruptedException {
    boolean begins = !rebuilding;
    rebuilding = true;
    end();
    if (begins && lacks) {
      try {
        mysqld.stopReceiving();
      } catch (MysqldException e) {
        log.warn("{}: {}", name, e.sentence()); // it may be down: its next life asks nobody
      }
    }
  }

  /**
   * The mysqld must have nothing that the group has not, and all that its log had.
   *
   * @param now all that is committed, at least what the mysqld has applied
   * @throws MysqldException where it has more: somebody wrote past Alrai; where it has less: the
   *     log forgot it before it came here
   */
  void refuseErrant(Progress now) throws InterruptedException {
    GtidSet executed = mysqld.executed();
    lacking = MissingRows.of(executed, now).orElse(null);
    if (lacking != null) {
      throw new MysqldException(Reason.START_FAILED, name + ": " + lacking);
    }
    GtidSet known = GtidSet.parse(now.transactions() + "," + now.settled());
    if (!known.containsAll(executed)) {
      throw new MysqldException(
          Reason.START_FAILED,
          "the mysqld of "
              + name
              + " has what its group has not: "
              + executed
              + " where that has "
              + known
              + "; ALTER SYSTEM REBUILD NODE makes it anew from another member");
    }
  }

  /** Why the member must not lead, as of the last looks; empty where nothing is known. */
  String errant() {
    return errant.error();
  }

  /**
   * As {@link #refuseErrant} by what is known already.
   *
   * @throws MysqldException where it has more
   */
  void refuseKnownErrant() {
    String error = errant.error();
    if (!error.isEmpty()) {
      throw new MysqldException(Reason.START_FAILED, error);
    }
  }

  /** The mysqld follows no more. */
  void end() {
    ApplierWatch last = watch;
    watch = null;
    feeder.hold().forget();
    if (last != null) {
      last.close();
    }
  }

  /**
   * Waits until the mysqld has applied all of a set.
   *
   * @param goOn false when nobody needs to know any more
   * @return whether it has
   */
  boolean awaitApplied(GtidSet set, BooleanSupplier goOn) throws InterruptedException {
    long told = nanos();
    while (goOn.getAsBoolean()) {
      try {
        mysqld.awaitApplied(set, SLICE);
        return true;
      } catch (MysqldException e) {
        if (e.reason() != Reason.TIMEOUT) {
          throw e;
        }
        if (nanos() - told > TELL_NANOS) {
          told = nanos();
          log.warn("{} cannot lead yet: {}", name, e.sentence());
        }
      }
    }
    return false;
  }

  /** All is applied: the next commits of the mysqld will wait. It is read-only still. */
  void leaveSource() throws InterruptedException {
    end();
    mysqld.leaveSource();
  }

  /** The mysqld takes writes. */
  void openForWrites() throws InterruptedException {
    mysqld.openForWrites();
  }

  /**
   * The mysqld answers.
   *
   * @throws MysqldException where it does not
   */
  void requireAlive() throws InterruptedException {
    mysqld.executed(ALIVE);
  }

  /** What the mysqld has, if it says so in time. */
  GtidSet executed(Duration bound) throws InterruptedException {
    return mysqld.executed(bound);
  }

  /** How far the mysqld has come. */
  ReplicaState state() throws InterruptedException {
    return mysqld.state();
  }

  private void look() {
    try {
      boolean soon = false;
      while (!closed.await(soon ? SOON_SECONDS : LOOK_SECONDS, TimeUnit.SECONDS)) {
        soon = false;
        view.rememberPlace();
        try {
          GtidSet executed = mysqld.executed();
          mysqld.flushEngineLogs();
          if (!rebuilding) {
            release.look(view.progress(), executed);
          }
          if (watch == null) {
            errant.forget();
          } else {
            soon = errant.look(executed, view.progress());
            mysqld.purgeOwnBinlog();
            lacking = missing(); // what is forgotten is known only when the log was heard
          }
        } catch (MysqldException e) {
          // it may be down: the next look tries again
          log.warn("{}: {}", name, e.sentence());
        } catch (RuntimeException e) {
          log.error("{}: its share of the log is not released", name, e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long nanos() {
    return member.context().nanos().getAsLong();
  }

  /** Feeds and looks no more. */
  @Override
  public void close() {
    closed.countDown();
    end();
    feeder.close();
  }
}
