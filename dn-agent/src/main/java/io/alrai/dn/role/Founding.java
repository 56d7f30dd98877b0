package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupCommits;
import io.alrai.dn.group.MysqldRoles;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.UnfoundedLog;
import io.alrai.dn.xa.XaParticipant;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the only replica of a DN becomes the only member of a group (docs/design/0083). Its mysqld
 * runs on; what was before is in the mysqld and not in the group's log, as if that had released it.
 *
 * <pre>
 *  it takes its seat, and is elected           the DN serves meanwhile
 *  sessions end, decisions get rows            statements wait from here on
 *  the mysqld ends its commits, is read-only
 *  what it has is on disk, without its log
 *  the group's log says that this is settled
 *  the mark is written                         from here on it is a group
 * </pre>
 *
 * <p>What fails before the mark, or ends with the process, leaves a DN of one replica. One thread;
 * blocking; once.
 */
final class Founding {
  private static final Logger log = LoggerFactory.getLogger(Founding.class);

  /** How long statements that are at work are waited for; what runs longer is ended. */
  private static final Duration LAST_STATEMENTS = Duration.ofSeconds(1);

  private static final Duration ELECTED = Duration.ofSeconds(10);
  private static final Duration ALIVE = Duration.ofSeconds(2);
  private static final Duration QUIET = Duration.ofSeconds(2);
  private static final Duration SETTLED = Duration.ofSeconds(5);
  private static final Duration DRAINED = Duration.ofSeconds(5);
  private static final Duration WRITTEN = Duration.ofSeconds(5);
  private static final long LOOK_MILLIS = 10;

  private final Member member;
  private final GroupSeat seat;
  private final MysqldRoles mysqld;
  private OptionalLong drained = OptionalLong.empty();

  private Founding(Member member, GroupSeat seat) {
    this.member = member;
    this.seat = seat;
    this.mysqld = member.roles();
  }

  /**
   * Takes the seat; what an earlier attempt has left of one is deleted.
   *
   * @throws AlraiException why there is none
   */
  static Founding begin(Member member, GroupConfig config) throws InterruptedException {
    UnfoundedLog.delete(config);
    GroupSeat seat = GroupSeat.take(config, new MemberChanges(), member.context().nanos());
    Founding begun = new Founding(member, seat);
    boolean elected = false;
    try {
      begun.awaitElected();
      elected = true;
      return begun;
    } finally {
      if (!elected) {
        begun.giveUp();
      }
    }
  }

  private void awaitElected() throws InterruptedException {
    long since = nanos();
    while (seat.view().term() == 0) {
      if (nanos() - since > ELECTED.toNanos()) {
        throw refusal(
            "it is not elected in a group of its own within " + ELECTED.toSeconds() + " s");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Where it votes. */
  GroupSeat seat() {
    return seat;
  }

  /**
   * Lets the group be; the leader serves nobody any more.
   *
   * @param listener has the sessions end
   * @param mark is written last
   * @throws AlraiException or MysqldException: there is no group, and the leader is of no use
   */
  void found(LeaderPart leader, MemberListener listener, DnAgent.Mark mark)
      throws InterruptedException {
    long term = seat.view().term();
    listener.leaves(LAST_STATEMENTS);
    mysqld.executed(ALIVE);
    listener.left();
    listener.follows();
    settle(leader);
    leader.rest();
    OptionalLong process = member.supervisor().pid();
    if (!member.drain(DRAINED)) {
      throw refusal("what its mysqld is at work on does not end");
    }
    drained = process;
    if (!leader.participant().allSettled()) {
      throw refusal("a commit over several DNs was under way");
    }
    write(term, mysqld.keepWithoutLog());
    try {
      mark.write();
    } catch (IOException e) {
      throw refusal("that it is a group cannot be written down: " + e);
    }
  }

  /** What was decided is in the log of the mysqld, which goes. */
  private void settle(LeaderPart leader) throws InterruptedException {
    long since = nanos();
    while (leader.gate().quiet() < 0 && nanos() - since < QUIET.toNanos()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    XaParticipant participant = leader.participant();
    await(participant.settleAll(), SETTLED, "its decisions get no rows");
  }

  /** The first entry: all that the mysqld has is before it. */
  private void write(long term, GtidSet all) throws InterruptedException {
    GroupCommits commits =
        new GroupCommits(
            entry -> seat.log().append(term, entry),
            member.loop(),
            member.clock(),
            lost -> log.warn("{}: its first entry is not taken: {}", seat.name(), lost.toString()));
    try {
      await(commits.settle(all), WRITTEN, "its group's log takes no entry");
    } finally {
      commits.close();
    }
  }

  private void await(CompletableFuture<?> done, Duration bound, String otherwise)
      throws InterruptedException {
    try {
      done.get(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw refusal(otherwise + ": " + (e.getCause() == null ? e : e.getCause()));
    }
  }

  private AlraiException refusal(String why) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE,
        member.dn()
            + " has one replica still, as "
            + why
            + "; it serves on, and this can be tried"
            + " again");
  }

  /**
   * After {@link #found}: the mysqld is the group's.
   *
   * @return its life, in which it has all; 0 where it has begun another one meanwhile
   */
  long join() {
    member.joinsGroup(seat.changed());
    long life = seat.changed().life();
    if (member.supervisor().pid().equals(drained)) {
      return life;
    }
    member.feed().ofGroup(); // the next one has no log for readers that come back
    member.endLife(false); // it was started as the only one's
    return 0;
  }

  /** There is no group. What is left of its log is deleted now, or by the next attempt. */
  void giveUp() {
    seat.log().close();
    try {
      UnfoundedLog.delete(seat.config());
    } catch (AlraiException left) {
      log.warn("{}: {}", seat.name(), left.sentence());
    }
  }

  /** After {@link #found} has failed, and when somebody leads again: the mysqld takes writes. */
  void undo() throws InterruptedException {
    if (drained.isPresent()) {
      try {
        mysqld.openForWrites();
        return;
      } catch (MysqldException e) {
        log.warn("{}: {}", seat.name(), e.sentence());
      }
    }
    member.killMysqld(); // it may become read-only yet; its next life is not
  }

  private long nanos() {
    return member.context().nanos().getAsLong();
  }
}
