package io.alrai.cn.deadlock;

import io.alrai.cn.deadlock.DnParties.OpenBranch;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which transaction of the cluster waits for which, over all DNs. Pure. */
final class WaitGraph {
  private final Map<Party, Set<Party>> waitsFor = new HashMap<>();
  private final Map<Party, TransactionId> spanning = new HashMap<>();
  private final Map<Party, Long> begun = new HashMap<>();

  /**
   * A graph of what was seen on the DNs.
   *
   * @param waits whose transactions are among the parties; others are left out
   */
  WaitGraph(Collection<LockWait> waits, Collection<DnParties> parties) {
    Map<DnId, DnParties> byDn = new HashMap<>();
    for (DnParties seen : parties) {
      byDn.put(seen.dn(), seen);
      seen.open().values().forEach(branch -> branch.id().ifPresent(this::addSpanning));
    }
    for (DnParties seen : parties) {
      seen.open()
          .forEach((connection, branch) -> {
            if (!isOfEarlier(branch)) {
              begun.merge(party(seen, connection), branch.begunMicros(), Math::min);
            }
          });
    }
    for (LockWait wait : waits) {
      DnParties at = byDn.getOrDefault(wait.dn(), DnParties.none(wait.dn()));
      Optional<Party> waiting = partyOf(at, wait.waiting());
      Optional<Party> blocking = partyOf(at, wait.blocking());
      if (waiting.isPresent() && blocking.isPresent()) {
        waitsFor.computeIfAbsent(waiting.get(), one -> new HashSet<>()).add(blocking.get());
      }
    }
  }

  /** Of two ids with one primary connection, the earlier transaction is at its end. */
  private void addSpanning(TransactionId id) {
    spanning.merge(Party.of(id), id, (one, other) -> one.number() > other.number() ? one : other);
  }

  /** Whether its primary connection serves a later transaction, which did not begin with it. */
  private boolean isOfEarlier(OpenBranch branch) {
    return branch.id().isPresent() && !branch.id().equals(latest(branch.id().get()));
  }

  private Optional<TransactionId> latest(TransactionId id) {
    return Optional.ofNullable(spanning.get(Party.of(id)));
  }

  private static Optional<Party> partyOf(DnParties at, long transaction) {
    Long connection = at.connections().get(transaction);
    return connection == null ? Optional.empty() : Optional.of(party(at, connection));
  }

  private static Party party(DnParties at, long connection) {
    OpenBranch branch = at.open().get(connection);
    return branch == null
        ? new Party(at.dn(), connection)
        : branch.id().map(Party::of).orElseGet(() -> new Party(at.dn(), connection));
  }

  /**
   * Whom to roll back so that no cycle is left: of every cycle the youngest that has branches on
   * several DNs. The same for whoever has seen the same.
   */
  List<TransactionId> victims() {
    List<Party> youngestFirst = new ArrayList<>(spanning.keySet());
    youngestFirst.sort(
        Comparator.comparing((Party party) -> begun.getOrDefault(party, 0L))
            .thenComparing(party -> party.dn().name())
            .thenComparing(Party::connection)
            .reversed());
    Set<Party> gone = new HashSet<>();
    List<TransactionId> victims = new ArrayList<>();
    for (Party party : youngestFirst) {
      TransactionId id = spanning.get(party);
      if (id != null && waitsForItself(party, gone)) {
        gone.add(party);
        victims.add(id);
      }
    }
    return victims;
  }

  private boolean waitsForItself(Party party, Set<Party> gone) {
    Set<Party> reached = new HashSet<>(gone);
    Deque<Party> ahead = new ArrayDeque<>(waitsFor.getOrDefault(party, Set.of()));
    while (!ahead.isEmpty()) {
      Party next = ahead.poll();
      if (next.equals(party)) {
        return true;
      }
      if (reached.add(next)) {
        ahead.addAll(waitsFor.getOrDefault(next, Set.of()));
      }
    }
    return false;
  }
}
