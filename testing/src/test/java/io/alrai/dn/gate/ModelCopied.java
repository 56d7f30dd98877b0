package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import java.util.List;

/**
 * A statement that reads a row without locks and without a view of its own and writes what it has
 * read to another one, a transaction by itself: as INSERT .. SELECT is under READ COMMITTED. Where
 * it waits for its lock, what it writes is what it has read before.
 */
final class ModelCopied extends ModelChain {
  private static final int MOST_ATTEMPTS = 30;

  private final int source;
  private final long committed;
  private List<Long> read = List.of();
  private int target;

  /**
   * A copy of a row of which the session knows something.
   *
   * @param committed what it has written there and committed
   */
  ModelCopied(ModelSession session, Cluster cluster, ModelCn cn, int source, long committed) {
    super(session, cluster, cn);
    this.source = source;
    this.committed = committed;
  }

  void begin() {
    ModelAgent agent = cluster.agentOf(source);
    Call<List<Long>> call =
        session.call(
            now -> {
              read = now;
              target =
                  cluster.someKeys(2).stream()
                      .filter(key -> key != source)
                      .findFirst()
                      .orElseThrow();
              named(
                  new TransactionId(
                      cn.name, cn.incarnation(), cluster.newNumber(), cluster.agentOf(target).dn));
              write(MOST_ATTEMPTS);
            },
            session::next);
    agent.request(
        cn.clock.now(),
        call,
        () -> agent.answer(call, agent.mysqld.view().getOrDefault(source, List.of())));
  }

  private void write(int attempts) {
    append(
        target,
        newValue(),
        before -> new ModelCommit(session, cluster, cn, this).run(),
        () -> again(attempts, () -> write(attempts - 1)));
  }

  @Override
  void ended(boolean done, ModelSession of) {
    if (done && !read.contains(committed)) {
      cluster.surprises.add(id() + " copied " + read + ", without what its session committed");
    }
    session.next();
  }
}
