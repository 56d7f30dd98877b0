package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.Effect.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The OPENs between their arrival and their cut, lowest snapshot first. */
final class WaitingOpens {
  private final TreeSet<Snapshot> waiting =
      new TreeSet<>(
          Comparator.comparing(Snapshot::at).thenComparing(snapshot -> snapshot.id().number()));

  int size() {
    return waiting.size();
  }

  void add(Snapshot snapshot) {
    waiting.add(snapshot);
  }

  void remove(OpenId id) {
    waiting.removeIf(snapshot -> snapshot.id().equals(id));
  }

  void removeAll(List<Snapshot> served) {
    served.forEach(waiting::remove);
  }

  Optional<HlcTimestamp> lowest() {
    return waiting.isEmpty() ? Optional.empty() : Optional.of(waiting.first().at());
  }

  /** The lowest above a timestamp. */
  Optional<HlcTimestamp> lowestAbove(HlcTimestamp timestamp) {
    for (Snapshot snapshot : waiting) {
      if (snapshot.at().compareTo(timestamp) > 0) {
        return Optional.of(snapshot.at());
      }
    }
    return Optional.empty();
  }

  List<Snapshot> inOrder() {
    return List.copyOf(waiting);
  }

  /** Takes out those that match. */
  List<Snapshot> take(Predicate<Snapshot> which) {
    List<Snapshot> taken = new ArrayList<>();
    for (Iterator<Snapshot> all = waiting.iterator(); all.hasNext(); ) {
      Snapshot snapshot = all.next();
      if (which.test(snapshot)) {
        all.remove();
        taken.add(snapshot);
      }
    }
    return taken;
  }
}
