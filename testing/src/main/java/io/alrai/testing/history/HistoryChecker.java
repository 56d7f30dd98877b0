package io.alrai.testing.history;

import io.alrai.testing.history.DependencyGraph.Edge;
import io.alrai.testing.history.DependencyGraph.Step;
import io.alrai.testing.history.Transaction.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Looks for anomalies in a history. Takes time in proportion to the history's size.
 *
 * <p>For the snapshot levels a transaction has two nodes: R, where its snapshot is taken, and W,
 * where it commits. A history is right if its nodes can be brought into one order in which every
 * read sees the last version before it; that is, if the edges
 *
 * <pre>
 *   R(t) -> W(t)                        within
 *   W(t) -> W(u)    ww                  u's version replaced t's; if strict, also W(t) -> R(u)
 *   W(t) -> R(u)    wr                  u's snapshot has t's version
 *   R(t) -> W(u)    rw                  u replaced what t's snapshot has
 *   W(t) -> R(u)    session             u came later in t's session, which knows that t committed
 * </pre>
 *
 * have no cycle. Current reads stand at W. For the other levels both nodes are one; READ_COMMITTED
 * leaves out rw and session.
 */
public final class HistoryChecker {
  private final List<Transaction> history;
  private final Level level;
  private final List<Anomaly> anomalies = new ArrayList<>();
  private final VersionOrders versions = new VersionOrders(anomalies);
  private final boolean[] counts;
  private final Map<Long, Map<Integer, Long>> lastWrites = new HashMap<>();
  private final Map<Long, List<Long>> appended = new LinkedHashMap<>();
  private final Map<Long, List<Long>> written = new LinkedHashMap<>();
  private final List<VersionRead> reads = new ArrayList<>();

  private record VersionRead(int transaction, long key, long version, boolean current) {}

  private HistoryChecker(List<Transaction> history, Level level) {
    this.history = history;
    this.level = level;
    this.counts = new boolean[history.size()];
  }

  /** The anomalies of a history; empty if it keeps the promise, as far as that can be known. */
  public static List<Anomaly> check(List<Transaction> history, Level level) {
    return check(history, level, Map.of());
  }

  /**
   * The anomalies, with known orders of the versions of registers.
   *
   * @param orders of each register the values that were written, the oldest first; values of
   *     transactions that did not commit are passed over
   */
  public static List<Anomaly> check(
      List<Transaction> history, Level level, Map<Long, List<Long>> orders) {
    HistoryChecker checker = new HistoryChecker(history, level);
    checker.takeWrites();
    checker.takeReads();
    checker.orderVersions(orders);
    checker.findCycles();
    return List.copyOf(checker.anomalies);
  }

  private void report(Anomaly.Kind kind, String explanation) {
    anomalies.add(new Anomaly(kind, explanation));
  }

  private void takeWrites() {
    Map<Long, Set<Long>> observed = new HashMap<>();
    for (int t = 0; t < history.size(); t++) {
      if (history.get(t).outcome() == Outcome.COMMITTED) {
        history.get(t).operations().forEach(operation -> observe(operation, observed));
      }
    }
    for (int t = 0; t < history.size(); t++) {
      Transaction transaction = history.get(t);
      counts[t] =
          transaction.outcome() == Outcome.COMMITTED
              || (transaction.outcome() == Outcome.UNKNOWN && wasSeen(transaction, observed));
      for (Operation operation : transaction.operations()) {
        switch (operation) {
          case Operation.Append append -> write(t, append.key(), append.value(), appended);
          case Operation.Write write -> write(t, write.key(), write.value(), written);
          case Operation.ReadList read -> {}
          case Operation.ReadRegister read -> {}
        }
      }
    }
  }

  private static void observe(Operation operation, Map<Long, Set<Long>> observed) {
    switch (operation) {
      case Operation.ReadList read ->
          observed.computeIfAbsent(read.key(), k -> new HashSet<>()).addAll(read.values());
      case Operation.ReadRegister read ->
          observed.computeIfAbsent(read.key(), k -> new HashSet<>()).add(read.value());
      case Operation.Append append -> {}
      case Operation.Write write -> {}
    }
  }

  private static boolean wasSeen(Transaction transaction, Map<Long, Set<Long>> observed) {
    return transaction.operations().stream()
        .anyMatch(operation ->
            switch (operation) {
              case Operation.Append a ->
                  observed.getOrDefault(a.key(), Set.of()).contains(a.value());
              case Operation.Write w ->
                  observed.getOrDefault(w.key(), Set.of()).contains(w.value());
              case Operation.ReadList read -> false;
              case Operation.ReadRegister read -> false;
            });
  }

  private void write(int t, long key, long value, Map<Long, List<Long>> to) {
    versions.written(key, value, t);
    lastWrites.computeIfAbsent(key, k -> new HashMap<>()).put(t, value);
    if (counts[t]) {
      to.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
    }
  }

  private void takeReads() {
    for (int t = 0; t < history.size(); t++) {
      if (counts[t]) {
        takeReads(t, history.get(t));
      }
    }
  }

  private void takeReads(int t, Transaction transaction) {
    Map<Long, List<Long>> own = new HashMap<>();
    Map<Long, Operation> firstRead = new HashMap<>();
    for (Operation operation : transaction.operations()) {
      switch (operation) {
        case Operation.Append append ->
            own.computeIfAbsent(append.key(), k -> new ArrayList<>()).add(append.value());
        case Operation.Write write -> own.put(write.key(), List.of(write.value()));
        case Operation.ReadList read -> {
          readAgain(t, read, read.current(), own, firstRead);
          readList(t, read, own.getOrDefault(read.key(), List.of()));
        }
        case Operation.ReadRegister read -> {
          readAgain(t, read, read.current(), own, firstRead);
          readRegister(t, read, own.getOrDefault(read.key(), List.of()));
        }
      }
    }
  }

  /** A snapshot does not change, except by the transaction's own writes. */
  private void readAgain(
      int t,
      Operation read,
      boolean current,
      Map<Long, List<Long>> own,
      Map<Long, Operation> firstRead) {
    if (level == Level.READ_COMMITTED || current || own.containsKey(read.key())) {
      return;
    }
    Operation first = firstRead.putIfAbsent(read.key(), read);
    if (first != null && !first.equals(read)) {
      report(Anomaly.Kind.INTERNAL, "T" + t + " read " + first + ", then " + read);
    }
  }

  private void readList(int t, Operation.ReadList read, List<Long> own) {
    List<Long> values = read.values();
    if (new HashSet<>(values).size() < values.size()) {
      report(Anomaly.Kind.DUPLICATE, "T" + t + " read " + read);
    }
    int external = values.size() - own.size();
    if (external < 0 || !values.subList(external, values.size()).equals(own)) {
      report(Anomaly.Kind.INTERNAL, "T" + t + " wrote " + own + " and then read " + read);
      return;
    }
    List<Long> others = values.subList(0, external);
    others.forEach(value -> checkWriter(t, read, value));
    versions.read(read.key(), values, t);
    long version = others.isEmpty() ? Operation.INITIAL : others.getLast();
    // mysqld shows a row that the transaction has changed as it is, with all before the change
    readVersion(t, read, version, read.current() || !own.isEmpty());
  }

  private void readRegister(int t, Operation.ReadRegister read, List<Long> own) {
    if (!own.isEmpty()) {
      if (read.value() != own.getLast()) {
        report(Anomaly.Kind.INTERNAL, "T" + t + " wrote " + own + " and then read " + read);
      }
      return;
    }
    if (read.value() != Operation.INITIAL) {
      checkWriter(t, read, read.value());
    }
    readVersion(t, read, read.value(), read.current());
  }

  private void checkWriter(int t, Operation read, long value) {
    int writer = versions.writer(read.key(), value);
    if (writer < 0) {
      report(Anomaly.Kind.GARBAGE_READ, "T" + t + " read " + read + ", nobody wrote " + value);
    } else if (history.get(writer).outcome() == Outcome.ABORTED) {
      report(
          Anomaly.Kind.G1A,
          "T" + t + " read " + read + " with " + value + " of the aborted T" + writer);
    }
  }

  private void readVersion(int t, Operation read, long version, boolean current) {
    int writer = versions.writer(read.key(), version);
    if (writer >= 0 && writer != t) {
      long last = lastWrite(read.key(), writer).orElse(version);
      if (last != version) {
        report(
            Anomaly.Kind.G1B,
            "T" + t + " read " + read + ", but T" + writer + " went on to write " + last);
      }
    }
    reads.add(new VersionRead(t, read.key(), version, current));
  }

  private OptionalLong lastWrite(long key, int transaction) {
    Long last = lastWrites.getOrDefault(key, Map.of()).get(transaction);
    return last == null ? OptionalLong.empty() : OptionalLong.of(last);
  }

  private void orderVersions(Map<Long, List<Long>> orders) {
    versions.finishLists(appended);
    orders.forEach((key, values) -> {
      long last = Operation.INITIAL;
      for (long value : values) {
        int writer = versions.writer(key, value);
        if (writer >= 0 && counts[writer]) {
          versions.follows(key, last, value);
          last = value;
        }
      }
    });
    for (VersionRead read : reads) {
      if (written.containsKey(read.key())) {
        lastWrite(read.key(), read.transaction())
            .ifPresent(replaced -> versions.follows(read.key(), read.version(), replaced));
      }
    }
    versions.finishRegisters(written);
  }

  // The graph.

  private boolean split() {
    return level == Level.SNAPSHOT || level == Level.STRICT_SNAPSHOT;
  }

  private int readNode(int t) {
    return split() ? history.size() + t : t;
  }

  private void findCycles() {
    DependencyGraph overwrites = new DependencyGraph(history.size());
    addOverwrites(overwrites, false);
    List<List<Step>> cycles = overwrites.cycles();
    if (cycles.isEmpty()) {
      DependencyGraph informed = new DependencyGraph(history.size());
      addOverwrites(informed, false);
      addReads(informed, false);
      cycles = informed.cycles();
    }
    if (cycles.isEmpty() && level != Level.READ_COMMITTED) {
      DependencyGraph all = new DependencyGraph(history.size() * (split() ? 2 : 1));
      addOverwrites(all, level == Level.STRICT_SNAPSHOT);
      addReads(all, true);
      addOrder(all);
      cycles = all.cycles();
    }
    cycles.forEach(this::report);
  }

  private void addOverwrites(DependencyGraph graph, boolean firstUpdaterWins) {
    versions.forEach((key, version, later) -> {
      int from = versions.writer(key, version);
      int to = versions.writer(key, later);
      if (from >= 0 && to >= 0 && from != to) {
        graph.add(from, to, Edge.WW, key);
        if (firstUpdaterWins) {
          graph.add(from, readNode(to), Edge.WW, key);
        }
      }
    });
  }

  private void addReads(DependencyGraph graph, boolean everything) {
    for (VersionRead read : reads) {
      int t = read.transaction();
      int node = everything && !read.current() ? readNode(t) : t;
      int writer = versions.writer(read.key(), read.version());
      if (writer >= 0 && writer != t) {
        graph.add(writer, node, Edge.WR, read.key());
      }
      if (everything) {
        for (long later : versions.after(read.key(), read.version())) {
          int replacer = versions.writer(read.key(), later);
          if (replacer >= 0 && replacer != t) {
            graph.add(node, replacer, Edge.RW, read.key());
          }
        }
      }
    }
  }

  private void addOrder(DependencyGraph graph) {
    Map<Long, Integer> last = new HashMap<>();
    for (int t = 0; t < history.size(); t++) {
      if (counts[t]) {
        graph.add(readNode(t), t, Edge.WITHIN, 0);
        Integer before = last.get(history.get(t).session());
        if (before != null) {
          graph.add(before, readNode(t), Edge.SESSION, 0);
        }
        // a session cannot insist on a commit whose answer it never got
        if (history.get(t).outcome() == Outcome.COMMITTED) {
          last.put(history.get(t).session(), t);
        }
      }
    }
  }

  private void report(List<Step> cycle) {
    StringBuilder text = new StringBuilder();
    for (Step step : cycle) {
      text.append(name(step.from())).append(' ').append(step.edge());
      if (step.key() != 0 || step.edge() == Edge.WW) {
        text.append('(').append(step.key()).append(')');
      }
      text.append(' ');
    }
    report(kind(cycle), text + name(cycle.getFirst().from()));
  }

  private String name(int node) {
    int t = node % history.size();
    return (node == t ? "T" : "snapshot of T") + t;
  }

  private Anomaly.Kind kind(List<Step> cycle) {
    List<Edge> edges = cycle.stream().map(Step::edge).filter(edge -> edge != Edge.WITHIN).toList();
    long antiDependencies = edges.stream().filter(edge -> edge == Edge.RW).count();
    if (antiDependencies == 0) {
      return edges.stream().allMatch(edge -> edge == Edge.WW) ? Anomaly.Kind.G0 : Anomaly.Kind.G1C;
    }
    if (antiDependencies == 1) {
      boolean oneKey =
          cycle.stream().filter(s -> s.edge() != Edge.WITHIN).map(Step::key).distinct().count()
              == 1;
      return oneKey && edges.size() == 2 && edges.contains(Edge.WW)
          ? Anomaly.Kind.LOST_UPDATE
          : Anomaly.Kind.G_SINGLE;
    }
    for (int i = 0; i < edges.size(); i++) {
      if (edges.get(i) == Edge.RW && edges.get((i + 1) % edges.size()) == Edge.RW) {
        return Anomaly.Kind.G2;
      }
    }
    return Anomaly.Kind.LONG_FORK;
  }
}
