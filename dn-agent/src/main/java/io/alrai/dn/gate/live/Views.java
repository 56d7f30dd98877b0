package io.alrai.dn.gate.live;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.gate.Effect;
import io.alrai.dn.gate.Effect.Snapshot;
import io.alrai.dn.gate.OpenId;
import io.alrai.dn.link.ViewOpener.Opening;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The OPENs of one life of a gate, and their views at the mysqld. On the gate's loop only.
 *
 * <p>A view is opened in one text with the wait for what it must show; meanwhile nothing after the
 * cut becomes visible. When what it must show does not become visible, all views of the cut are
 * undone and the gate looks for a later cut.
 */
final class Views {
  private static final long MOST_MILLIS = 2_000;
  private static final long LOOK_MILLIS = 250;

  /** A group of commits becomes visible within less, once it is acknowledged. */
  private static final double VISIBLE_SECONDS = 0.02;

  private static final double WATCH_SECONDS = 1;

  /**
   * Bound for a cut: commits after it wait for its views, even if a thread of the mysqld is stuck.
   */
  private static final long LONGEST_CUT_MILLIS = 5_000;

  private static final Logger log = LoggerFactory.getLogger(Views.class);

  private final GateLife life;
  private final GateWork work;
  private final GateCounts counts;
  private final Map<OpenId, ViewCall> calls = new LinkedHashMap<>();
  private long numbers;

  /**
   * Of what a view shows, what was acknowledged last; null when all that is visible was before this
   * life.
   */
  private @Nullable BinlogTransaction acknowledged;

  /** Where those end whose answers will say that they are visible. */
  private final Map<Given, BinlogPosition> unanswered = new HashMap<>();

  private @Nullable BinlogPosition visible;

  Views(GateLife life, GateWork work, GateCounts counts) {
    this.life = life;
    this.work = work;
    this.counts = counts;
  }

  void begin() {
    life.after(LOOK_MILLIS, this::cancelOld);
  }

  /**
   * It may become visible.
   *
   * @param given which is going to be {@link #answered}
   */
  void acknowledged(BinlogTransaction transaction, Optional<Given> given) {
    acknowledged = transaction;
    given.ifPresent(known -> unanswered.put(known, transaction.end()));
  }

  /**
   * Finds out whether all that was acknowledged is visible by now.
   *
   * @param done runs afterwards
   */
  void look(Runnable done) {
    BinlogTransaction last = acknowledged;
    BinlogPosition known = visible;
    if (last == null || known != null && known.compareTo(last.end()) >= 0) {
      done.run();
      return;
    }
    work.executed(last.gtid().toString(), WATCH_SECONDS)
        .whenComplete((executed, error) ->
            life.onLoop(() -> {
              if (error == null && executed) {
                becameVisible(last.end());
              }
              done.run();
            }));
  }

  /** The mysqld has nothing more to do for it; commits become visible in the order of the log. */
  void answered(Given given, boolean committed) {
    BinlogPosition end = unanswered.remove(given);
    if (end != null && committed) {
      becameVisible(end);
    }
  }

  /** A CN asks for a view. */
  void open(ViewCall call) {
    OpenId id = new OpenId(++numbers);
    calls.put(id, call);
    counts.opens().increment();
    try {
      life.tell(gate -> gate.open(id, call.at()));
    } catch (AlraiException skew) {
      calls.remove(id);
      call.fail(skew);
    }
  }

  /**
   * While a snapshot waits, all that is stamped here is stamped at or below it. So a request that
   * has waited for long is to come again with a later one.
   */
  private void cancelOld() {
    long now = life.nanos();
    for (Map.Entry<OpenId, ViewCall> next : List.copyOf(calls.entrySet())) {
      ViewCall call = next.getValue();
      if (now - call.sinceNanos() > TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS)) {
        calls.remove(next.getKey());
        life.tell(gate -> gate.cancel(next.getKey()));
        if (call.undoable()) {
          refuse(call, call.at());
        } else {
          call.fail(late(call.at(), MOST_MILLIS));
        }
      }
    }
    life.after(LOOK_MILLIS, this::cancelOld);
  }

  private AlraiException late(HlcTimestamp at, long millis) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE,
        life.dn() + " could not show snapshot " + at + " within " + millis + " ms");
  }

  /** The gate's word: the cut is made, all before it is acknowledged. */
  void open(Effect.OpenViews cut) {
    Round round = new Round(cut);
    for (Snapshot snapshot : cut.snapshots()) {
      ViewCall call = calls.get(snapshot.id());
      if (call != null) {
        round.add(snapshot.id(), call);
      }
    }
    round.begin();
  }

  void opened(Snapshot snapshot) {
    ViewCall call = calls.remove(snapshot.id());
    if (call != null) {
      countWait(call);
      call.answer(new Opening.Open());
    }
  }

  void refused(Snapshot snapshot, HlcTimestamp hint) {
    ViewCall call = calls.remove(snapshot.id());
    if (call != null) {
      refuse(call, hint);
    }
  }

  private void refuse(ViewCall call, HlcTimestamp hint) {
    countWait(call);
    counts.refusals().increment();
    call.answer(new Opening.Refused(hint));
  }

  private void countWait(ViewCall call) {
    counts.waits().record(life.nanos() - call.sinceNanos());
  }

  void end(AlraiException down) {
    List.copyOf(calls.values()).forEach(call -> call.fail(down));
    calls.clear();
  }

  private enum Shown {
    OPEN,
    TOO_EARLY,
    FAILED
  }

  /** The views of one cut. */
  private final class Round {
    private final Effect.OpenViews cut;
    private final long sinceNanos = life.nanos();
    private final Map<OpenId, ViewCall> opening = new LinkedHashMap<>();
    private final Map<OpenId, Shown> results = new HashMap<>();

    /** What must be visible first; null if it is known to be. */
    private final @Nullable BinlogTransaction awaited;

    private boolean over;

    Round(Effect.OpenViews cut) {
      this.cut = cut;
      BinlogTransaction last = acknowledged;
      BinlogPosition known = visible;
      boolean seen = last == null || known != null && known.compareTo(last.end()) >= 0;
      this.awaited = seen ? null : last;
      counts.cuts().increment();
    }

    void add(OpenId id, ViewCall call) {
      opening.put(id, call);
    }

    void begin() {
      if (opening.isEmpty()) {
        goOn();
        return;
      }
      opening.forEach((id, call) -> onBranch(id, call, () -> start(id, call)));
      life.after(LONGEST_CUT_MILLIS, this::endStuck);
    }

    private void onBranch(OpenId id, ViewCall call, Runnable action) {
      if (!call.onBranch(action)) {
        result(id, Shown.FAILED);
      }
    }

    /** Whoever has not answered by now is done without. */
    private void endStuck() {
      if (over) {
        return;
      }
      Map<OpenId, ViewCall> stuck = new LinkedHashMap<>(opening);
      stuck.keySet().removeAll(results.keySet());
      stuck.forEach((id, call) -> {
        log.warn(
            "{}: connection {} has not opened its view within {} ms and is closed: commits wait",
            life.dn(),
            call.branch().serverConnectionId(),
            LONGEST_CUT_MILLIS);
        counts.viewsGivenUp().increment();
        call.breakOff(late(call.at(), LONGEST_CUT_MILLIS));
        result(id, Shown.FAILED);
      });
    }

    /** On the branch's loop. */
    private void start(OpenId id, ViewCall call) {
      if (call.over()) {
        result(id, Shown.FAILED);
        return;
      }
      BinlogTransaction before = awaited;
      if (before == null) {
        show(id, call);
        return;
      }
      counts.awaits().increment();
      // the branch is a session's: in its character_set_connection the set may be another, or none
      String wait =
          "SELECT WAIT_FOR_EXECUTED_GTID_SET(_utf8mb4'"
              + before.gtid()
              + "',"
              + VISIBLE_SECONDS
              + ")";
      if (call.undoable()) {
        call.showBehind(wait)
            .whenComplete((answer, error) -> {
              if (error != null) {
                failed(id, call, error);
              } else {
                result(id, isExecuted(answer) ? Shown.OPEN : Shown.TOO_EARLY);
              }
            });
        return;
      }
      call.run(wait)
          .whenComplete((answer, error) -> {
            if (error != null) {
              failed(id, call, error);
            } else if (isExecuted(answer)) {
              show(id, call);
            } else {
              result(id, Shown.TOO_EARLY);
            }
          });
    }

    private void show(OpenId id, ViewCall call) {
      if (call.over()) {
        result(id, Shown.FAILED);
        return;
      }
      call.show()
          .whenComplete((answer, error) -> {
            if (error != null) {
              failed(id, call, error);
            } else {
              result(id, Shown.OPEN);
            }
          });
    }

    private static boolean isExecuted(Answer answer) {
      return answer.rows().getFirst().getFirst().equals("0");
    }

    private void failed(OpenId id, ViewCall call, Throwable error) {
      call.fail(
          error instanceof Answer.Failed failed
              ? failed.reason()
              : new AlraiException(ErrorCode.ALRAI_INTERNAL, "no view: " + error, error));
      result(id, Shown.FAILED);
    }

    private void result(OpenId id, Shown shown) {
      life.onLoop(() -> {
        if (over || results.get(id) == Shown.FAILED) {
          return;
        }
        if (shown == Shown.FAILED) {
          calls.remove(id);
        }
        results.put(id, shown);
        if (results.size() == opening.size()) {
          decide();
        }
      });
    }

    private void decide() {
      BinlogTransaction before = awaited;
      if (!results.containsValue(Shown.TOO_EARLY)) {
        if (results.containsValue(Shown.OPEN)) {
          becameVisible(cut.through());
        }
        goOn();
      } else if (results.containsValue(Shown.OPEN) || before == null) {
        // it was slow only: what was too early is opened again
        becameVisible(cut.through());
        again();
      } else {
        opening.forEach((id, call) -> {
          if (results.get(id) != Shown.FAILED) {
            call.onBranch(call::undo);
          }
        });
        over = true;
        countHold();
        counts.cutsMoved().increment();
        life.tell(gate -> gate.cutStuck(cut.cut()));
        watch(before, cut.through());
      }
    }

    private void goOn() {
      over = true;
      opening.forEach((id, call) -> call.shows(cut.through().ordinal()));
      countHold();
      life.tell(gate -> gate.viewsOpened(cut.cut()));
    }

    private void countHold() {
      counts.holdNanos().add(life.nanos() - sinceNanos);
    }

    private void again() {
      Map<OpenId, ViewCall> early = new LinkedHashMap<>(opening);
      early.keySet().removeIf(id -> results.get(id) != Shown.TOO_EARLY);
      early.keySet().forEach(results::remove);
      early.forEach((id, call) ->
          onBranch(
              id,
              call,
              () -> {
                call.undo();
                show(id, call);
              }));
    }
  }

  private void becameVisible(BinlogPosition through) {
    BinlogPosition known = visible;
    if (known == null || known.compareTo(through) < 0) {
      visible = through;
      life.rows().visible(through.ordinal());
    }
  }

  /**
   * Tells the gate when a cut that was given up turns out to have been slow only.
   *
   * @param transaction the last before the cut that a view shows
   */
  private void watch(BinlogTransaction transaction, BinlogPosition through) {
    work.executed(transaction.gtid().toString(), WATCH_SECONDS)
        .whenComplete((executed, error) ->
            life.onLoop(() -> {
              if (error == null && executed) {
                becameVisible(through);
                life.tell(gate -> gate.visible(through));
              } else {
                life.later(() -> watch(transaction, through));
              }
            }));
  }
}
