package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelViews.OpenAnswer;
import io.alrai.dn.gate.ModelViews.View;
import io.alrai.testing.history.Operation;
import io.alrai.testing.history.Transaction;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction that only reads, at replicas. It loses one of them after its first reads: that view
 * is opened again at the leader, at the same snapshot; where that is gone the client restarts the
 * transaction. A chain of steps.
 */
final class ModelReplicaReader {
  private final ModelSession session;
  private final Cluster cluster;
  private final ModelCn cn;
  private final List<ModelDn> dns;

  ModelReplicaReader(ModelSession session, Cluster cluster, ModelCn cn, List<ModelDn> dns) {
    this.session = session;
    this.cluster = cluster;
    this.cn = cn;
    this.dns = dns;
  }

  void begin() {
    session.openReplicas(
        dns,
        views ->
            cluster.world.after(
                cluster.world.between(0, 3_000), session.step(() -> openAgain(views))),
        () -> session.readLeaders(dns));
  }

  private void openAgain(List<View> views) {
    ModelAgent leader = dns.get(cluster.world.random.nextInt(dns.size())).leader();
    HlcTimestamp snapshot = views.getFirst().at();
    HlcTimestamp at = cluster.rules.reopenedAt(snapshot, cn.clock.now());
    Call<OpenAnswer> call = session.call(answer -> answered(views, leader, answer), session::next);
    leader.request(cn.clock.now(), call, () -> leader.open(at, call));
  }

  private void answered(List<View> views, ModelAgent leader, OpenAnswer answer) {
    View view = answer.view();
    if (view != null) {
      cluster.reopened++;
      end(views, view);
    } else if (cluster.rules.restartsWithoutSnapshot()) {
      cluster.restarts++;
      session.next();
    } else {
      session.open(
          List.of(leader), answer.hint(), 30, later -> end(views, later.getFirst()), session::next);
    }
  }

  /** What was read before the loss, and after it. */
  private void end(List<View> views, View again) {
    List<Operation> operations = new ArrayList<>(ModelSession.reads(views, cluster));
    operations.addAll(ModelSession.reads(List.of(again), cluster));
    session.record(Transaction.Outcome.COMMITTED, operations);
    session.next();
  }
}
