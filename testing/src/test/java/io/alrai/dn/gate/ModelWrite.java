package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelMysqld.Connection;
import io.alrai.dn.gate.ModelViews.OpenAnswer;
import io.alrai.testing.history.Operation;
import io.alrai.testing.history.Transaction.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A transaction that changes rows, until its COMMIT: at random, as a chain of steps. */
final class ModelWrite extends ModelTransaction {
  /** Appends carry an amount of money, so that all lists together are a bank of total 0. */
  private static final long AMOUNTS = 1_000;

  private static final int MOST_ATTEMPTS = 8;

  /** What a statement answers whose mysqld has undone the whole transaction. */
  private static final List<Long> LOST = List.of(-1L);

  /** One row: it is changed, or read under a lock. */
  private record Step(int key, boolean writes) {}

  private final ModelSession session;
  private final Cluster cluster;
  private final World world;
  private final ModelCn cn;
  private final SessionRules rules;
  private final List<Step> steps = new ArrayList<>();
  private final Map<DnId, Map<Integer, List<Long>>> views = new HashMap<>();
  private HlcTimestamp snapshot = HlcTimestamp.ZERO;
  private int done;
  private int writesLeft;
  private long balance;

  ModelWrite(ModelSession session, Cluster cluster, ModelCn cn) {
    super(cn);
    this.session = session;
    this.cluster = cluster;
    this.world = cluster.world;
    this.cn = cn;
    this.rules = cluster.rules;
  }

  static long amount(long value) {
    return Math.floorMod(value, AMOUNTS) - AMOUNTS / 2;
  }

  void begin() {
    List<Integer> keys =
        cluster.someKeys(world.chance(cluster.small) ? 1 : (int) world.between(2, 4));
    plan(keys);
    DnId primary = cluster.dnOf(keys.getFirst()).dn();
    named(new TransactionId(cn.name, cn.incarnation(), cluster.newNumber(), primary));
    if (world.chance(rules.opensViews())) {
      session.open(
          cluster.someAgents(2),
          HlcTimestamp.ZERO,
          10,
          opened -> {
            opened.forEach(this::take);
            next();
          },
          session::next);
    } else {
      next();
    }
  }

  private void plan(List<Integer> keys) {
    for (int key : keys) {
      boolean writes = !rules.readsBeforeWriting() || world.chance(0.5);
      if (!writes || (rules.readsBeforeWriting() && world.chance(0.5))) {
        steps.add(new Step(key, false));
      }
      if (writes) {
        steps.add(new Step(key, true));
        writesLeft++;
      }
    }
  }

  private void take(ModelViews.View view) {
    snapshot = view.at();
    views.put(view.dn(), view.rows());
    operations.addAll(ModelSession.reads(List.of(view), cluster));
  }

  private void next() {
    if (done == steps.size()) {
      if (world.chance(0.05)) {
        abort();
      } else {
        new ModelCommit(session, cluster, cn, this).run();
      }
      return;
    }
    Step step = steps.get(done++);
    ModelAgent agent = at(cluster.dnOf(step.key));
    if (!step.writes) {
      lock(agent, step.key, MOST_ATTEMPTS);
      return;
    }
    writesLeft--;
    long amount = writesLeft == 0 ? -balance : world.between(-50, 50);
    balance += amount;
    long value = cluster.newNumber() * AMOUNTS + AMOUNTS / 2 + amount;
    if (rules.comparesRows() && !views.isEmpty()) {
      viewed(agent, step.key, value);
    } else {
      append(agent, step.key, value, MOST_ATTEMPTS);
    }
  }

  // Strict snapshots.

  /** A write at a DN where the transaction has its view, if need be from now on. */
  private void viewed(ModelAgent agent, int key, long value) {
    if (views.containsKey(agent.dn)) {
      compare(agent, key, value);
      return;
    }
    HlcTimestamp at = rules.lateView(snapshot, cn.clock.now());
    Call<OpenAnswer> call =
        session.call(
            answer -> {
              ModelViews.View view = answer.view();
              if (view == null) {
                abort();
              } else {
                take(view);
                compare(agent, key, value);
              }
            },
            this::abort);
    agent.request(cn.clock.now(), call, () -> agent.open(at, call));
  }

  private void compare(ModelAgent agent, int key, long value) {
    if (rules.comparesUnderLock()) {
      append(agent, key, value, MOST_ATTEMPTS);
      return;
    }
    Call<List<Long>> call =
        session.call(
            now -> {
              if (rules.conflicts(atSnapshot(agent, key), now)) {
                abort();
              } else {
                append(agent, key, value, MOST_ATTEMPTS);
              }
            },
            this::abort);
    agent.request(
        cn.clock.now(),
        call,
        () -> late(agent, call, agent.mysqld.view().getOrDefault(key, List.of())));
  }

  private List<Long> atSnapshot(ModelAgent agent, int key) {
    return views.getOrDefault(agent.dn, Map.of()).getOrDefault(key, List.of());
  }

  private boolean lostRow(ModelAgent agent, int key, List<Long> locked) {
    return rules.comparesRows()
        && rules.comparesUnderLock()
        && views.containsKey(agent.dn)
        && rules.conflicts(atSnapshot(agent, key), locked);
  }

  // Rows under locks.

  private void append(ModelAgent agent, int key, long value, int attempts) {
    Call<@Nullable List<Long>> call =
        session.call(
            before -> {
              if (before == null) {
                again(attempts, () -> append(agent, key, value, attempts - 1));
                return;
              }
              if (before.equals(LOST)) {
                lost(amount(value));
                return;
              }
              double undoes = rules.undoesWrites();
              if (undoes > 0 && writesLeft > 0 && world.chance(undoes)) {
                // nothing of it counts, neither what was read
                balance -= amount(value);
                undo(agent, key);
                return;
              }
              operations.add(new Operation.ReadList(key, before, true));
              if (lostRow(agent, key, before)) {
                abort();
                return;
              }
              operations.add(new Operation.Append(key, value));
              next();
            },
            this::abort);
    at(
        agent,
        call,
        branch -> {
          double loses = rules.losesTransactions();
          if (branch.lost || loses > 0 && world.chance(loses)) {
            agent.mysqld.lose(branch);
            late(agent, call, LOST);
            return;
          }
          writers.add(agent);
          agent.append(branch, key, value, call);
        });
  }

  /** A statement failed, and all before it on that DN is undone. */
  private void lost(long amount) {
    if (rules.noticesLoss(branches.size() == 1)) {
      abort();
    } else {
      balance -= amount;
      next();
    }
  }

  private void undo(ModelAgent agent, int key) {
    Call<Boolean> call = session.call(done -> next(), this::abort);
    at(
        agent,
        call,
        branch -> {
          agent.mysqld.undo(branch, key);
          late(agent, call, true);
        });
  }

  private void lock(ModelAgent agent, int key, int attempts) {
    Call<@Nullable List<Long>> call =
        session.call(
            values -> {
              if (values == null) {
                again(attempts, () -> lock(agent, key, attempts - 1));
                return;
              }
              operations.add(new Operation.ReadList(key, values, true));
              next();
            },
            this::abort);
    at(
        agent,
        call,
        branch -> late(agent, call, agent.mysqld.lock(branch, key, rules.locksReads())));
  }

  /** The mysqld answers, a little later. */
  private <T> void late(ModelAgent agent, Call<T> call, T answer) {
    agent.later(world.between(5, 100), () -> agent.answer(call, answer));
  }

  /** The lock was taken. */
  private void again(int attempts, Runnable action) {
    if (attempts > 0) {
      world.after(world.between(100, 1_000), session.step(action));
    } else {
      abort();
    }
  }

  private interface Statement {
    void run(Connection branch);
  }

  private void at(ModelAgent agent, Call<?> call, Statement statement) {
    agent.request(
        cn.clock.now(),
        call,
        () -> {
          if (alive[0]) {
            Connection branch = branch(agent);
            session.saw(agent.visibleStamp());
            statement.run(branch);
          }
        });
  }

  @Override
  void abort() {
    session.record(Outcome.ABORTED, operations);
    rollback(world);
    session.next();
  }
}
