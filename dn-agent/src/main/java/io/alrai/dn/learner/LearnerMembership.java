package io.alrai.dn.learner;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.thread.VirtualAnswer;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
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

  private final String self;
  private final LearnerMark mark;
  private final Supplier<? extends Learner> learners;
  private final Supplier<Optional<DnLog>> leader;
  private final Consumer<Throwable> failed;

  /** What begins and ends comes one after the other; a start is not waited for. */
  private final ReentrantLock changing = new ReentrantLock();

  @GuardedBy("changing")
  private boolean isOver;

  @GuardedBy("this")
  private @Nullable Learner learner;

  @GuardedBy("this")
  private @Nullable ServedViews reads;

  /**
   * A process that does nothing yet.
   *
   * @param learners makes the learner, once, whose mysqld does not run yet
   * @param leader the DN's log at whoever leads
   * @param failed given the reason when the learner cannot go on, or does not start: the process
   *     should end
   */
  public LearnerMembership(
      String self,
      LearnerMark mark,
      Supplier<? extends Learner> learners,
      Supplier<Optional<DnLog>> leader,
      Consumer<Throwable> failed) {
    this.self = self;
    this.mark = mark;
    this.learners = learners;
    this.leader = leader;
    this.failed = failed;
  }

  /**
   * Goes on with what it did before; returns when its mysqld answers, if it has one.
   *
   * @throws RuntimeException why that does not
   */
  public void start() {
    Optional<Learner> begun;
    changing.lock();
    try {
      begun = mark.isAdded() ? begin() : Optional.empty();
    } finally {
      changing.unlock();
    }
    begun.ifPresent(this::start);
  }

  /** What is to be started; nothing where it is at work already, or will not be any more. */
  @GuardedBy("changing")
  private Optional<Learner> begin() {
    if (isOver || learner().isPresent()) {
      return Optional.empty();
    }
    Learner begun = learners.get();
    synchronized (this) {
      learner = begun;
    }
    return Optional.of(begun);
  }

  private void start(Learner begun) {
    log.info("{} learns", self);
    try {
      begun.start(failed);
    } catch (RuntimeException e) {
      if (learner().filter(begun::equals).isPresent()) {
        throw e;
      }
      log.info("{} was ended while its mysqld started", self);
    }
  }

  private synchronized Optional<Learner> learner() {
    return Optional.ofNullable(learner);
  }

  private Learner atWork() {
    return learner().orElseThrow(() -> refusal("is no learner: ALTER SYSTEM ADD LEARNER first"));
  }

  private AlraiException refusal(String what) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, self + " " + what);
  }

  private <T> CompletableFuture<T> refused(String what) {
    return CompletableFuture.failedFuture(refusal(what));
  }

  @Override
  public CompletableFuture<MemberStatus> status() {
    return VirtualAnswer.to(
        "status",
        () -> {
          Optional<Learner> present = learner();
          return present.isPresent() ? present.get().status() : waits();
        });
  }

  private MemberStatus waits() {
    return new MemberStatus(
        self,
        mark.isDropped() ? MemberStatus.DROPPED : MemberStatus.JOINING,
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

  /** It is added itself; completes when that is written down, and it is at work. */
  @Override
  public CompletableFuture<Boolean> add(String member, String address, boolean keepsRows) {
    return VirtualAnswer.to(
        "add",
        () -> {
          if (!member.equals(self)) {
            throw refusal("is a learner, and cannot add " + member);
          }
          added()
              .ifPresent(
                  begun -> Thread.ofVirtual().name("learner-start").start(() -> tryStart(begun)));
          return true;
        });
  }

  private Optional<Learner> added() {
    changing.lock();
    try {
      if (mark.isDropped()) {
        throw refusal(
            "was dropped: end its process and remove its directory; to add it again, begin with"
                + " an empty one");
      }
      mark.add();
      return begin();
    } finally {
      changing.unlock();
    }
  }

  private void tryStart(Learner begun) {
    try {
      start(begun);
    } catch (RuntimeException e) {
      log.error("{} does not start", self, e);
      failed.accept(e); // whoever keeps the process starts it again
    }
  }

  /** It is dropped itself; completes when that is written down and its mysqld has ended. */
  @Override
  public CompletableFuture<Boolean> drop(String member) {
    return VirtualAnswer.to(
        "drop",
        () -> {
          if (!member.equals(self)) {
            throw refusal("is a learner, and cannot drop " + member);
          }
          end(mark::drop);
          log.info("{} was dropped, and has ended its mysqld", self);
          return true;
        });
  }

  /** It learns no more, for as long as this process runs. */
  private void end(Runnable note) {
    changing.lock();
    try {
      note.run();
      isOver = true;
      Optional<Learner> last = learner();
      synchronized (this) {
        learner = null;
        reads = null;
      }
      last.ifPresent(Learner::close);
    } finally {
      changing.unlock();
    }
  }

  @Override
  public CompletableFuture<DonorLogin> offerRows() {
    return refused("is a learner, whose rows nobody clones");
  }

  @Override
  public synchronized Optional<ServedViews> reads() {
    Learner present = learner;
    if (present == null || !present.serves()) {
      return Optional.empty();
    }
    if (reads == null) {
      reads = present.reads(leader);
    }
    return Optional.of(reads);
  }

  @Override
  public Path mysqld() {
    throw refusal("is a learner, whose rows nobody clones");
  }

  @Override
  public CompletableFuture<Void> rebuild() {
    return VirtualAnswer.to(
        "rebuild",
        () -> {
          atWork().rebuild(true);
          return null;
        });
  }

  @Override
  public CompletableFuture<Void> endRebuild() {
    learner().ifPresent(present -> present.rebuild(false));
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {
    end(() -> {});
  }
}
