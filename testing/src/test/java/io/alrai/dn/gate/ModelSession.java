package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelMysqld.Connection;
import io.alrai.dn.gate.ModelViews.OpenAnswer;
import io.alrai.dn.gate.Settled.Outcome;
import io.alrai.testing.history.Operation;
import io.alrai.testing.history.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client and its coordinator: one transaction after the other, at random, as a chain of steps. It
 * ends at any of them when its CN dies.
 */
final class ModelSession {
  /** Appends carry an amount of money, so that all lists together are a bank of total 0. */
  private static final long AMOUNTS = 1_000;

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

  static long amount(long value) {
    return Math.floorMod(value, AMOUNTS) - AMOUNTS / 2;
  }

  /** Runs transactions while there are some left to run. */
  void next() {
    world.after(
        world.between(0, cluster.thinkMicros),
        step(() -> {
          if (!cluster.takeTransaction()) {
            cn.sessionEnded();
          } else if (world.chance(cluster.readers)) {
            List<ModelAgent> at = cluster.someAgents(world.chance(0.5) ? cluster.agents.size() : 2);
            open(at, HlcTimestamp.ZERO, 30, views -> readOnly(views), this::next);
          } else {
            write();
          }
        }));
  }

  /** The same, unless this CN has died; now and then after a pause, as by SIGSTOP. */
  private Runnable step(Runnable action) {
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

  private <T> Call<T> call(Consumer<T> answered, Runnable failed) {
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

  private void saw(HlcTimestamp seen) {
    if (seen.compareTo(stamp) > 0) {
      stamp = seen;
    }
  }

  private void record(Transaction.Outcome outcome, List<Operation> operations) {
    cluster.history.add(new Transaction(number, outcome, operations));
  }

  // Snapshots.

  private void open(
      List<ModelAgent> at,
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
            open(at, later, attempts - 1, opened, failed);
          } else {
            saw(snapshot);
            opened.accept(answers.stream().map(OpenAnswer::view).toList());
          }
        };
    for (ModelAgent agent : at) {
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
      agent.request(cn.clock.now(), call, () -> agent.open(snapshot, call));
    }
  }

  private static List<Operation> reads(List<ModelViews.View> views, Cluster cluster) {
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

  // Writing.

  private final class Writing {
    private final TransactionId id;
    private final List<Operation> operations = new ArrayList<>();
    private final Map<ModelAgent, Connection> branches = new LinkedHashMap<>();
    private final List<Integer> keys;
    private final boolean[] alive = {true};
    private int written;
    private long balance;

    Writing(TransactionId id, List<Integer> keys) {
      this.id = id;
      this.keys = keys;
    }

    ModelAgent primary() {
      return branches.keySet().iterator().next();
    }
  }

  private void write() {
    List<Integer> keys =
        cluster.someKeys(world.chance(cluster.small) ? 1 : (int) world.between(2, 4));
    DnId primary = cluster.agentOf(keys.getFirst()).dn;
    Writing tx = new Writing(new TransactionId(cn.name, born, cluster.newNumber(), primary), keys);
    cn.whenLost(() -> tx.alive[0] = false);
    if (world.chance(0.3)) {
      open(
          cluster.someAgents(2),
          HlcTimestamp.ZERO,
          10,
          views -> {
            tx.operations.addAll(reads(views, cluster));
            append(tx);
          },
          this::next);
    } else {
      append(tx);
    }
  }

  private void append(Writing tx) {
    if (tx.written == tx.keys.size()) {
      if (world.chance(0.05)) {
        abort(tx);
      } else {
        commit(tx);
      }
      return;
    }
    int key = tx.keys.get(tx.written++);
    ModelAgent agent = cluster.agentOf(key);
    long amount = tx.written == tx.keys.size() ? -tx.balance : world.between(-50, 50);
    tx.balance += amount;
    long value = cluster.newNumber() * AMOUNTS + AMOUNTS / 2 + amount;
    append(tx, agent, key, value, 8);
  }

  private void append(Writing tx, ModelAgent agent, int key, long value, int attempts) {
    Call<@Nullable List<Long>> call =
        call(
            before -> {
              if (before == null && attempts > 0) {
                world.after(
                    world.between(100, 1_000),
                    step(() -> append(tx, agent, key, value, attempts - 1)));
                return;
              }
              if (before == null) {
                abort(tx);
                return;
              }
              tx.operations.add(new Operation.ReadList(key, before, true));
              tx.operations.add(new Operation.Append(key, value));
              append(tx);
            },
            () -> abort(tx));
    agent.request(
        cn.clock.now(),
        call,
        () -> {
          if (!tx.alive[0]) {
            return;
          }
          Connection branch = tx.branches.computeIfAbsent(agent, a -> connect(tx, a));
          saw(agent.visibleStamp());
          agent.append(branch, key, value, call);
        });
  }

  private Connection connect(Writing tx, ModelAgent agent) {
    Connection branch = agent.mysqld.connect();
    cn.whenLost(() -> agent.rollback(branch, tx.id.primary().equals(agent.dn) ? tx.id : null));
    return branch;
  }

  private void abort(Writing tx) {
    record(Transaction.Outcome.ABORTED, tx.operations);
    tx.branches.forEach((agent, branch) ->
        world.after(
            world.delay(),
            () -> {
              if (agent.dn.equals(tx.id.primary())) {
                agent.rollback(branch, tx.id);
              } else {
                agent.abort(branch, tx.id);
              }
            }));
    next();
  }

  private void ended(Writing tx, Settled settled) {
    boolean committed = settled.outcome() == Outcome.COMMITTED;
    record(committed ? Transaction.Outcome.COMMITTED : Transaction.Outcome.ABORTED, tx.operations);
    if (committed) {
      cluster.commits++;
      saw(settled.commitTs());
    }
  }

  private void unknown(Writing tx) {
    record(Transaction.Outcome.UNKNOWN, tx.operations);
    next();
  }

  private void commit(Writing tx) {
    if (tx.branches.size() > 1) {
      prepare(tx);
      return;
    }
    Call<Settled> call =
        call(
            settled -> {
              ended(tx, settled);
              next();
            },
            () -> unknown(tx));
    HlcTimestamp dependency = stamp;
    tx.primary()
        .request(
            cn.clock.now(),
            call,
            () -> tx.primary().commit(tx.branches.get(tx.primary()), dependency, call));
    diesInDoubt(tx);
  }

  /** If the CN dies from here on, its client does not know the outcome. */
  private void diesInDoubt(Writing tx) {
    cn.whenLost(() -> {
      if (!cluster.knows(tx.operations)) {
        record(Transaction.Outcome.UNKNOWN, tx.operations);
      }
    });
  }

  private void prepare(Writing tx) {
    cluster.distributed++;
    Map<ModelAgent, HlcTimestamp> prepared = new HashMap<>();
    int[] failures = new int[1];
    Runnable done =
        () -> {
          if (prepared.size() + failures[0] < tx.branches.size()) {
            return;
          }
          if (failures[0] > 0) {
            abort(tx);
          } else {
            decide(tx, prepared.values().stream().reduce(HlcTimestamp.ZERO, Fence::max));
          }
        };
    tx.branches.forEach((agent, branch) -> {
      Call<@Nullable HlcTimestamp> call =
          call(
              prepareTs -> {
                if (prepareTs == null) {
                  failures[0]++;
                } else {
                  prepared.put(agent, prepareTs);
                }
                done.run();
              },
              () -> {
                failures[0]++;
                done.run();
              });
      agent.request(
          cn.clock.now(),
          call,
          () -> {
            if (agent == tx.primary()) {
              agent.preCommit(branch, tx.id, tx.alive, call);
            } else {
              agent.prepare(branch, tx.id, call);
            }
          });
    });
  }

  private void decide(Writing tx, HlcTimestamp proposed) {
    ModelAgent primary = tx.primary();
    Call<Settled> call =
        call(
            settled -> {
              if (settled.outcome() != Outcome.COMMITTED) {
                abort(tx);
                return;
              }
              if (world.chance(0.3)) {
                // the client is answered after the decision already
                ended(tx, settled);
                finish(tx, settled.commitTs(), () -> {});
                next();
              } else {
                finish(
                    tx,
                    settled.commitTs(),
                    () -> {
                      ended(tx, settled);
                      next();
                    });
              }
            },
            () -> unknown(tx));
    primary.request(cn.clock.now(), call, () -> primary.decide(tx.id, proposed, call));
    diesInDoubt(tx);
  }

  private void finish(Writing tx, HlcTimestamp commitTs, Runnable done) {
    List<ModelAgent> others = new ArrayList<>(tx.branches.keySet());
    others.remove(tx.primary());
    int[] left = {others.size()};
    boolean[] all = {true};
    Runnable one =
        () -> {
          if (--left[0] == 0) {
            if (all[0]) {
              tx.primary().forget(tx.id);
            }
            done.run();
          }
        };
    for (ModelAgent agent : others) {
      Call<Boolean> call =
          call(
              known -> one.run(),
              () -> {
                all[0] = false;
                one.run();
              });
      agent.request(cn.clock.now(), call, () -> agent.commitPrepared(tx.id, commitTs, call));
    }
  }
}
