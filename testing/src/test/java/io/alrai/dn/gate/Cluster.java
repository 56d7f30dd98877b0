package io.alrai.dn.gate;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
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
import java.util.TreeMap;

/** One simulated run: DNs with real gates, CNs, sessions, and what is killed when. */
public class Cluster {
  private static final int KEYS_OF_DN = 3;
  private static final long LIMIT = 60_000_000;

  public final World world;
  final SessionRules rules;
  public final List<ModelDn> dns = new ArrayList<>();
  public final List<Transaction> history = new ArrayList<>();
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
  public int commits;
  public int distributed;
  int refusals;

  /** Views of replicas that were lost, opened again at leaders. */
  public int reopened;

  /** Transactions whose snapshot was gone when they lost a replica. */
  public int restarts;

  int moves;
  int failedOpens;

  /** What clients noticed that could not be with the locks or the order that they have. */
  final List<String> surprises = new ArrayList<>();

  Cluster(long seed, GateRules rules, SessionRules sessions) {
    this(seed, rules, sessions, 150);
  }

  Cluster(long seed, GateRules rules, SessionRules sessions, int transactions) {
    this(seed, rules, sessions, transactions, ModelAgent::new);
  }

  /** Makes a DN; its clock is so far ahead of others. */
  public interface Maker {
    /** Makes one. */
    ModelDn dn(ModelPlace place, long offsetMillis);
  }

  /** A cluster of DNs of another kind. */
  public Cluster(long seed, SessionRules sessions, int transactions, Maker maker) {
    this(seed, new GateRules(), sessions, transactions, maker);
  }

  @SuppressWarnings("this-escape") // asked for leaders only when it runs
  private Cluster(
      long seed, GateRules rules, SessionRules sessions, int transactions, Maker maker) {
    this.rules = sessions;
    this.world = new World(seed);
    this.transactionsLeft = transactions;
    boolean mayKill = sessions.level() != Level.SERIALIZABLE || world.chance(0.5);
    this.faulty = mayKill && sessions.kills();
    double share = 0.15 + 0.4 * world.random.nextDouble();
    this.readers = sessions.level() == Level.SERIALIZABLE && faulty ? 0 : share;
    this.small = 0.2 + 0.7 * world.random.nextDouble();
    this.thinkMicros = world.between(50, 1_000) * sessions.slowness();
    int count = (int) world.between(2, 4);
    for (int i = 0; i < count; i++) {
      ModelPlace place = new ModelPlace(world, new DnId("dn-" + i), this::leader, rules, sessions);
      dns.add(maker.dn(place, offset()));
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

  private ModelDn dn(DnId name) {
    return dns.stream().filter(dn -> dn.dn().equals(name)).findFirst().orElseThrow();
  }

  /** The agent that somebody believes to lead a DN. */
  ModelAgent leader(DnId name) {
    return dn(name).leader();
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
      keys.add(1 + dns.indexOf(dn(dn)) * KEYS_OF_DN + i);
    }
    return keys;
  }

  ModelDn dnOf(int key) {
    return dns.get((key - 1) / KEYS_OF_DN);
  }

  ModelAgent agentOf(int key) {
    return dnOf(key).leader();
  }

  List<Integer> someKeys(int count) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 1; i <= dns.size() * KEYS_OF_DN; i++) {
      keys.add(i);
    }
    Collections.shuffle(keys, world.random);
    return List.copyOf(keys.subList(0, Math.min(count, keys.size())));
  }

  List<ModelAgent> someAgents(int count) {
    return someDns(count).stream().map(ModelDn::leader).toList();
  }

  List<ModelDn> someDns(int count) {
    List<ModelDn> some = new ArrayList<>(dns);
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

  /** A transaction has branches on several DNs. */
  protected void involves(TransactionId id, List<DnId> parts) {}

  /** Its coordinator knows what became of it. */
  protected void asksNoMore(TransactionId id) {}

  /** A CN has died. */
  protected void crashed() {}

  /** Whether the coordinator of a transaction has died. */
  protected boolean died(TransactionId id) {
    return cns.stream()
        .anyMatch(cn -> cn.name.equals(id.coordinator()) && cn.incarnation() != id.epoch());
  }

  private void startSession(ModelCn cn) {
    new ModelSession(this, cn, newNumber()).next();
  }

  // The run.

  /** Runs to the end, with a last read of everything. */
  public void run() {
    int perCn = (int) world.between(2, 9);
    for (ModelCn cn : cns) {
      for (int i = 0; i < perCn; i++) {
        cn.sessionStarted();
        startSession(cn);
      }
    }
    if (faulty) {
      disturb(perCn);
    }
    if (rules.clocksAstray()) {
      world.after(world.between(50_000, 500_000), this::setClocks);
    }
    runUntilIdle();
    lastRead();
  }

  /** Decides who is killed when. */
  protected void disturb(int perCn) {
    if (world.chance(0.6)) {
      long faults = world.between(1, 5);
      for (int i = 0; i < faults; i++) {
        world.after(world.between(1_000, 80_000), () -> fault(perCn));
      }
      world.failures = world.chance(0.2) ? 0.005 : 0;
    }
  }

  /** What was pushed ahead goes on from there until the time has come. */
  private void setClocks() {
    dns.forEach(dn -> dn.setClock(world.between(-2, 2)));
    cns.forEach(cn -> cn.setClock(world.between(-2, 2)));
  }

  /** Something happens to a DN or to a CN. */
  protected void fault(int perCn) {
    double kind = world.random.nextDouble();
    if (kind < 0.7) {
      someDns(1).getFirst().fault(kind);
    } else {
      ModelCn cn = cns.get(world.random.nextInt(cns.size()));
      cn.crash();
      crashed();
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
                + dns.stream().map(ModelDn::state).toList());
      }
    } while (cns.stream().anyMatch(cn -> cn.sessions() > 0)
        || !dns.stream().allMatch(ModelDn::idle));
    world.run(world.now() + 200_000);
  }

  private void lastRead() {
    List<Operation> all = new ArrayList<>();
    for (ModelDn dn : dns) {
      Map<Integer, List<Long>> rows = dn.rows();
      for (int key : keysOf(dn.dn())) {
        all.add(new Operation.ReadList(key, rows.getOrDefault(key, List.of()), true));
      }
    }
    history.add(new Transaction(-1, Transaction.Outcome.COMMITTED, all));
  }

  // What must be true of it.

  /** What is wrong with the history, as clients saw it. */
  public List<Anomaly> anomalies() {
    List<Anomaly> found = new ArrayList<>(HistoryChecker.check(history, rules.level()));
    int accounts = dns.size() * KEYS_OF_DN;
    List<BankCheck.Reading> readings = new ArrayList<>();
    for (Transaction transaction : history) {
      Map<Long, Long> balances = new TreeMap<>();
      for (Operation operation : transaction.operations()) {
        if (operation instanceof Operation.ReadList read && !read.current()) {
          balances.put(read.key(), balance(read.values()));
        }
      }
      if (balances.size() == accounts) {
        readings.add(new BankCheck.Reading("a reader", List.copyOf(balances.values())));
      }
    }
    found.addAll(new BankCheck(accounts, 0).check(readings));
    return found;
  }

  /** What was reported to clients as committed, and is not there in the end. */
  public List<String> lostWrites() {
    List<String> lost = new ArrayList<>();
    for (Transaction transaction : history) {
      if (transaction.outcome() != Transaction.Outcome.COMMITTED) {
        continue;
      }
      for (Operation operation : transaction.operations()) {
        if (operation instanceof Operation.Append append
            && !dnOf((int) append.key())
                .rows()
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

  private List<ModelAgent> agents() {
    return dns.stream().map(ModelDn::leader).toList();
  }

  /** Views that do not show exactly what is stamped at or below them. */
  List<String> wrongViews() {
    List<String> wrong = new ArrayList<>();
    for (ModelAgent agent : agents()) {
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
    for (ModelAgent agent : agents()) {
      Map<Integer, List<Long>> copy = agent.follower.finish();
      Map<Integer, List<Long>> rows = agent.mysqld.view();
      if (!copy.equals(rows)) {
        wrong.add("the copy of " + agent.dn + " is " + copy + " and should be " + rows);
      }
    }
    return wrong;
  }

  int opened() {
    return agents().stream().mapToInt(agent -> agent.opened.size()).sum();
  }
}
