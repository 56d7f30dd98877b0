package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelMysqld.Entry;
import io.alrai.testing.history.Anomaly;
import io.alrai.testing.history.BankCheck;
import io.alrai.testing.history.HistoryChecker;
import io.alrai.testing.history.Level;
import io.alrai.testing.history.Operation;
import io.alrai.testing.history.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One simulated run: DNs with real gates, CNs, sessions, and what is killed when. */
final class Cluster {
  private static final int KEYS_OF_DN = 3;
  private static final long LIMIT = 60_000_000;

  final World world;
  final SessionRules rules;
  final List<ModelAgent> agents = new ArrayList<>();
  final List<Transaction> history = new ArrayList<>();
  private final List<ModelCn> cns = new ArrayList<>();
  private int transactionsLeft;
  private long number;

  /**
   * Whether anybody is killed. Locks of reads are lost then while a COMMIT is on its way:
   * SERIALIZABLE transactions stay so among themselves, but a reader at a snapshot can see what was
   * written over such a read before what the transaction itself wrote. So there are none of these
   * then.
   */
  private final boolean faulty;

  /** How this run's sessions behave. */
  final double readers;

  final double small;
  final long thinkMicros;
  int commits;
  int distributed;
  int refusals;
  int moves;
  int failedOpens;

  /** What clients noticed that could not be with the locks or the order that they have. */
  final List<String> surprises = new ArrayList<>();

  Cluster(long seed, GateRules rules, SessionRules sessions) {
    this(seed, rules, sessions, 150);
  }

  Cluster(long seed, GateRules rules, SessionRules sessions, int transactions) {
    this.rules = sessions;
    this.world = new World(seed);
    this.transactionsLeft = transactions;
    boolean mayKill = sessions.level() != Level.SERIALIZABLE || world.chance(0.5);
    this.faulty = mayKill && sessions.kills();
    double share = 0.15 + 0.4 * world.random.nextDouble();
    this.readers = sessions.level() == Level.SERIALIZABLE && faulty ? 0 : share;
    this.small = 0.2 + 0.7 * world.random.nextDouble();
    this.thinkMicros = world.between(50, 1_000);
    int dns = (int) world.between(2, 4);
    for (int i = 0; i < dns; i++) {
      agents.add(
          new ModelAgent(world, new DnId("dn-" + i), offset(), this::agent, rules, sessions));
    }
    for (int i = 0; i < 2; i++) {
      cns.add(new ModelCn(world, new NodeId("cn-" + i), offset(), sessions));
    }
  }

  private long offset() {
    if (rules.clocksAstray() && world.chance(0.3)) {
      long most = rules.mostAheadMillis();
      return world.between(most - 100, most + 200);
    }
    return world.chance(0.4) ? world.between(-200, 200) : world.between(-2, 2);
  }

  private ModelAgent agent(DnId dn) {
    return agents.stream().filter(a -> a.dn.equals(dn)).findFirst().orElseThrow();
  }

  // What sessions need.

  boolean takeTransaction() {
    return transactionsLeft-- > 0;
  }

  long newNumber() {
    return ++number;
  }

  List<Integer> keysOf(DnId dn) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < KEYS_OF_DN; i++) {
      keys.add(1 + agents.indexOf(agent(dn)) * KEYS_OF_DN + i);
    }
    return keys;
  }

  ModelAgent agentOf(int key) {
    return agents.get((key - 1) / KEYS_OF_DN);
  }

  List<Integer> someKeys(int count) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 1; i <= agents.size() * KEYS_OF_DN; i++) {
      keys.add(i);
    }
    Collections.shuffle(keys, world.random);
    return List.copyOf(keys.subList(0, Math.min(count, keys.size())));
  }

  List<ModelAgent> someAgents(int count) {
    List<ModelAgent> some = new ArrayList<>(agents);
    Collections.shuffle(some, world.random);
    return List.copyOf(some.subList(0, Math.min(count, some.size())));
  }

  /** Whether the transaction with these operations has been recorded with an outcome. */
  boolean knows(List<Operation> operations) {
    Optional<Operation> append =
        operations.stream().filter(o -> o instanceof Operation.Append).findFirst();
    return append.isEmpty()
        || history.stream().anyMatch(t -> t.operations().contains(append.get()));
  }

  private void startSession(ModelCn cn) {
    new ModelSession(this, cn, newNumber()).next();
  }

  // The run.

  /** Runs to the end, with a last read of everything. */
  void run() {
    int perCn = (int) world.between(2, 9);
    for (ModelCn cn : cns) {
      for (int i = 0; i < perCn; i++) {
        cn.sessionStarted();
        startSession(cn);
      }
    }
    if (faulty && world.chance(0.6)) {
      long faults = world.between(1, 5);
      for (int i = 0; i < faults; i++) {
        world.after(world.between(1_000, 80_000), () -> fault(perCn));
      }
      world.failures = world.chance(0.2) ? 0.005 : 0;
    }
    if (rules.clocksAstray()) {
      world.after(world.between(50_000, 500_000), this::setClocks);
    }
    runUntilIdle();
    lastRead();
  }

  /** What was pushed ahead goes on from there until the time has come. */
  private void setClocks() {
    agents.forEach(agent -> agent.setClock(world.between(-2, 2)));
    cns.forEach(cn -> cn.setClock(world.between(-2, 2)));
  }

  private void fault(int perCn) {
    double kind = world.random.nextDouble();
    if (kind < 0.35) {
      someAgents(1).getFirst().crash(false);
    } else if (kind < 0.6) {
      someAgents(1).getFirst().crash(true);
    } else if (kind < 0.7) {
      ModelAgent agent = someAgents(1).getFirst();
      agent.mysqld.rotated =
          () -> {
            agent.mysqld.rotated = () -> {};
            world.after(world.between(0, 300), () -> agent.crash(true));
          };
    } else {
      ModelCn cn = cns.get(world.random.nextInt(cns.size()));
      cn.crash();
      for (int i = 0; i < perCn; i++) {
        cn.sessionStarted();
      }
      world.after(
          world.between(0, 5_000),
          () -> {
            for (int i = 0; i < perCn; i++) {
              startSession(cn);
            }
          });
    }
  }

  private void runUntilIdle() {
    do {
      world.run(world.now() + 20_000);
      if (world.now() > LIMIT) {
        throw new IllegalStateException(
            "does not come to rest: "
                + cns.stream().map(ModelCn::sessions).toList()
                + " sessions, "
                + agents.stream().map(ModelAgent::state).toList());
      }
    } while (cns.stream().anyMatch(cn -> cn.sessions() > 0)
        || !agents.stream().allMatch(ModelAgent::idle));
    world.run(world.now() + 200_000);
  }

  private void lastRead() {
    List<Operation> all = new ArrayList<>();
    for (ModelAgent agent : agents) {
      for (int key : keysOf(agent.dn)) {
        all.add(
            new Operation.ReadList(key, agent.mysqld.view().getOrDefault(key, List.of()), true));
      }
    }
    history.add(new Transaction(-1, Transaction.Outcome.COMMITTED, all));
  }

  // What must be true of it.

  /** What is wrong with the history, as clients saw it. */
  List<Anomaly> anomalies() {
    List<Anomaly> found = new ArrayList<>(HistoryChecker.check(history, rules.level()));
    int accounts = agents.size() * KEYS_OF_DN;
    List<BankCheck.Reading> readings = new ArrayList<>();
    for (Transaction transaction : history) {
      List<Long> balances =
          transaction.operations().stream()
              .filter(o -> o instanceof Operation.ReadList read && !read.current())
              .map(o -> balance(((Operation.ReadList) o).values()))
              .toList();
      if (balances.size() == accounts) {
        readings.add(new BankCheck.Reading("a reader", balances));
      }
    }
    found.addAll(new BankCheck(accounts, 0).check(readings));
    return found;
  }

  /** What was reported to clients as committed, and is not there in the end. */
  List<String> lostWrites() {
    List<String> lost = new ArrayList<>();
    for (Transaction transaction : history) {
      if (transaction.outcome() != Transaction.Outcome.COMMITTED) {
        continue;
      }
      for (Operation operation : transaction.operations()) {
        if (operation instanceof Operation.Append append
            && !agentOf((int) append.key())
                .mysqld
                .view()
                .getOrDefault((int) append.key(), List.of())
                .contains(append.value())) {
          lost.add(append + " of session " + transaction.session());
        }
      }
    }
    return lost;
  }

  private static long balance(List<Long> values) {
    return values.stream().mapToLong(ModelWrite::amount).sum();
  }

  /** Views that do not show exactly what is stamped at or below them. */
  List<String> wrongViews() {
    List<String> wrong = new ArrayList<>();
    for (ModelAgent agent : agents) {
      for (ModelViews.View view : agent.opened) {
        Map<Integer, List<Long>> expected = new HashMap<>();
        for (Entry entry : agent.mysqld.binlog()) {
          HlcTimestamp stamp = entry.stamp;
          if (stamp == null || stamp.compareTo(view.at()) <= 0) {
            entry.writes.forEach((key, values) ->
                expected.computeIfAbsent(key, k -> new ArrayList<>()).addAll(values));
          }
        }
        if (!expected.equals(view.rows())) {
          wrong.add(view + " should be " + expected);
        }
      }
    }
    return wrong;
  }

  /** Copies of rows that followed a log and are not what is there. */
  List<String> wrongCopies() {
    List<String> wrong = new ArrayList<>();
    for (ModelAgent agent : agents) {
      Map<Integer, List<Long>> copy = agent.follower.finish();
      Map<Integer, List<Long>> rows = agent.mysqld.view();
      if (!copy.equals(rows)) {
        wrong.add("the copy of " + agent.dn + " is " + copy + " and should be " + rows);
      }
    }
    return wrong;
  }

  int opened() {
    return agents.stream().mapToInt(agent -> agent.opened.size()).sum();
  }
}
