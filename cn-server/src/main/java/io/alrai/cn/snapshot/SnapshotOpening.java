package io.alrai.cn.snapshot;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.OpeningSlot.State;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ViewOpener.Opening;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens views on several DNs at one snapshot; when a DN has moved past it, all again at a later
 * one. Used once. Event loop only.
 *
 * <pre>
 * TAKING -> IDLE -> OPENING -> OPEN    -> (a DN refused) [DROPPING ->] IDLE
 *                           -> REFUSED -> (again)                      IDLE
 * any    -> FAILED
 * </pre>
 */
public final class SnapshotOpening {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotOpening.class);

  /** How often a snapshot is chosen; each lies further ahead than the one before. */
  static final int MOST_ATTEMPTS = 40;

  /**
   * For how long snapshots are chosen, by the monotonic clock: a DN that shows nothing refuses
   * after 2 s.
   */
  static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** How long the views that are needed now wait for those that may be needed later. */
  public static final long PATIENCE_MILLIS = 50;

  /**
   * A view to be opened.
   *
   * @param existing the branch to open it on; else one is taken
   * @param opening the statements that open it
   * @param undo those that undo them, and the branch is given back, when all fails; empty where
   *     that is not possible, and the branch is left as it is
   * @param needed whether all fails without it
   * @param begun whether the existing branch has an earlier view, to be undone first
   * @param follower what may follow the opening without waiting for its answer
   */
  public record Request(
      DnId dn,
      Optional<Branch> existing,
      String opening,
      String undo,
      boolean needed,
      boolean begun,
      Optional<Follower> follower) {
    /** What undoes a plain transaction. */
    public static final String ROLLBACK = BranchControl.ROLLBACK;

    /** A request for a branch without a view. */
    public Request(
        DnId dn, Optional<Branch> existing, String opening, String undo, boolean needed) {
      this(dn, existing, opening, undo, needed, false, Optional.empty());
    }

    /** A copy with a statement that may follow it. */
    public Request with(Follower next) {
      return new Request(dn, existing, opening, undo, needed, begun, Optional.of(next));
    }

    private boolean plain() {
      return undo.equals(ROLLBACK);
    }
  }

  /** A statement that follows an opening; event loop only. */
  public interface Follower {
    /** Sends it. */
    void follow(Branch branch);

    /**
     * The snapshot has changed since it was sent, or there is none: its reply is dropped.
     *
     * @param dropped runs when no reply is outstanding on the branch any more
     */
    void drop(Runnable dropped);
  }

  /**
   * What is open.
   *
   * @param at the snapshot
   * @param branches by DN; some that are not needed may be missing
   */
  public record Opened(HlcTimestamp at, Map<DnId, Branch> branches) {}

  /**
   * A view for which nobody waited.
   *
   * @param undo what undoes it
   * @param view completes with the branch if it comes at the snapshot that was opened, else when
   *     nothing is left of it; on the event loop, never fails
   */
  public record Late(DnId dn, String undo, CompletableFuture<Optional<Branch>> view) {}

  private final TransactionSource source;
  private final SessionReads reads;
  private final SessionSettings settings;
  private final EventLoop loop;
  private final Consumer<Branch> onTaken;
  private final List<OpeningSlot> slots = new ArrayList<>();
  private final CompletableFuture<Opened> result = new CompletableFuture<>();
  private @Nullable HlcTimestamp fixed;
  private HlcTimestamp at = HlcTimestamp.ZERO;
  private int attempts;

  /** Whether another snapshot is to be chosen. */
  private boolean stale = true;

  /** Whether its snapshot is on its way from the source of timestamps. */
  private boolean choosing;

  private long beganNanos;
  private boolean patient = true;
  private boolean ended;

  /**
   * An opening for a session.
   *
   * @param settings what the branches are prepared with
   * @param onTaken called with each branch that is taken
   */
  public SnapshotOpening(
      TransactionSource source,
      SessionReads reads,
      SessionSettings settings,
      EventLoop loop,
      Consumer<Branch> onTaken) {
    this.source = source;
    this.reads = reads;
    this.settings = settings;
    this.loop = loop;
    this.onTaken = onTaken;
  }

  /**
   * Opens views at a snapshot of its choice. The future fails with the error of a needed view, with
   * ALRAI_SNAPSHOT_TOO_OLD when DNs keep moving on, and with ER_LOCK_DEADLOCK when a view that
   * cannot be undone is open and another DN has moved past it; branches that were taken are undone
   * then.
   */
  public CompletableFuture<Opened> open(List<Request> requests) {
    requests.forEach(request -> slots.add(new OpeningSlot(request)));
    if (requests.stream().anyMatch(request -> !request.needed())) {
      loop.schedule(this::losePatience, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
    List.copyOf(slots).forEach(this::take);
    proceed();
    return result;
  }

  /** Opens views at a given snapshot; fails with ALRAI_SNAPSHOT_TOO_OLD when that is refused. */
  public CompletableFuture<Opened> openAt(HlcTimestamp snapshot, List<Request> requests) {
    fixed = snapshot;
    return open(requests);
  }

  /**
   * The views that were asked for, are not waited for, and may still come; call it after the
   * result.
   */
  public List<Late> late() {
    return slots.stream()
        .filter(slot -> slot.givenUp && slot.at.value() != 0 && !slot.late.isDone())
        .map(slot -> new Late(slot.request.dn(), slot.request.undo(), slot.late))
        .toList();
  }

  /** The session has ended: closes what was taken. */
  public void abandon() {
    ended = true;
    for (OpeningSlot slot : slots) {
      Branch branch = slot.branch;
      if (branch != null) {
        branch.close();
      }
    }
    result.completeExceptionally(AlraiException.interruption());
  }

  private void losePatience() {
    patient = false;
    proceed();
  }

  private void take(OpeningSlot slot) {
    if (slot.request.existing().isPresent()) {
      taken(slot, slot.request.existing().get());
      return;
    }
    BranchTaker taker =
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            if (ended || slot.givenUp) {
              branch.release();
              return;
            }
            onTaken.accept(branch);
            BranchPreparation.queue(branch, settings, "");
            SnapshotOpening.this.taken(slot, branch);
          }

          @Override
          public void refused(AlraiException reason) {
            fail(slot, reason);
          }
        };
    try {
      source.take(slot.request.dn(), "", taker);
    } catch (AlraiException noLink) {
      fail(slot, noLink);
    }
  }

  private void taken(OpeningSlot slot, Branch branch) {
    slot.branch = branch;
    if (branch.inherits()) {
      if (slot.request.plain()) {
        slot.begun = true;
      } else {
        BranchControl.queue(branch, Sql.of(BranchControl.COMMIT));
      }
    }
    BranchPreparation.whenIdle(
        branch,
        error -> {
          if (error != null) {
            fail(slot, error);
          } else if (slot.givenUp) {
            slot.giveBack();
          } else {
            move(slot, State.IDLE);
          }
        });
  }

  private void move(OpeningSlot slot, State next) {
    slot.state = next;
    proceed();
  }

  private void fail(OpeningSlot slot, AlraiException reason) {
    slot.failure = reason;
    Branch branch = slot.branch;
    if (branch != null) {
      branch.close();
    }
    slot.late.complete(Optional.empty());
    move(slot, State.FAILED);
  }

  /** Does what can be done now; called after every change. */
  private void proceed() {
    if (ended || choosing || result.isDone() || slots.stream().anyMatch(this::awaited)) {
      return;
    }
    for (OpeningSlot slot : slots) {
      AlraiException failure = slot.failure;
      if (failure != null && slot.request.needed()) {
        end(failure);
        return;
      }
      slot.givenUp |= slot.moving() || slot.state == State.FAILED;
    }
    try {
      step();
    } catch (AlraiException e) {
      end(e);
    }
  }

  private boolean awaited(OpeningSlot slot) {
    return slot.moving() && !slot.givenUp && (patient || slot.request.needed());
  }

  /** The next step when all slots that count are idle, open or refused. */
  private void step() {
    List<OpeningSlot> counted = slots.stream().filter(slot -> !slot.givenUp).toList();
    if (counted.stream().anyMatch(slot -> slot.state == State.REFUSED)) {
      again(counted);
      return;
    }
    List<OpeningSlot> waiting = counted.stream().filter(slot -> slot.state == State.IDLE).toList();
    if (waiting.isEmpty()) {
      Map<DnId, Branch> branches = new LinkedHashMap<>();
      counted.forEach(slot -> branches.put(slot.request.dn(), slot.branch()));
      ended = true;
      source.counts().snapshots().increment();
      source.counts().waitNanos().add(loop.ticker().nanoTime() - beganNanos);
      result.complete(new Opened(at, branches));
      return;
    }
    if (stale) {
      choose();
    } else {
      openSome(waiting);
    }
  }

  /**
   * Views that cannot be undone are opened last and together, so that little is committed
   * meanwhile.
   */
  private void openSome(List<OpeningSlot> waiting) {
    List<OpeningSlot> easy =
        waiting.stream().filter(slot -> !slot.request.undo().isEmpty()).toList();
    openAll(easy.isEmpty() ? waiting : easy);
  }

  /**
   * Where two views cannot be undone, a refusal of one is final, so the snapshot lies further
   * ahead.
   */
  private int leastAhead() {
    long lasting = slots.stream().filter(slot -> slot.request.undo().isEmpty()).count();
    return lasting > 1 ? SnapshotClock.FAR_AHEAD_MILLIS : SnapshotClock.LEAST_AHEAD_MILLIS;
  }

  /** Goes on with {@link #proceed} when the snapshot is known. */
  private void choose() {
    if (attempts++ == 0) {
      beganNanos = loop.ticker().nanoTime();
    }
    stale = false;
    HlcTimestamp given = fixed;
    if (given != null) {
      chosen(given, null);
      return;
    }
    choosing = true;
    source
        .snapshots()
        .next(reads.stamp(), leastAhead())
        .whenComplete((next, error) -> {
          if (loop.inEventLoop()) {
            chosen(next, error);
          } else {
            loop.execute(() -> chosen(next, error));
          }
        });
  }

  private void chosen(@Nullable HlcTimestamp next, @Nullable Throwable error) {
    choosing = false;
    if (ended) {
      return;
    }
    if (next == null) {
      end(AlraiException.causeOf(error == null ? new IllegalStateException() : error));
      return;
    }
    at = next;
    proceed();
  }

  private void again(List<OpeningSlot> counted) {
    boolean enough =
        attempts == MOST_ATTEMPTS || loop.ticker().nanoTime() - beganNanos > MOST_NANOS;
    if (fixed != null || enough) {
      throw new AlraiException(
          ErrorCode.ALRAI_SNAPSHOT_TOO_OLD,
          "a DN shows more than snapshot " + at + " already, or cannot show it now");
    }
    if (counted.stream().anyMatch(s -> s.state == State.OPEN && s.request.undo().isEmpty())) {
      throw new AlraiException(
          ErrorCode.ER_LOCK_DEADLOCK,
          "other transactions committed while this one, which had written on several DNs before"
              + " it read, opened its snapshot; try restarting transaction");
    }
    stale = true;
    List<OpeningSlot> followed = counted.stream().filter(OpeningSlot::isFollowed).toList();
    counted.forEach(slot -> slot.state = State.IDLE);
    followed.forEach(slot -> slot.state = State.DROPPING);
    followed.forEach(slot -> slot.drop(() -> dropped(slot)));
    proceed();
  }

  private void dropped(OpeningSlot slot) {
    if (ended) {
      slot.giveBack();
    } else {
      move(slot, State.IDLE);
    }
  }

  private void openAll(List<OpeningSlot> some) {
    some.forEach(slot -> slot.state = State.OPENING);
    some.forEach(this::openView);
  }

  private void openView(OpeningSlot slot) {
    Request request = slot.request;
    slot.at = at;
    source
        .views(request.dn())
        .open(slot.branch(), at, request.opening(), request.undo(), slot.begun, () -> follow(slot))
        .whenComplete((answer, error) -> {
          if (loop.inEventLoop()) {
            answered(slot, answer, error);
          } else {
            loop.execute(() -> answered(slot, answer, error));
          }
        });
  }

  /** Called by the gate, which must go on whatever happens. */
  private static void follow(OpeningSlot slot) {
    try {
      slot.follow();
    } catch (RuntimeException e) {
      LOG.warn("nothing follows the view on {}, whose connection is closed", slot.request.dn(), e);
      slot.branch().close();
    }
  }

  private void answered(OpeningSlot slot, @Nullable Opening answer, @Nullable Throwable error) {
    if (error != null) {
      fail(slot, AlraiException.causeOf(error));
    } else if (answer != null) {
      answered(slot, answer);
    }
  }

  private void answered(OpeningSlot slot, Opening answer) {
    switch (answer) {
      case Opening.Open open -> {
        slot.begun = true;
        slot.state = State.OPEN;
      }
      case Opening.Refused refused -> {
        slot.begun = false;
        slot.state = State.REFUSED;
        source.counts().refusals().increment();
        try {
          source.snapshots().refused(refused.hint());
        } catch (AlraiException tooFarAhead) {
          fail(slot, tooFarAhead);
          return;
        }
      }
    }
    if (slot.givenUp) {
      comesLate(slot);
    }
    proceed();
  }

  private void comesLate(OpeningSlot slot) {
    boolean wanted = slot.begun && slot.at.equals(at);
    if (wanted && !ended) {
      slot.givenUp = false;
    } else if (wanted && !result.isCompletedExceptionally()) {
      slot.late.complete(Optional.of(slot.branch()));
    } else {
      slot.giveBack();
    }
  }

  private void end(AlraiException reason) {
    ended = true;
    for (OpeningSlot slot : slots) {
      if (slot.moving()) {
        slot.givenUp = true;
      } else {
        slot.giveBack();
      }
    }
    result.completeExceptionally(reason);
  }
}
