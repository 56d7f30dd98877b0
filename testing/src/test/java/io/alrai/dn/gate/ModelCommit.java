package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelMysqld.Connection;
import io.alrai.testing.history.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The COMMIT of a transaction, with one phase or two. */
final class ModelCommit {
  private final ModelSession session;
  private final Cluster cluster;
  private final World world;
  private final ModelCn cn;
  private final ModelTransaction tx;

  /** Branches that only read under locks. */
  private final List<ModelAgent> readers;

  ModelCommit(ModelSession session, Cluster cluster, ModelCn cn, ModelTransaction tx) {
    this.session = session;
    this.cluster = cluster;
    this.world = cluster.world;
    this.cn = cn;
    this.tx = tx;
    this.readers = new ArrayList<>(tx.branches.keySet());
    this.readers.removeAll(tx.writers);
  }

  void run() {
    if (tx.writers.size() > 1) {
      readers.remove(tx.primary());
    }
    if (!cluster.rules.endsReadersLast()) {
      endReaders(() -> {});
      write();
    } else if (cluster.rules.asksReaders()) {
      forEach(
          readers,
          (agent, call) -> agent.answer(call, !tx.branches.get(agent).dead),
          all -> {
            if (all) {
              write();
            } else {
              tx.abort();
            }
          });
    } else {
      write();
    }
  }

  private void write() {
    if (tx.writers.size() > 1) {
      prepare();
    } else if (tx.writers.size() == 1) {
      onePhase(tx.writers.iterator().next());
    } else {
      ended(new Settled(Settled.Outcome.COMMITTED, HlcTimestamp.ZERO));
    }
  }

  /**
   * A snapshot at the stamp of the writes on the DNs where the locks of reads are still held: the
   * next holder of these locks commits after it.
   */
  private void passStamp(Runnable done) {
    if (!cluster.rules.passesStampToReaders()) {
      done.run();
      return;
    }
    HlcTimestamp stamp = session.stamp();
    int[] left = {readers.size() + 1};
    Runnable one =
        () -> {
          if (--left[0] == 0) {
            done.run();
          }
        };
    for (ModelAgent agent : readers) {
      Call<ModelViews.OpenAnswer> call = session.call(answer -> one.run(), one);
      agent.request(cn.clock.now(), call, () -> agent.open(stamp, call));
    }
    one.run();
  }

  private void endReaders(Runnable done) {
    forEach(
        readers,
        (agent, call) -> {
          agent.rollback(tx.branches.get(agent), null);
          agent.answer(call, true);
        },
        all -> done.run());
  }

  private interface Request {
    void run(ModelAgent agent, Call<Boolean> call);
  }

  /** Asks all, and says when all have answered whether each said yes. */
  private void forEach(List<ModelAgent> at, Request request, Consumer<Boolean> done) {
    if (at.isEmpty()) {
      done.accept(true);
      return;
    }
    int[] left = {at.size()};
    boolean[] all = {true};
    for (ModelAgent agent : at) {
      Consumer<Boolean> one =
          yes -> {
            all[0] &= yes;
            if (--left[0] == 0) {
              done.accept(all[0]);
            }
          };
      Call<Boolean> call = session.call(one, () -> one.accept(false));
      Connection branch = tx.branches.get(agent);
      agent.request(
          cn.clock.now(), call, () -> request.run(agent, call), () -> agent.rollback(branch, null));
    }
  }

  private void ended(Settled settled) {
    cluster.asksNoMore(tx.id());
    boolean committed = settled.outcome() == Settled.Outcome.COMMITTED;
    if (committed) {
      cluster.commits++;
      session.saw(settled.commitTs());
    }
    Runnable told =
        () -> {
          session.record(
              committed ? Transaction.Outcome.COMMITTED : Transaction.Outcome.ABORTED,
              tx.operations);
          tx.ended(committed, session);
        };
    if (cluster.rules.endsReadersLast()) {
      passStamp(() -> endReaders(told));
    } else {
      told.run();
    }
  }

  private void unknown() {
    session.record(Transaction.Outcome.UNKNOWN, tx.operations);
    session.next();
  }

  /** If the CN dies from here on, its client does not know the outcome. */
  private void diesInDoubt() {
    cn.whenLost(() -> {
      if (!cluster.knows(tx.operations)) {
        session.record(Transaction.Outcome.UNKNOWN, tx.operations);
      }
    });
  }

  private void onePhase(ModelAgent writer) {
    Call<Settled> call = session.call(this::ended, this::unknown);
    HlcTimestamp dependency = session.stamp();
    Connection branch = tx.branches.get(writer);
    writer.request(
        Fence.max(cn.clock.now(), dependency),
        call,
        () -> writer.commit(branch, dependency, call),
        () -> writer.rollback(branch, null));
    diesInDoubt();
  }

  /** The branches of the two phases: those that wrote, and the primary. */
  private Set<ModelAgent> parts() {
    Set<ModelAgent> parts = new LinkedHashSet<>(Set.of(tx.primary()));
    parts.addAll(tx.writers);
    return parts;
  }

  private void prepare() {
    cluster.distributed++;
    cluster.involves(tx.id(), parts().stream().map(ModelAgent::dn).toList());
    Map<ModelAgent, HlcTimestamp> prepared = new HashMap<>();
    int[] failures = new int[1];
    Set<ModelAgent> parts = parts();
    Runnable done =
        () -> {
          if (prepared.size() + failures[0] < parts.size()) {
            return;
          }
          if (failures[0] > 0) {
            tx.abort();
          } else {
            decide(prepared.values().stream().reduce(HlcTimestamp.ZERO, Fence::max));
          }
        };
    for (ModelAgent agent : parts) {
      Connection branch = tx.branches.get(agent);
      Call<@Nullable HlcTimestamp> call =
          session.call(
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
              agent.preCommit(branch, tx.id(), tx.alive, call);
            } else {
              agent.prepare(branch, tx.id(), call);
            }
          });
    }
  }

  private void decide(HlcTimestamp proposed) {
    ModelAgent primary = tx.primary();
    Call<Settled> call =
        session.call(
            settled -> {
              if (settled.outcome() != Settled.Outcome.COMMITTED) {
                tx.abort();
                return;
              }
              double dies = cluster.rules.diesDecided();
              if (dies > 0 && world.chance(dies)) {
                ended(settled);
              } else if (world.chance(0.3)) {
                // the client is answered after the decision already
                finish(settled.commitTs(), tx::finished);
                ended(settled);
              } else {
                finish(
                    settled.commitTs(),
                    () -> {
                      tx.finished();
                      ended(settled);
                    });
              }
            },
            cluster.rules.asksOutcomes() ? this::askOutcome : this::unknown);
    primary.request(
        cn.clock.now(),
        call,
        () -> primary.decide(tx.id(), proposed, call),
        () -> primary.rollback(tx.branches.get(primary), tx.id()));
    diesInDoubt();
  }

  /** The answer to DECIDE was lost: whoever leads the primary's DN knows, or makes it so. */
  private void askOutcome() {
    ModelAgent primary = cluster.leader(tx.id().primary());
    Runnable again = () -> world.after(1_000, session.step(this::askOutcome));
    Call<Settled> call =
        session.call(
            settled -> {
              switch (settled.outcome()) {
                case COMMITTED -> finish(settled.commitTs(), () -> ended(settled));
                case ABORTED -> {
                  cluster.asksNoMore(tx.id());
                  tx.abort();
                }
                case IN_DOUBT -> again.run();
              }
            },
            again);
    primary.request(cn.clock.now(), call, () -> primary.outcome(tx.id(), call));
  }

  private void finish(HlcTimestamp commitTs, Runnable done) {
    List<ModelAgent> others = new ArrayList<>(parts());
    others.remove(tx.primary());
    int[] left = {others.size()};
    boolean[] all = {true};
    Runnable one =
        () -> {
          if (--left[0] == 0) {
            if (all[0]) {
              tx.primary().forget(tx.id());
            }
            done.run();
          }
        };
    for (ModelAgent agent : others) {
      Call<Boolean> call =
          session.call(
              known -> one.run(),
              () -> {
                all[0] = false;
                one.run();
              });
      agent.request(cn.clock.now(), call, () -> agent.commitPrepared(tx.id(), commitTs, call));
    }
  }
}
