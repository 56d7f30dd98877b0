package io.alrai.dn.reads;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.gate.live.ViewCall;
import io.alrai.dn.group.FeedHold;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.SnapshotPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens views at snapshots at a mysqld that follows: it is fed no more, the leader is asked what
 * each snapshot has, the mysqld is fed up to there, lowest first, and shows it. One hold serves all
 * that was asked by its begin; what comes later waits for the next. Thread-safe.
 *
 * <pre>
 *  hold -> places of the leader -> (feed to a place -> executed -> views)* -> release
 * </pre>
 *
 * <p>What cannot be served fails or is refused, and is read at the leader.
 */
public final class ReplicaViews implements ViewOpener {
  private static final Logger log = LoggerFactory.getLogger(ReplicaViews.class);

  /** All of a hold; a leader that says nothing must not make its followers old. */
  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

  /** A hold for nothing that was not longer than this delays who comes next, and refuses nobody. */
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** For the mysqld to execute what a snapshot has. */
  private static final double APPLIED_SECONDS = 0.5;

  /** Sessions of a follower begin with the isolation of its applier. */
  private static final String REPEATABLE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;";

  private final String name;
  private final FeedHold hold;
  private final BooleanSupplier follows;
  private final Supplier<Optional<DnLog>> leader;
  private final LongSupplier nanos;

  /** Who wants a snapshot, and where it is. */
  private record Asked(CompletableFuture<SnapshotPlace> place, List<ViewCall> calls) {}

  @GuardedBy("this")
  private List<ViewCall> waiting = new ArrayList<>();

  @GuardedBy("this")
  private boolean atWork;

  /** After a long hold for nothing: nobody else is served for as long as that took. */
  @GuardedBy("this")
  private boolean feeding;

  /**
   * Views of a member.
   *
   * @param name of the member
   * @param hold of what feeds its mysqld
   * @param follows whether that has all that it was fed, and is fed nothing but the group's log
   * @param leader the DN's log at whoever leads; empty while it is not known
   * @param nanos monotonic time
   */
  public ReplicaViews(
      String name,
      FeedHold hold,
      BooleanSupplier follows,
      Supplier<Optional<DnLog>> leader,
      LongSupplier nanos) {
    this.name = name;
    this.hold = hold;
    this.follows = follows;
    this.leader = leader;
    this.nanos = nanos;
  }

  /**
   * As {@link ViewOpener#open}.
   *
   * @param at ZERO for whatever the mysqld has
   */
  @Override
  public CompletableFuture<Opening> open(
      Branch branch, HlcTimestamp at, String opening, String undo, boolean again) {
    ViewCall call =
        new ViewCall(branch, at, REPEATABLE + opening, undo, again, () -> {}, nanos.getAsLong());
    if (!follows.getAsBoolean()) {
      call.fail(unavailable("does not follow now"));
    } else if (at.equals(HlcTimestamp.ZERO)) {
      call.onBranch(() ->
          call.show()
              .whenComplete((answer, error) -> {
                if (error == null) {
                  call.answer(new Opening.Open());
                } else {
                  call.fail(reason(error));
                }
              }));
    } else {
      add(call);
    }
    return call.done();
  }

  private synchronized void add(ViewCall call) {
    if (feeding) {
      call.fail(unavailable("is fed first"));
      return;
    }
    waiting.add(call);
    if (!atWork) {
      atWork = true;
      Thread.ofVirtual().name("views-" + name).start(this::work);
    }
  }

  private synchronized List<ViewCall> next() {
    List<ViewCall> calls = waiting;
    waiting = new ArrayList<>();
    atWork = !calls.isEmpty();
    return calls;
  }

  private void work() {
    List<ViewCall> calls;
    while (!(calls = next()).isEmpty()) {
      List<ViewCall> left = new ArrayList<>(calls);
      long begun = nanos.getAsLong();
      boolean shown = false;
      try {
        hold.hold();
        shown = serve(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException defect) {
        log.error("{} cannot show snapshots", name, defect);
      } finally {
        hold.release();
        left.forEach(call -> call.fail(unavailable("cannot show snapshot " + call.at())));
      }
      if (!shown) {
        feed(nanos.getAsLong() - begun);
      }
    }
  }

  /**
   * The mysqld is fed for as long as it was held for nothing. Callers whose snapshot the leader had
   * passed ask again at once, and wait for that; after a long hold leaders serve.
   */
  private void feed(long nanos) {
    boolean isLong = nanos > SHORT_NANOS;
    if (isLong) {
      turnAway();
    }
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (isLong) {
      takeAgain();
    }
  }

  private synchronized void turnAway() {
    feeding = true;
    waiting.forEach(call -> call.fail(unavailable("is fed first")));
    waiting.clear();
  }

  private synchronized void takeAgain() {
    feeding = false;
  }

  /**
   * Serves calls in the order of their snapshots; those that it leaves cannot be served.
   *
   * @return whether a view shows its snapshot
   */
  private boolean serve(List<ViewCall> left) throws InterruptedException {
    long end = nanos.getAsLong() + HOLD_NANOS;
    Optional<DnLog> log = leader.get();
    if (log.isEmpty() || !follows.getAsBoolean()) {
      return false;
    }
    boolean shown = false;
    TreeMap<HlcTimestamp, Asked> bySnapshot = new TreeMap<>();
    for (ViewCall call : left) {
      bySnapshot
          .computeIfAbsent(call.at(), at -> new Asked(log.get().place(at), new ArrayList<>()))
          .calls()
          .add(call);
    }
    for (Map.Entry<HlcTimestamp, Asked> snapshot : bySnapshot.entrySet()) {
      List<ViewCall> calls = snapshot.getValue().calls();
      Optional<SnapshotPlace> place = await(snapshot.getValue().place(), end);
      if (place.isEmpty()) {
        return shown;
      }
      switch (place.get()) {
        case SnapshotPlace.Passed passed -> refuse(calls, passed.hint());
        case SnapshotPlace.Found found -> {
          if (hold.feedTo(found.transactions())) {
            shown |= show(found.transactions(), calls, end);
          } else {
            refuse(calls, new HlcTimestamp(snapshot.getKey().value() + 1));
          }
        }
      }
      left.removeAll(calls);
    }
    return shown;
  }

  private <T> Optional<T> await(CompletableFuture<T> future, long end) throws InterruptedException {
    try {
      return Optional.of(future.get(Math.max(0, end - nanos.getAsLong()), TimeUnit.NANOSECONDS));
    } catch (ExecutionException | TimeoutException unknown) {
      return Optional.empty();
    }
  }

  private static void refuse(List<ViewCall> calls, HlcTimestamp hint) {
    calls.forEach(call -> call.answer(new Opening.Refused(hint)));
  }

  /** The mysqld has nothing but what is in the place, or is about to get it. */
  private boolean show(GtidSet place, List<ViewCall> calls, long end) throws InterruptedException {
    String wait =
        "SELECT WAIT_FOR_EXECUTED_GTID_SET(_utf8mb4'" + place + "'," + APPLIED_SECONDS + ")";
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (ViewCall call : calls) {
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      answers.add(answer);
      call.onBranch(() ->
          call.showBehind(wait)
              .whenComplete((shown, error) -> {
                if (error == null) {
                  answer.complete(shown);
                } else {
                  answer.completeExceptionally(error);
                }
              }));
    }
    boolean shown = false;
    for (int i = 0; i < calls.size(); i++) {
      ViewCall call = calls.get(i);
      Optional<Answer> answer = await(answers.get(i), end);
      if (answer.isEmpty()) {
        call.breakOff(unavailable("did not open a view at " + call.at() + " in time"));
      } else if (!answer.get().rows().getFirst().getFirst().equals("0")) {
        call.fail(unavailable("lags behind snapshot " + call.at()));
      } else if (!hold.isAt(place)) {
        call.fail(unavailable("was fed on while its view was opened"));
      } else {
        call.answer(new Opening.Open());
        shown = true;
      }
    }
    return shown;
  }

  private AlraiException unavailable(String what) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, name + " " + what);
  }

  private static AlraiException reason(Throwable error) {
    return error instanceof Answer.Failed failed
        ? failed.reason()
        : new AlraiException(ErrorCode.ALRAI_INTERNAL, "no view: " + error, error);
  }

  /** A read of this mysqld has seen nothing that anybody need wait for. */
  @Override
  public long visibleStamp() {
    return 0;
  }
}
