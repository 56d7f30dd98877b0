package io.alrai.dn.learner;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.MemberStatus.Cloning;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.rpc.GroupMembership;
import io.alrai.dn.rpc.wire.LeaderHint;
import io.alrai.dn.ship.DnLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A learner's process, as others ask it: it waits until it is added, learns, and ends its mysqld
 * when it is dropped. Thread-safe.
 *
 * <pre>
 *  JOINING --add--> at work --drop--> DROPPED
 *     +------------------drop------------^
 * </pre>
 */
public final class LearnerMembership implements GroupMembership, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LearnerMembership.class);

  /** What one does that waits to be added. */
  private static final String JOINING = "JOINING";

  private final String self;
  private final LearnerMark mark;
  private final Supplier<LearnerAgent> agents;
  private final Supplier<Optional<DnLog>> leader;

  @GuardedBy("this")
  private @Nullable LearnerAgent agent;

  @GuardedBy("this")
  private @Nullable ServedViews reads;

  @GuardedBy("this")
  private boolean closed;

  /**
   * A process that does nothing yet.
   *
   * @param agents makes the learner, once, whose mysqld does not run yet
   * @param leader the DN's log at whoever leads
   */
  public LearnerMembership(
      String self,
      LearnerMark mark,
      Supplier<LearnerAgent> agents,
      Supplier<Optional<DnLog>> leader) {
    this.self = self;
    this.mark = mark;
    this.agents = agents;
    this.leader = leader;
  }

  /** Goes on with what it did before; returns when its mysqld answers, if it has one. */
  public void start() {
    if (mark.isAdded()) {
      begin();
    }
  }

  private void begin() {
    LearnerAgent begun;
    synchronized (this) {
      if (agent != null || closed) {
        return;
      }
      begun = agents.get();
      agent = begun;
      reads = begun.reads(leader);
    }
    log.info("{} learns", self);
    begun.start();
  }

  private synchronized Optional<LearnerAgent> agent() {
    return Optional.ofNullable(agent);
  }

  private LearnerAgent learner() {
    return agent().orElseThrow(() -> refusal("is no learner: ALTER SYSTEM ADD LEARNER first"));
  }

  private AlraiException refusal(String what) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, self + " " + what);
  }

  private static <T> CompletableFuture<T> asked(String what, Callable<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name(what)
        .start(() -> {
          try {
            answer.complete(question.call());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (Exception e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  private <T> CompletableFuture<T> refused(String what) {
    return CompletableFuture.failedFuture(refusal(what));
  }

  @Override
  public CompletableFuture<MemberStatus> status() {
    Optional<LearnerAgent> learner = agent();
    return learner.isPresent()
        ? asked("status", learner.get()::status)
        : asked("status", this::waits);
  }

  private MemberStatus waits() {
    return new MemberStatus(
        self,
        mark.isDropped() ? "DROPPED" : JOINING,
        false,
        0,
        -1,
        MemberStatus.UNKNOWN,
        0,
        "",
        "",
        List.of(),
        Cloning.NONE);
  }

  @Override
  public CommitFate fate(long term, long connection, HlcTimestamp sent) {
    return CommitFate.UNKNOWN;
  }

  @Override
  public LeaderHint leader() {
    return LeaderHint.NOBODY;
  }

  @Override
  public CompletableFuture<Void> changeLeader(String to) {
    return refused("is a learner, and does not lead");
  }

  /** It is added itself; completes when that is written down. */
  @Override
  public CompletableFuture<Boolean> add(String member, String address, boolean keepsRows) {
    return asked(
        "add",
        () -> {
          if (!member.equals(self)) {
            throw refusal("is a learner, and cannot add " + member);
          }
          if (mark.isDropped()) {
            throw refusal(
                "was dropped: end its process and remove its directory; to add it again, begin with"
                    + " an empty one");
          }
          mark.add();
          Thread.ofVirtual().name("learner-start").start(this::tryBegin);
          return true;
        });
  }

  private void tryBegin() {
    try {
      begin();
    } catch (RuntimeException e) {
      log.error("{} does not start", self, e); // its mysqld is tried again by its supervisor
    }
  }

  /** It is dropped itself; completes when that is written down and its mysqld has ended. */
  @Override
  public CompletableFuture<Boolean> drop(String member) {
    return asked(
        "drop",
        () -> {
          if (!member.equals(self)) {
            throw refusal("is a learner, and cannot drop " + member);
          }
          mark.drop();
          end();
          log.info("{} was dropped, and has ended its mysqld", self);
          return true;
        });
  }

  private void end() {
    LearnerAgent last;
    synchronized (this) {
      last = agent;
      agent = null;
      reads = null;
    }
    if (last != null) {
      last.close();
    }
  }

  @Override
  public CompletableFuture<DonorLogin> offerRows() {
    return refused("is a learner, whose rows nobody clones");
  }

  @Override
  public synchronized Optional<ServedViews> reads() {
    LearnerAgent learner = agent;
    return learner != null && learner.serves() ? Optional.ofNullable(reads) : Optional.empty();
  }

  @Override
  public Path mysqld() {
    throw refusal("is a learner, whose rows nobody clones");
  }

  @Override
  public CompletableFuture<Void> rebuild() {
    return asked(
        "rebuild",
        () -> {
          learner().rebuild(true);
          return null;
        });
  }

  @Override
  public CompletableFuture<Void> endRebuild() {
    agent().ifPresent(learner -> learner.rebuild(false));
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    end();
  }
}
