package io.alrai.dn.gate;

import io.alrai.testing.history.Operation;
import io.alrai.testing.history.Transaction.Outcome;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A transaction of one client that does one thing after the other, and tries again what waits. */
abstract class ModelChain extends ModelTransaction {
  /** Appends without an amount of money. */
  private static final long NOTHING = 500;

  final ModelSession session;
  final Cluster cluster;
  final World world;
  final ModelCn cn;

  ModelChain(ModelSession session, Cluster cluster, ModelCn cn) {
    super(cn);
    this.session = session;
    this.cluster = cluster;
    this.world = cluster.world;
    this.cn = cn;
  }

  /** A value that nobody else appends. */
  long newValue() {
    return cluster.newNumber() * 2 * NOTHING + NOTHING;
  }

  /**
   * Appends to a list.
   *
   * @param done takes what was in it before
   * @param locked runs when somebody else holds it
   */
  void append(int key, long value, Consumer<List<Long>> done, Runnable locked) {
    ModelAgent agent = cluster.agentOf(key);
    Call<@Nullable List<Long>> call =
        session.call(
            before -> {
              if (before == null) {
                locked.run();
                return;
              }
              operations.add(new Operation.ReadList(key, before, true));
              operations.add(new Operation.Append(key, value));
              done.accept(before);
            },
            this::abort);
    agent.request(
        cn.clock.now(),
        call,
        () -> {
          if (alive[0]) {
            writers.add(agent);
            session.saw(agent.visibleStamp());
            agent.append(branch(agent), key, value, call);
          }
        });
  }

  /** Does it a little later, if it may be tried again; else gives up. */
  void again(int attempts, Runnable action) {
    if (attempts > 0) {
      world.after(world.between(100, 1_000), session.step(action));
    } else {
      abort();
    }
  }

  @Override
  void abort() {
    session.record(Outcome.ABORTED, operations);
    rollback(world);
    session.next();
  }
}
