package io.alrai.testing.load;

import io.alrai.testing.history.Anomaly;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** In which order the values of registers were written, as their rows count it. Any thread. */
final class RegisterVersions {
  /**
   * A value that a committed transaction read.
   *
   * @param version how often the register had been written
   */
  record Read(long key, long version, long value) {}

  private final Map<Long, TreeMap<Long, Long>> known = new HashMap<>();
  private final List<Anomaly> contradictions = new ArrayList<>();

  synchronized void add(List<Read> reads) {
    for (Read read : reads) {
      Long other =
          known
              .computeIfAbsent(read.key, k -> new TreeMap<>())
              .putIfAbsent(read.version, read.value);
      if (other != null && other != read.value) {
        contradictions.add(
            new Anomaly(
                Anomaly.Kind.INCOMPATIBLE_ORDER, read + ", but another transaction read " + other));
      }
    }
  }

  /** For each register the values that somebody read, the oldest first. */
  synchronized Map<Long, List<Long>> orders() {
    Map<Long, List<Long>> orders = new HashMap<>();
    known.forEach((key, versions) ->
        orders.put(key, versions.tailMap(1L).values().stream().distinct().toList()));
    return orders;
  }

  synchronized List<Anomaly> contradictions() {
    return List.copyOf(contradictions);
  }
}
