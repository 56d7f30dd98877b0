package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that adds to a counter under a mutex: it locks a row of another DN, by a statement
 * that changes nothing, reads the counter at a snapshot, and changes it and other rows. Nobody else
 * can have changed the counter since. A chain of steps.
 */
final class ModelMutex extends ModelChain {
  private static final int MOST_ATTEMPTS = 60;

  private final int mutex;
  private final int counter;
  private final Deque<Runnable> steps = new ArrayDeque<>();
  private List<Long> seen = List.of();

  ModelMutex(ModelSession session, Cluster cluster, ModelCn cn) {
    super(session, cluster, cn);
    this.mutex = cluster.keysOf(cluster.dns.get(0).dn()).getFirst();
    this.counter = cluster.keysOf(cluster.dns.get(1).dn()).getFirst();
  }

  void begin() {
    int own = own();
    boolean ownFirst = world.chance(0.5);
    if (ownFirst) {
      steps.add(() -> append(own, MOST_ATTEMPTS));
    }
    steps.add(() -> lock(MOST_ATTEMPTS));
    steps.add(this::view);
    if (!ownFirst) {
      steps.add(() -> append(own, MOST_ATTEMPTS));
    }
    steps.add(() -> append(counter, MOST_ATTEMPTS));
    ModelAgent primary = cluster.agentOf(ownFirst ? own : mutex);
    named(new TransactionId(cn.name, cn.incarnation(), cluster.newNumber(), primary.dn));
    next();
  }

  /** A row that is neither of the two. */
  private int own() {
    return cluster.someKeys(Integer.MAX_VALUE).stream()
        .filter(key -> key != mutex && key != counter)
        .findFirst()
        .orElseThrow();
  }

  private void next() {
    Runnable step = steps.poll();
    if (step == null) {
      new ModelCommit(session, cluster, cn, this).run();
    } else {
      step.run();
    }
  }

  private void lock(int attempts) {
    ModelAgent agent = cluster.agentOf(mutex);
    Call<@Nullable List<Long>> call =
        session.call(
            locked -> {
              if (locked == null) {
                again(attempts, () -> lock(attempts - 1));
              } else {
                next();
              }
            },
            this::abort);
    agent.request(
        cn.clock.now(),
        call,
        () -> {
          if (!alive[0]) {
            return;
          }
          if (!cluster.rules.countsChanges()) {
            writers.add(agent);
          }
          List<Long> locked = agent.mysqld.lockForUpdate(branch(agent), mutex);
          session.saw(agent.visibleStamp());
          agent.later(world.between(5, 100), () -> agent.answer(call, locked));
        });
  }

  private void view() {
    session.open(
        List.of(cluster.agentOf(counter)),
        HlcTimestamp.ZERO,
        30,
        views -> {
          seen = views.getFirst().rows().getOrDefault(counter, List.of());
          next();
        },
        this::abort);
  }

  private void append(int key, int attempts) {
    append(
        key,
        newValue(),
        before -> {
          if (key == counter && !before.equals(seen)) {
            cluster.surprises.add(id() + " counted from " + seen + ", but it was " + before);
          }
          next();
        },
        () -> again(attempts, () -> append(key, attempts - 1)));
  }
}
