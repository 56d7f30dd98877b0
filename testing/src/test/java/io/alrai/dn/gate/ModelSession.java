package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelViews.OpenAnswer;
import io.alrai.testing.history.Operation;
import io.alrai.testing.history.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A client and its coordinator: one transaction after the other, at random, as a chain of steps. It
 * ends at any of them when its CN dies. Those that write are {@link ModelWrite}s.
 */
final class ModelSession {
  private final Cluster cluster;
  private final World world;
  private final ModelCn cn;
  private final int born;
  private final long number;
  private HlcTimestamp stamp = HlcTimestamp.ZERO;

  ModelSession(Cluster cluster, ModelCn cn, long number) {
    this.cluster = cluster;
    this.world = cluster.world;
    this.cn = cn;
    this.born = cn.incarnation();
    this.number = number;
  }

  /** Runs transactions while there are some left to run. */
  void next() {
    world.after(
        world.between(0, cluster.thinkMicros),
        step(() -> {
          if (!cluster.takeTransaction()) {
            cn.sessionEnded();
          } else if (world.chance(cluster.readers)) {
            read();
          } else if (cluster.rules.mutexes() > 0 && world.chance(cluster.rules.mutexes())) {
            new ModelMutex(this, cluster, cn).begin();
          } else if (cluster.rules.copies() > 0 && world.chance(cluster.rules.copies())) {
            new ModelCopy(this, cluster, cn).begin();
          } else {
            new ModelWrite(this, cluster, cn).begin();
          }
        }));
  }

  private void read() {
    double late = cluster.rules.comesLate();
    if (late > 0 && world.chance(late)) {
      new ModelLateReader(this, cluster, cn).begin();
      return;
    }
    double replicas = cluster.rules.readsReplicas();
    int dns = world.chance(0.5) ? cluster.dns.size() : 2;
    if (replicas > 0 && world.chance(replicas)) {
      double lost = cluster.rules.losesReplicas();
      if (lost > 0 && world.chance(lost)) {
        new ModelReplicaReader(this, cluster, cn, cluster.someDns(dns)).begin();
      } else {
        List<ModelDn> some = cluster.someDns(dns);
        openReplicas(some, this::readOnly, () -> readLeaders(some));
      }
      return;
    }
    open(cluster.someAgents(dns), HlcTimestamp.ZERO, 30, this::readOnly, this::next);
  }

  /** Opens views at replicas. */
  void openReplicas(List<ModelDn> dns, Consumer<List<ModelViews.View>> opened, Runnable failed) {
    List<Viewer> viewers =
        dns.stream().flatMap(dn -> dn.replica().stream()).<Viewer>map(to -> to::open).toList();
    openAt(viewers, HlcTimestamp.ZERO, 3, opened, failed);
  }

  /** What cannot be read at replicas is read there. */
  void readLeaders(List<ModelDn> dns) {
    List<ModelAgent> leaders = dns.stream().map(ModelDn::leader).toList();
    open(leaders, HlcTimestamp.ZERO, 30, this::readOnly, this::next);
  }

  /** The action, unless this CN has died; now and then after a pause, as by SIGSTOP. */
  Runnable step(Runnable action) {
    return () -> {
      if (cn.incarnation() != born) {
        return;
      }
      if (world.chance(0.004)) {
        world.after(
            world.between(2_000, 40_000),
            () -> {
              if (cn.incarnation() == born) {
                action.run();
              }
            });
      } else {
        action.run();
      }
    };
  }

  <T> Call<T> call(Consumer<T> answered, Runnable failed) {
    return new Call<>(
        world,
        world::delay,
        clock -> {
          if (cn.incarnation() == born) {
            cn.sees(clock);
          }
        },
        value -> step(() -> answered.accept(value)).run(),
        step(failed));
  }

  /** What its client wrote or read. */
  HlcTimestamp stamp() {
    return stamp;
  }

  void saw(HlcTimestamp seen) {
    if (seen.compareTo(stamp) > 0) {
      stamp = seen;
    }
  }

  void record(Transaction.Outcome outcome, List<Operation> operations) {
    cluster.history.add(new Transaction(number, outcome, operations));
  }

  // Snapshots.

  /** Who is asked for a view. */
  private interface Viewer {
    void open(HlcTimestamp clock, HlcTimestamp at, Call<OpenAnswer> call);
  }

  void open(
      List<ModelAgent> at,
      HlcTimestamp hint,
      int attempts,
      Consumer<List<ModelViews.View>> opened,
      Runnable failed) {
    List<Viewer> viewers =
        at.stream()
            .<Viewer>map(agent ->
                (clock, snapshot, call) ->
                    agent.request(clock, call, () -> agent.open(snapshot, call)))
            .toList();
    openAt(viewers, hint, attempts, opened, failed);
  }

  private void openAt(
      List<Viewer> at,
      HlcTimestamp hint,
      int attempts,
      Consumer<List<ModelViews.View>> opened,
      Runnable failed) {
    HlcTimestamp now = new HlcTimestamp(cn.clock.now().value() + (1L << 16));
    HlcTimestamp snapshot = Fence.max(Fence.max(stamp, now), hint);
    List<OpenAnswer> answers = new ArrayList<>();
    int[] failures = new int[1];
    Runnable done =
        () -> {
          if (answers.size() + failures[0] < at.size()) {
            return;
          }
          HlcTimestamp later =
              answers.stream().map(OpenAnswer::hint).reduce(HlcTimestamp.ZERO, Fence::max);
          if (failures[0] > 0 || (later.value() > 0 && attempts == 0)) {
            cluster.failedOpens++;
            failed.run();
          } else if (later.value() > 0) {
            cluster.refusals++;
            openAt(at, later, attempts - 1, opened, failed);
          } else {
            saw(snapshot);
            opened.accept(answers.stream().map(OpenAnswer::view).toList());
          }
        };
    for (Viewer viewer : at) {
      Call<OpenAnswer> call =
          call(
              answer -> {
                answers.add(answer);
                done.run();
              },
              () -> {
                failures[0]++;
                done.run();
              });
      viewer.open(cn.clock.now(), snapshot, call);
    }
  }

  static List<Operation> reads(List<ModelViews.View> views, Cluster cluster) {
    List<Operation> reads = new ArrayList<>();
    for (ModelViews.View view : views) {
      for (int key : cluster.keysOf(view.dn())) {
        reads.add(new Operation.ReadList(key, view.rows().getOrDefault(key, List.of()), false));
      }
    }
    return reads;
  }

  private void readOnly(List<ModelViews.View> views) {
    record(Transaction.Outcome.COMMITTED, reads(views, cluster));
    next();
  }
}
