package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction over two DNs, and after its COMMIT a statement that copies one of its rows. A chain
 * of steps.
 */
final class ModelCopy extends ModelChain {
  private static final int MOST_ATTEMPTS = 8;

  private final List<Integer> keys = new ArrayList<>();
  private long value;
  private boolean finished;
  private @Nullable Runnable waiting;

  ModelCopy(ModelSession session, Cluster cluster, ModelCn cn) {
    super(session, cluster, cn);
  }

  void begin() {
    for (ModelAgent agent : cluster.someAgents(2)) {
      List<Integer> there = cluster.keysOf(agent.dn);
      keys.add(there.get(world.random.nextInt(there.size())));
    }
    named(
        new TransactionId(
            cn.name, cn.incarnation(), cluster.newNumber(), cluster.agentOf(keys.getFirst()).dn));
    append(0, MOST_ATTEMPTS);
  }

  private void append(int at, int attempts) {
    if (at == keys.size()) {
      new ModelCommit(session, cluster, cn, this).run();
      return;
    }
    value = newValue();
    append(
        keys.get(at),
        value,
        before -> append(at + 1, MOST_ATTEMPTS),
        () -> again(attempts, () -> append(at, attempts - 1)));
  }

  @Override
  void ended(boolean committed, ModelSession of) {
    if (!committed) {
      session.next();
    } else if (finished || !cluster.rules.awaitsOwnCommits()) {
      copy();
    } else {
      waiting = session.step(this::copy);
    }
  }

  @Override
  void finished() {
    finished = true;
    Runnable next = waiting;
    if (next != null) {
      waiting = null;
      next.run();
    }
  }

  private void copy() {
    new ModelCopied(session, cluster, cn, keys.getLast(), value).begin();
  }
}
