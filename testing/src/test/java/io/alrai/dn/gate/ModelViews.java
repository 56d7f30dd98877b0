package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.gate.Effect.Snapshot;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** The OPENs of one life of an agent, and the views that are opened for them. */
public final class ModelViews {
  private static final long TIMEOUT = 150_000;

  /** What a view at a snapshot shows. */
  public record View(DnId dn, HlcTimestamp at, Map<Integer, List<Long>> rows) {}

  /** The answer to an OPEN. */
  record OpenAnswer(@Nullable View view, HlcTimestamp hint) {}

  private final World world;
  private final ModelAgent agent;
  private final Gate gate;
  private final List<View> all;
  private final Map<OpenId, Call<OpenAnswer>> calls = new HashMap<>();
  private final Map<OpenId, View> views = new HashMap<>();
  private final Queue<Effect.OpenViews> toOpen = new ArrayDeque<>();

  /**
   * No view is open yet.
   *
   * @param all takes every view that is opened
   */
  ModelViews(World world, ModelAgent agent, Gate gate, List<View> all) {
    this.world = world;
    this.agent = agent;
    this.gate = gate;
    this.all = all;
  }

  void open(OpenId id, HlcTimestamp at, Call<OpenAnswer> call) {
    calls.put(id, call);
    gate.open(id, at);
    agent.later(
        TIMEOUT,
        () -> {
          Call<OpenAnswer> late = calls.remove(id);
          if (late != null) {
            gate.cancel(id);
            late.fail();
            agent.work();
          }
        });
  }

  void openViews(Effect.OpenViews effect) {
    toOpen.add(effect);
    openNext();
    agent.later(
        world.between(150, 2_000),
        () -> {
          if (toOpen.remove(effect)) {
            gate.cutStuck(effect.cut());
            agent.work();
            watch(effect.through());
          }
        });
  }

  /** It may have been slow only. */
  private void watch(BinlogPosition position) {
    if (agent.mysqld.visibleThrough().compareTo(position) >= 0) {
      gate.visible(agent.mysqld.visibleThrough());
      agent.work();
    } else {
      agent.later(200, () -> watch(position));
    }
  }

  /** Opens the next views if all that they must show is visible. */
  void openNext() {
    Effect.OpenViews next = toOpen.peek();
    if (next == null || agent.mysqld.visibleThrough().compareTo(next.through()) < 0) {
      return;
    }
    toOpen.remove();
    agent.later(
        world.between(20, 300),
        () -> {
          for (Snapshot snapshot : next.snapshots()) {
            View view = new View(agent.dn, snapshot.at(), agent.mysqld.view());
            all.add(view);
            agent.lead.opened(view);
            views.put(snapshot.id(), view);
          }
          gate.viewsOpened(next.cut());
          agent.work();
          openNext();
        });
  }

  void opened(Snapshot snapshot) {
    View view = views.remove(snapshot.id());
    Call<OpenAnswer> call = calls.remove(snapshot.id());
    if (call != null && view != null) {
      agent.answer(call, new OpenAnswer(view, HlcTimestamp.ZERO));
    }
  }

  void refused(Snapshot snapshot, HlcTimestamp hint) {
    Call<OpenAnswer> call = calls.remove(snapshot.id());
    if (call != null) {
      agent.answer(call, new OpenAnswer(null, hint));
    }
  }
}
