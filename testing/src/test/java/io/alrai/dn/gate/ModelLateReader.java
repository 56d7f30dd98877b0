package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelViews.OpenAnswer;
import io.alrai.dn.gate.ModelViews.View;
import io.alrai.testing.history.Operation;
import io.alrai.testing.history.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A transaction that reads one row, and comes to further DNs later. Where one of them has moved
 * past its snapshot, it moves to a later one, if its row is the same there. A chain of steps.
 */
final class ModelLateReader {
  private final ModelSession session;
  private final Cluster cluster;
  private final ModelCn cn;
  private final ModelAgent first;
  private final List<ModelAgent> further;
  private final int key;
  private final Map<ModelAgent, OpenAnswer> answers = new LinkedHashMap<>();
  private HlcTimestamp snapshot = HlcTimestamp.ZERO;
  private List<Long> row = List.of();
  private boolean failed;

  ModelLateReader(ModelSession session, Cluster cluster, ModelCn cn) {
    this.session = session;
    this.cluster = cluster;
    this.cn = cn;
    List<ModelAgent> all = cluster.someAgents(cluster.dns.size());
    this.first = all.getFirst();
    this.further = all.subList(1, all.size());
    List<Integer> keys = cluster.keysOf(first.dn);
    this.key = keys.get(cluster.world.random.nextInt(keys.size()));
  }

  void begin() {
    session.open(
        List.of(first),
        HlcTimestamp.ZERO,
        30,
        views -> {
          snapshot = views.getFirst().at();
          row = row(views);
          cluster.world.after(
              cluster.world.between(0, 3_000), session.step(() -> further.forEach(this::open)));
        },
        session::next);
  }

  private List<Long> row(List<View> views) {
    return views.stream()
        .filter(view -> view.dn().equals(first.dn))
        .map(view -> view.rows().getOrDefault(key, List.<Long>of()))
        .findFirst()
        .orElseThrow();
  }

  private void open(ModelAgent agent) {
    Call<OpenAnswer> call =
        session.call(
            answer -> {
              answers.put(agent, answer);
              opened();
            },
            this::fail);
    agent.request(cn.clock.now(), call, () -> agent.open(snapshot, call));
  }

  private void fail() {
    if (!failed) {
      failed = true;
      session.next();
    }
  }

  private void opened() {
    if (failed || answers.size() < further.size()) {
      return;
    }
    List<ModelAgent> moving = new ArrayList<>(List.of(first));
    List<View> kept = new ArrayList<>();
    answers.forEach((agent, answer) -> {
      View view = answer.view();
      if (view == null || cluster.rules.allViewsMove()) {
        moving.add(agent);
      } else {
        kept.add(view);
      }
    });
    HlcTimestamp later =
        answers.values().stream().map(OpenAnswer::hint).reduce(HlcTimestamp.ZERO, Fence::max);
    if (later.value() > 0) {
      cluster.moves++;
      session.open(moving, later, 30, views -> moved(views, kept), session::next);
    } else {
      List<View> views = answers.values().stream().map(OpenAnswer::view).toList();
      end(views);
    }
  }

  private void moved(List<View> views, List<View> kept) {
    if (!cluster.rules.mayMove(row, row(views))) {
      session.next();
      return;
    }
    List<View> all = new ArrayList<>(views);
    all.addAll(kept);
    end(all);
  }

  private void end(List<View> views) {
    List<Operation> operations = new ArrayList<>();
    operations.add(new Operation.ReadList(key, row, false));
    operations.addAll(ModelSession.reads(views, cluster));
    session.record(Transaction.Outcome.COMMITTED, operations);
    session.next();
  }
}
