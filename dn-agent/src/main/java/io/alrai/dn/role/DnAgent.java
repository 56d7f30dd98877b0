package io.alrai.dn.role;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.dn.clock.PersistentClock;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.link.Donors;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.ship.Backlog;
import io.alrai.dn.ship.LeadNumber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One DN at work: a {@link Member} of one replica, which leads from its start to its end, or until
 * it {@link #found founds} a group. Blocking; any thread.
 */
public final class DnAgent implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DnAgent.class);

  /** Mysqlds that end one after the other while somebody is about to lead. */
  private static final int MOST_OPENED = 5;

  private final Member member;
  private final LeaderContext leading;
  private volatile LeaderPart leader;
  private volatile Lead lead;

  /** Null as long as it has one replica. */
  @GuardedBy("this")
  private @Nullable GroupAgent founder;

  /** Writes down that the DN is a group. */
  public interface Mark {
    /**
     * Returns when that is on disk, as a whole.
     *
     * @throws IOException when it is not
     * @throws UncheckedIOException when nobody can say: the next start finds out
     */
    void write() throws IOException;
  }

  private DnAgent(Member member, LeaderContext leading, LeaderPart leader) {
    this.member = member;
    this.leading = leading;
    this.leader = leader;
    this.lead = lead(member, leader);
  }

  private static Lead lead(Member member, LeaderPart leader) {
    return new Lead(
        member,
        leader,
        LeadNumber.ALONE,
        Backlog.none(member.dn().name()),
        () -> {},
        () -> 0); // nobody has a log beside it
  }

  /**
   * Starts the mysqld and all around it; returns when it serves.
   *
   * @param instance its mysqld, with {@link io.alrai.dn.mysqld.MysqldConfig#withSemiSync}: its
   *     commits become visible only when this agent's gate lets them
   */
  public static DnAgent start(
      DnId dn, MysqldInstance instance, MemberContext context, LeaderContext leading) {
    Member member = Member.open(dn, instance, context);
    boolean started = false;
    try {
      member.start();
      DnAgent agent = new DnAgent(member, leading, LeaderPart.open(member, leading));
      log.info(
          "{} serves: mysqld {} on {}",
          dn,
          member.supervisor().pid().orElse(0),
          member.supervisor().socketPath());
      started = true;
      return agent;
    } finally {
      if (!started) {
        member.close();
      }
    }
  }

  /**
   * What it serves, from its start to its end, if it founds no group; another one after an attempt
   * that has failed.
   */
  public Lead lead() {
    return lead;
  }

  /**
   * Becomes the only member of a group: others may join it then. Statements wait meanwhile, none
   * fails but those that run for longer than a second.
   *
   * @param config of this member, the only founder
   * @param donors the agents of members to come
   * @param listener hears of the end of this lead, and of the next ones: of this DN, or of its
   *     group
   * @param mark is written when there is a group; without it there is none
   * @return the member, which leads now or soon
   * @throws AlraiException or MysqldException why there is no group; then this DN serves on
   */
  public synchronized GroupAgent found(
      GroupConfig config, Supplier<Optional<Donors>> donors, MemberListener listener, Mark mark)
      throws InterruptedException {
    GroupAgent known = founder;
    if (known != null) {
      return known;
    }
    Founding founding = Founding.begin(member, config);
    long since = member.context().nanos().getAsLong();
    boolean decided = false;
    try {
      founding.found(leader, listener, mark);
      decided = true;
    } catch (UncheckedIOException unknown) {
      decided = true; // by the next start, which looks for the mark
      listener.failed(unknown);
      throw unknown;
    } finally {
      if (!decided) {
        founding.giveUp();
        serveAgain(founding, listener);
      }
    }
    GroupAgent made;
    try {
      leader.close();
      made = new GroupAgent(founding.seat(), member, leading, donors);
      founder = made;
      made.goOn(founding.join(), listener);
    } catch (RuntimeException defect) {
      listener.failed(defect); // the next start goes on with the group
      throw defect;
    }
    log.info(
        "{} is a group of one member, {}: it has led as the only replica until {} ms ago",
        member.dn(),
        config.name(),
        TimeUnit.NANOSECONDS.toMillis(member.context().nanos().getAsLong() - since));
    return made;
  }

  private void serveAgain(Founding founding, MemberListener listener) throws InterruptedException {
    leader.close();
    for (int opened = 1; ; opened++) {
      try {
        leader = LeaderPart.open(member, leading);
        break;
      } catch (MysqldException e) {
        log.warn("{} does not lead again yet: {}", member.dn(), e.sentence());
        if (opened == MOST_OPENED) {
          listener.failed(e);
          throw e;
        }
      }
    }
    founding.undo();
    lead = lead(member, leader);
    listener.leads(0, lead, Reservation.NONE);
  }

  /** Lets another member lead, if there is one. */
  public void leave() {
    GroupAgent member = founder();
    if (member != null) {
      member.leave();
    }
  }

  private synchronized @Nullable GroupAgent founder() {
    return founder;
  }

  /** Its mysqld. */
  public MysqldSupervisor supervisor() {
    return member.supervisor();
  }

  /** What is amiss with it, see {@link Member#amiss}. */
  public String amiss() {
    return member.amiss();
  }

  /** Deletes what nobody wants of the binary log, as is done every few seconds: for tests. */
  CompletableFuture<Void> purgeLog() {
    return leader.purgeLog();
  }

  /** Its clock. */
  public PersistentClock clock() {
    return member.clock();
  }

  /** Ends its work in order, the mysqld last. */
  @Override
  public synchronized void close() {
    GroupAgent grown = founder;
    if (grown != null) {
      grown.close();
      return;
    }
    try {
      leader.rest();
    } finally {
      try {
        member.stop();
      } finally {
        leader.close();
        member.close();
      }
    }
  }
}
