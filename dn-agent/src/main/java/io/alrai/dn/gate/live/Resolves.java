package io.alrai.dn.gate.live;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.gate.Effect;
import io.alrai.dn.gate.Effect.Snapshot;
import io.alrai.dn.gate.OpenId;
import io.alrai.dn.ship.SnapshotPlace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Cuts without views, for those who follow the log: what ends after the cut of S is stamped above
 * S. The gate refuses a timestamp when it has let more through already. How far the log is complete
 * is then asked of a later one, which says as much; the place of a snapshot is not. On the gate's
 * loop only.
 */
final class Resolves {
  private static final long MOST_MILLIS = 2_000;
  private static final long LOOK_MILLIS = 250;

  /** Who asks. */
  private sealed interface Asker {
    void fail(AlraiException reason);

    /** Up to where the log is complete. */
    record Completeness(CompletableFuture<Resolved> done) implements Asker {
      @Override
      public void fail(AlraiException reason) {
        done.completeExceptionally(reason);
      }
    }

    /** What a snapshot shows. */
    record Place(CompletableFuture<SnapshotPlace> done) implements Asker {
      @Override
      public void fail(AlraiException reason) {
        done.completeExceptionally(reason);
      }
    }
  }

  private record Call(HlcTimestamp at, Asker asker, long sinceNanos) {}

  /**
   * A cut.
   *
   * @param visible all that is visible at it; empty where nobody asks
   */
  private record Made(BinlogPosition through, GtidSet visible) {}

  private final GateLife life;
  private final Map<OpenId, Call> calls = new LinkedHashMap<>();
  private final Map<OpenId, Made> cuts = new LinkedHashMap<>();
  private long numbers;

  Resolves(GateLife life) {
    this.life = life;
  }

  void begin() {
    life.after(LOOK_MILLIS, this::cancelOld);
  }

  /** Completes with a timestamp at or above the wanted one. */
  void ask(HlcTimestamp wanted, HlcTimestamp now, CompletableFuture<Resolved> done) {
    ask(new Call(later(wanted, now), new Asker.Completeness(done), life.nanos()));
  }

  /** Completes with the place of that snapshot. */
  void place(HlcTimestamp at, CompletableFuture<SnapshotPlace> done) {
    ask(new Call(at, new Asker.Place(done), life.nanos()));
  }

  private static HlcTimestamp later(HlcTimestamp one, HlcTimestamp other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private void ask(Call call) {
    OpenId id = new OpenId(--numbers); // views have the numbers above 0
    calls.put(id, call);
    try {
      life.tell(gate -> gate.open(id, call.at()));
    } catch (AlraiException skew) {
      calls.remove(id);
      call.asker().fail(skew);
    }
  }

  /** A cut is made, all before it is acknowledged, and nothing after it until it is final. */
  void cut(Effect.OpenViews cut) {
    for (Snapshot snapshot : cut.snapshots()) {
      Call call = calls.get(snapshot.id());
      if (call != null) {
        boolean shown = call.asker() instanceof Asker.Place;
        cuts.put(snapshot.id(), new Made(cut.through(), shown ? life.visible() : new GtidSet()));
      }
    }
  }

  /** The cut is final. */
  void opened(Snapshot snapshot) {
    Call call = calls.remove(snapshot.id());
    Made made = cuts.remove(snapshot.id());
    if (call != null && made != null) {
      switch (call.asker()) {
        case Asker.Completeness asker ->
            asker.done().complete(new Resolved(call.at(), made.through()));
        case Asker.Place asker -> asker.done().complete(new SnapshotPlace.Found(made.visible()));
      }
    }
  }

  void refused(Snapshot snapshot, HlcTimestamp hint) {
    cuts.remove(snapshot.id());
    Call call = calls.remove(snapshot.id());
    if (call != null) {
      switch (call.asker()) {
        case Asker.Completeness asker -> {
          Call again = new Call(later(call.at(), hint), asker, call.sinceNanos());
          life.soon(() -> ask(again));
        }
        case Asker.Place asker -> asker.done().complete(new SnapshotPlace.Passed(hint));
      }
    }
  }

  private void cancelOld() {
    long now = life.nanos();
    for (Map.Entry<OpenId, Call> next : List.copyOf(calls.entrySet())) {
      Call call = next.getValue();
      if (now - call.sinceNanos() > TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS)) {
        calls.remove(next.getKey());
        cuts.remove(next.getKey());
        life.tell(gate -> gate.cancel(next.getKey()));
        call.asker()
            .fail(
                new AlraiException(
                    ErrorCode.ALRAI_NODE_UNAVAILABLE,
                    life.dn()
                        + " could not say within "
                        + MOST_MILLIS
                        + " ms what was committed before "
                        + call.at()));
      }
    }
    life.after(LOOK_MILLIS, this::cancelOld);
  }

  void end(AlraiException down) {
    List.copyOf(calls.values()).forEach(call -> call.asker().fail(down));
    calls.clear();
    cuts.clear();
  }
}
