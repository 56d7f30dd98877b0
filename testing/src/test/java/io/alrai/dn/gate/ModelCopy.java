package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.testing.history.Operation;
import io.alrai.testing.history.Transaction.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction over two DNs, and behind its COMMIT a statement that reads one of its rows without
 * locks and without a view of its own, as INSERT .. SELECT does under READ COMMITTED. A chain of
 * steps.
 */
final class ModelCopy extends ModelTransaction {
  private static final int MOST_ATTEMPTS = 8;
  private static final long NOTHING = 500;

  private final ModelSession session;
  private final Cluster cluster;
  private final World world;
  private final ModelCn cn;
  private final List<Integer> keys = new ArrayList<>();
  private long value;
  private boolean finished;
  private @Nullable Runnable waiting;

  ModelCopy(ModelSession session, Cluster cluster, ModelCn cn) {
    super(cn);
    this.session = session;
    this.cluster = cluster;
    this.world = cluster.world;
    this.cn = cn;
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
    int key = keys.get(at);
    ModelAgent agent = cluster.agentOf(key);
    value = cluster.newNumber() * 2 * NOTHING + NOTHING;
    long mine = value;
    Call<@Nullable List<Long>> call =
        session.call(
            before -> {
              if (before != null) {
                operations.add(new Operation.ReadList(key, before, true));
                operations.add(new Operation.Append(key, mine));
                append(at + 1, MOST_ATTEMPTS);
              } else if (attempts > 0) {
                world.after(
                    world.between(100, 1_000), session.step(() -> append(at, attempts - 1)));
              } else {
                abort();
              }
            },
            this::abort);
    agent.request(
        cn.clock.now(),
        call,
        () -> {
          if (alive[0]) {
            writers.add(agent);
            session.saw(agent.visibleStamp());
            agent.append(branch(agent), key, mine, call);
          }
        });
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
    int key = keys.getLast();
    ModelAgent agent = cluster.agentOf(key);
    Call<List<Long>> call =
        session.call(
            now -> {
              if (!now.contains(value)) {
                cluster.surprises.add(id() + " does not see what it committed in " + now);
              }
              session.next();
            },
            session::next);
    agent.request(
        cn.clock.now(),
        call,
        () -> agent.answer(call, agent.mysqld.view().getOrDefault(key, List.of())));
  }

  @Override
  void abort() {
    session.record(Outcome.ABORTED, operations);
    rollback(world);
    session.next();
  }
}
