package io.alrai.dn.gate.live;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.gate.Effect;
import io.alrai.dn.gate.Effect.Snapshot;
import io.alrai.dn.gate.OpenId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Cuts without views, for those who follow the log: what ends after the cut of S is stamped above
 * S. A timestamp that the gate refuses, as it has let more through already, is tried again at a
 * later one, which tells as much. On the gate's loop only.
 */
final class Resolves {
  private static final long MOST_MILLIS = 2_000;
  private static final long LOOK_MILLIS = 250;

  private record Call(HlcTimestamp at, CompletableFuture<Resolved> done, long sinceNanos) {}

  private final GateLife life;
  private final Map<OpenId, Call> calls = new LinkedHashMap<>();
  private final Map<OpenId, BinlogPosition> cuts = new LinkedHashMap<>();
  private long numbers;

  Resolves(GateLife life) {
    this.life = life;
  }

  void begin() {
    life.after(LOOK_MILLIS, this::cancelOld);
  }

  /** Completes with a timestamp at or above the wanted one. */
  void ask(HlcTimestamp wanted, HlcTimestamp now, CompletableFuture<Resolved> done) {
    ask(new Call(later(wanted, now), done, life.nanos()));
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
      call.done().completeExceptionally(skew);
    }
  }

  /** A cut is made, all before it is acknowledged. */
  void cut(Effect.OpenViews cut) {
    for (Snapshot snapshot : cut.snapshots()) {
      if (calls.containsKey(snapshot.id())) {
        cuts.put(snapshot.id(), cut.through());
      }
    }
  }

  /** The cut is final. */
  void opened(Snapshot snapshot) {
    Call call = calls.remove(snapshot.id());
    BinlogPosition through = cuts.remove(snapshot.id());
    if (call != null && through != null) {
      call.done().complete(new Resolved(call.at(), through));
    }
  }

  void refused(Snapshot snapshot, HlcTimestamp hint) {
    cuts.remove(snapshot.id());
    Call call = calls.remove(snapshot.id());
    if (call != null) {
      Call again = new Call(later(call.at(), hint), call.done(), call.sinceNanos());
      life.soon(() -> ask(again));
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
        call.done()
            .completeExceptionally(
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
    List.copyOf(calls.values()).forEach(call -> call.done().completeExceptionally(down));
    calls.clear();
    cuts.clear();
  }
}
