package io.alrai.dn.gate.group;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.dn.gate.Cluster;
import io.alrai.testing.history.Operation;
import io.alrai.testing.history.Transaction;
import io.alrai.testing.history.Transaction.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A run whose DNs are groups. */
final class GroupCluster extends Cluster {
  private static final int TRANSACTIONS = 150;

  private final Map<TransactionId, Set<DnId>> participants;
  private final Map<TransactionId, Set<DnId>> asked = new HashMap<>();
  private final int mostFaults;

  GroupCluster(long seed, GroupRules rules, int mostFaults) {
    this(seed, rules, mostFaults, 0);
  }

  /** With members that are killed at moments at which clocks are of consequence. */
  GroupCluster(long seed, GroupRules rules, int mostFaults, int clockFaults) {
    this(seed, rules, mostFaults, clockFaults, new HashMap<>());
  }

  private GroupCluster(
      long seed,
      GroupRules rules,
      int mostFaults,
      int clockFaults,
      Map<TransactionId, Set<DnId>> participants) {
    super(
        seed,
        new GroupSessions(rules, seed),
        TRANSACTIONS,
        (place, offset) ->
            new GroupDn(
                place,
                offset,
                rules,
                clockFaults,
                id -> Optional.ofNullable(participants.get(id))));
    this.participants = participants;
    this.mostFaults = mostFaults;
  }

  @Override
  protected void involves(TransactionId id, List<DnId> parts) {
    asked.put(id, Set.copyOf(parts));
  }

  @Override
  protected void asksNoMore(TransactionId id) {
    Set<DnId> parts = asked.remove(id);
    if (parts != null) {
      participants.put(id, parts);
    }
  }

  @Override
  protected void crashed() {
    List.copyOf(asked.keySet()).stream().filter(this::died).forEach(this::asksNoMore);
  }

  @Override
  protected void disturb(int perCn) {
    long faults = world.between(Math.min(1, mostFaults), mostFaults);
    for (int i = 0; i < faults; i++) {
      world.after(world.between(1_000, 150_000), () -> fault(perCn));
    }
  }

  private List<GroupDn> groups() {
    return dns.stream().map(dn -> (GroupDn) dn).toList();
  }

  int leads() {
    return groups().stream().mapToInt(GroupDn::leads).sum();
  }

  int shown() {
    return groups().stream().mapToInt(dn -> dn.checks.shown()).sum();
  }

  int shownByReplicas() {
    return groups().stream().mapToInt(dn -> dn.shownByReplicas).sum();
  }

  List<GroupColumns> columns() {
    return groups().stream().map(dn -> dn.columns).toList();
  }

  /** How often learners were fed by another member than before, or anew. */
  int sources() {
    return groups().stream()
        .flatMap(dn -> dn.learner().stream())
        .mapToInt(GroupLearner::sources)
        .sum();
  }

  int clones() {
    return groups().stream()
        .flatMap(dn -> dn.learner().stream())
        .mapToInt(GroupLearner::clones)
        .sum();
  }

  int restamps() {
    return groups().stream().mapToInt(dn -> dn.restamps).sum();
  }

  /** What the checks of one run have found; nothing where the run itself ends by an error. */
  static List<String> faults(long seed, GroupRules rules, int mostFaults, int clockFaults) {
    GroupCluster cluster = new GroupCluster(seed, rules, mostFaults, clockFaults);
    try {
      cluster.run();
    } catch (RuntimeException impossible) {
      return List.of();
    }
    return cluster.faults();
  }

  /** Everything that is wrong. */
  List<String> faults() {
    List<String> found = new ArrayList<>();
    groups().forEach(dn -> found.addAll(dn.checks.faults()));
    lostWrites().forEach(write -> found.add("lost " + write));
    found.addAll(cameBack());
    anomalies().forEach(anomaly -> found.add(anomaly.toString()));
    return found;
  }

  /** What was reported to clients as failed for good, and is there. */
  private List<String> cameBack() {
    Set<Long> there = new HashSet<>();
    dns.forEach(dn -> dn.rows().values().forEach(there::addAll));
    List<String> back = new ArrayList<>();
    for (Transaction transaction : history) {
      if (transaction.outcome() == Outcome.ABORTED) {
        for (Operation operation : transaction.operations()) {
          if (operation instanceof Operation.Append append && there.contains(append.value())) {
            back.add("came back: " + append);
          }
        }
      }
    }
    return back;
  }
}
