package io.alrai.dn.role;

import io.alrai.dn.group.CommitBrake;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.link.GroupLimit;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.LogGauges;
import io.alrai.dn.watch.DiskRoom;
import io.alrai.dn.watch.SleepingCommits;
import io.alrai.dn.watch.StallWatch;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** How a member is, and how the others are while it leads. */
final class MemberHealth implements AutoCloseable {
  /** It may have to let another one lead. */
  private static final Set<Role> NOT_READY =
      EnumSet.of(Role.REBUILDING, Role.STARTING, Role.PROMOTING);

  private final Member member;
  private final LagWatch lag;
  private final FollowerLooks followers;
  private final CommitBrake brake;
  private final DiskRoom room;
  private final HealthWatch watch;
  private final ExecutorService syncing;

  /**
   * Looks at nothing yet.
   *
   * @param changes of the leader, that it asks for
   * @param leads what its followers may lag
   */
  MemberHealth(
      String name,
      Member member,
      GroupLog groupLog,
      GroupView view,
      GroupFollower follower,
      Supplier<Role> role,
      LeaderChanges changes,
      LeaderContext leads) {
    this.lag = new LagWatch(name, view.lag(), follower, role);
    this.brake = new CommitBrake(name, () -> leads.bounds().of(GroupLimit.APPLY_LAG));
    Supplier<List<String>> others = groupLog::othersWithRows;
    this.member = member;
    MemberContext context = member.context();
    LogGauges gauges = groupLog.gauges();
    this.room = follower.room();
    this.syncing =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("disk-" + name).factory());
    Path rows = member.file("");
    this.followers =
        new FollowerLooks(
            name,
            others,
            groupLog,
            view,
            role,
            () -> !follower.room().unfit().isEmpty() || NOT_READY.contains(role.get()),
            brake,
            context.nanos());
    this.watch =
        new HealthWatch(
            name,
            groupLog::leader,
            role,
            others,
            followers::best,
            changes,
            room,
            new StallWatch(context.disk(), rows, syncing, gauges::lastWritten, gauges::lastSynced),
            new SleepingCommits(room, () -> member.feed().now().end()),
            member::killMysqld,
            context.nanos());
    groupLog.says(() -> {
      boolean follows = role.get() == Role.FOLLOWING;
      return new MemberWord(
              follows ? view.lag().applied(groupLog.lastCommitted()) : -1, watch.badDisk())
          .encode();
    });
    MemberMetrics.register(member, groupLog, view, role);
  }

  void start() {
    lag.start();
    followers.start();
    watch.start();
  }

  /** What is amiss with a member that leads; empty where nothing is. Blocking. */
  String amiss() {
    return member.amiss();
  }

  /** Why the member must not lead; empty where it may. */
  String unfit() {
    return room.unfit();
  }

  /** Which other member could lead best, where this one knows. */
  Optional<String> best() {
    return followers.best();
  }

  /** Which other member could lead at once, where this one knows; nobody after many changes. */
  Optional<String> ready() {
    return watch.tooMany() ? Optional.empty() : followers.inStep();
  }

  /** Whether the member, elected, should rather let another one lead. */
  boolean refusesLead() {
    return watch.refusesLead();
  }

  /** Lets another one lead: see {@link #refusesLead}. */
  void refuse(Successors successors) {
    successors.letAnotherLead(unfit());
    watch.hasRefused();
  }

  /** Holds acknowledgements back while this member leads. */
  CommitBrake brake() {
    return brake;
  }

  @Override
  public void close() {
    lag.close();
    followers.close();
    watch.close();
    syncing.shutdownNow();
  }
}
