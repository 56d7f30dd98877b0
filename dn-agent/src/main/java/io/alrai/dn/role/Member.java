package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.Credentials;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.binlog.AckedMark;
import io.alrai.dn.binlog.MysqldLog;
import io.alrai.dn.clock.PersistentClock;
import io.alrai.dn.group.ApplierWatch;
import io.alrai.dn.group.MysqldRoles;
import io.alrai.dn.group.ReplicaFeeder;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.mysqld.SupervisorBounds;
import io.alrai.dn.ship.Feed;
import io.alrai.dn.ship.FeedBounds;
import io.alrai.dn.watch.DiskRoom;
import io.alrai.dn.watch.MysqldStatus;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an agent is whether it leads or not, for as long as its process: its mysqld under
 * supervision, its clock, the mark of what was acknowledged, and the log with those who follow it.
 * A {@link LeaderPart} comes and goes on it; while there is none the mysqld lets no commit through,
 * and nothing that it shows changes. Opened, started and closed by any one thread; blocking.
 */
public final class Member implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Member.class);

  private final DnId dn;
  private final MysqldInstance instance;
  private final MemberContext context;
  private final EventLoop loop;
  private final PersistentClock clock;
  private final AckedMark mark;
  private final MysqldConnector connector;
  private final Feed feed;
  private final MemberLives lives;
  private final MysqldSupervisor supervisor;
  private final MysqldStatus status;

  /** The leader, as it is measured; null while there is none. */
  private volatile @Nullable LeaderPart leader;

  private Member(
      DnId dn,
      MysqldInstance instance,
      MemberContext context,
      PersistentClock clock,
      AckedMark mark,
      LeaderAttendant attendant,
      MysqldListener listener) {
    this.dn = dn;
    this.instance = instance;
    this.context = context;
    this.clock = clock;
    this.mark = mark;
    this.loop = loop(0);
    this.connector =
        new MysqldConnector(
            dn,
            instance.socketPath(),
            account -> new Credentials(user(account), instance.password()));
    this.feed = new Feed(FeedBounds.standard(), new MysqldLog(connector, loop));
    this.lives = new MemberLives(attendant, listener);
    this.supervisor = new MysqldSupervisor(instance, lives, lives, SupervisorBounds.standard());
    connector.endsLeftStatements(context.metrics().adder(Metric.LEFT_STATEMENTS, dn));
    ServerCounts.of(context.metrics(), dn); // counted by who serves other processes
    this.status = new MysqldStatus(dn, connector, loop(2), context.metrics());
    connector.answersAs(status::answers);
    context.metrics().clock(context.clock()::nowValue, context.wallMillis());
    measure(Metric.IN_DOUBT_BRANCHES, leading -> leading.participant().inDoubt());
    measure(Metric.IN_DOUBT_AGE, leading -> leading.participant().inDoubtSeconds());
    measure(Metric.COMMIT_STALL, leading -> leading.commits().seconds());
  }

  private void measure(Metric metric, ToDoubleFunction<LeaderPart> of) {
    context
        .metrics()
        .now(
            metric,
            dn,
            () -> {
              LeaderPart leading = leader;
              return leading == null ? 0 : of.applyAsDouble(leading);
            });
  }

  /**
   * The only member of its DN; its mysqld does not run yet.
   *
   * @param instance its mysqld, with {@link io.alrai.dn.mysqld.MysqldConfig#withSemiSync}: its
   *     commits become visible only when a leader's gate lets them
   */
  static Member open(DnId dn, MysqldInstance instance, MemberContext context) {
    if (!instance.config().semiSync()) {
      throw new IllegalArgumentException(instance + " would commit without its gate");
    }
    return open(
        dn, instance, context, mark -> new MemberAttendant(dn, mark), MysqldListener.none());
  }

  /**
   * One of the members of a group; its mysqld does not run yet.
   *
   * @param instance its mysqld, with {@link io.alrai.dn.mysqld.MysqldConfig#withGroup}: it follows
   *     from its start on, whatever it was before
   * @param listener hears of the mysqld's lives
   */
  public static Member ofGroup(
      DnId dn, MysqldInstance instance, MemberContext context, MysqldListener listener) {
    if (!instance.config().group()) {
      throw new IllegalArgumentException(instance + " would commit without its group");
    }
    Member member = open(dn, instance, context, mark -> new GroupAttendant(dn), listener);
    member.feed.ofGroup();
    return member;
  }

  private static Member open(
      DnId dn,
      MysqldInstance instance,
      MemberContext context,
      Function<AckedMark, LeaderAttendant> attendant,
      MysqldListener listener) {
    PersistentClock clock = openClock(instance, context.clock(), context.wallMillis());
    AckedMark mark;
    try {
      mark = AckedMark.open(beside(instance, "acked"));
    } catch (IOException e) {
      closeClock(dn, clock);
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the mark of acknowledged commits cannot be kept: " + FileErrors.text(e),
          e);
    }
    return new Member(dn, instance, context, clock, mark, attendant.apply(mark), listener);
  }

  private static String user(BackendAccount account) {
    return switch (account) {
      case AGENT -> MysqldInstance.AGENT_ACCOUNT;
      case DDL -> MysqldInstance.DDL_ACCOUNT;
      case ADMIN -> MysqldInstance.ADMIN_ACCOUNT;
      case SHADOW -> MysqldInstance.META_ACCOUNT;
      case KILL -> MysqldInstance.KILL_ACCOUNT;
      case DATA, DATA_FOUND_ROWS, NAMED_LOCKS, TEMPORARY, TEMPORARY_FOUND_ROWS ->
          MysqldInstance.DATA_ACCOUNT;
    };
  }

  private static PersistentClock openClock(
      MysqldInstance instance, HybridLogicalClock clock, LongSupplier wallMillis) {
    try {
      return PersistentClock.open(beside(instance, "clock"), clock, wallMillis);
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the clock's mark cannot be kept: " + FileErrors.text(e),
          e);
    }
  }

  private static void closeClock(DnId dn, PersistentClock clock) {
    try {
      clock.close();
    } catch (IOException e) {
      log.warn("{}: the clock's mark was not closed", dn, e);
    }
  }

  private static Path beside(MysqldInstance instance, String name) {
    return instance.dataDirectory().resolveSibling(name);
  }

  /** Starts the mysqld; returns when it answers. Its commits wait until somebody leads. */
  public void start() {
    status.start();
    supervisor.start();
  }

  public DnId dn() {
    return dn;
  }

  public MemberContext context() {
    return context;
  }

  /** The loop that every commit of the mysqld waits for. */
  EventLoop loop() {
    return loop;
  }

  /** One of the loops, by its distance from {@link #loop()}. */
  public EventLoop loop(int distance) {
    return context.loops().get(Math.floorMod(dn.hashCode() + distance, context.loops().size()));
  }

  public PersistentClock clock() {
    return clock;
  }

  /** Up to where commits were let through. */
  AckedMark mark() {
    return mark;
  }

  /** Opens connections to the mysqld that stay whoever leads. */
  public MysqldConnector connector() {
    return connector;
  }

  /** Every transaction that becomes visible, for those who follow. */
  Feed feed() {
    return feed;
  }

  /** What makes its mysqld a leader's or a follower's. */
  public MysqldRoles roles() {
    return new MysqldRoles(dn, connector, loop(1), instance.config().durable(), context.nanos());
  }

  public MysqldSupervisor supervisor() {
    return supervisor;
  }

  /** A file of this member, beside the data directory of its mysqld. */
  public Path file(String name) {
    return beside(instance, name);
  }

  /**
   * What is amiss, though it may serve: its mysqld is silent or slow, its disk nearly full. Empty
   * where all is well. May block for as long as the disk.
   */
  public String amiss() {
    String mysqld = status.amiss();
    return mysqld.isEmpty() ? DiskRoom.amiss(context.disk(), file("")) : mysqld;
  }

  /** Begins to look whether the mysqld gets on as it follows, and kills it where it does not. */
  public ApplierWatch watchApplier(
      String name, MysqldRoles mysqld, ReplicaFeeder feeder, DiskRoom room) {
    long since = context.nanos().getAsLong();
    ApplierWatch begun =
        ApplierWatch.standard(
            mysqld,
            feeder,
            () -> room.freedSince(since),
            reason -> {
              log.error("{}: its mysqld is killed and goes on from the log: {}", name, reason);
              killMysqld();
            });
    begun.start();
    return begun;
  }

  /** SIGKILL of the mysqld, which is started again: what was not let through is cut off. */
  public void killMysqld() {
    endLife(true);
  }

  /**
   * As {@link #killMysqld}.
   *
   * @param failed false where it only begins anew: its next life begins without a pause
   */
  void endLife(boolean failed) {
    Thread.ofVirtual().start(failed ? supervisor::crash : supervisor::renew);
  }

  /**
   * It is led from now on: returns when the stream is attached, where the mysqld runs.
   *
   * @throws IllegalStateException when it is led already
   * @throws io.alrai.dn.mysqld.MysqldException when the mysqld ends meanwhile
   */
  void lead(LeaderPart by, LeaderStream stream) {
    lives.lead(instance, stream);
    leader = by;
  }

  /** That one leads no more; returns when nothing becomes visible by its stream. */
  void leave(LeaderPart by, LeaderStream stream) {
    if (leader == by) {
      leader = null;
    }
    lives.leave(stream);
  }

  /**
   * Lets the mysqld end what is at work there, and take no more writes; its leader's stream is
   * detached. It can be led again.
   *
   * @return whether that was done in time
   */
  boolean drain(Duration bound) throws InterruptedException {
    return lives.drain(instance, bound);
  }

  /**
   * The only member of a DN is one of a group from now on: so begins its mysqld's next life, and
   * the present one goes on. While nobody leads; once.
   *
   * @param listener hears of the mysqld's lives, also of the present one
   */
  void joinsGroup(MysqldListener listener) {
    instance.joinsGroup();
    lives.change(new GroupAttendant(dn), listener);
    feed.joinsGroup();
  }

  /** Ends the mysqld: in order where somebody leads, else by SIGKILL. */
  public void stop() {
    status.close(); // a connection that comes while others are ended keeps it for two seconds
    supervisor.stop();
  }

  /** After {@link #stop}, and when nobody leads. */
  @Override
  public void close() {
    stop();
    mark.close();
    closeClock(dn, clock);
  }
}
