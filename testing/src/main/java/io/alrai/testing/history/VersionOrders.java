package io.alrai.testing.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which version of a key came after which, as far as the history tells. Lists tell by what was read
 * of them. Of registers it is known when a transaction writes what it has read, or when the caller
 * knows the order.
 */
final class VersionOrders {
  private static final class Key {
    private final Map<Long, Integer> writers = new HashMap<>();
    private final Map<Long, Set<Long>> next = new LinkedHashMap<>();
    private List<Long> longest = List.of();

    void follows(long version, long later) {
      if (version != later) {
        next.computeIfAbsent(version, v -> new LinkedHashSet<>()).add(later);
      }
    }
  }

  private final Map<Long, Key> keys = new LinkedHashMap<>();
  private final List<Anomaly> anomalies;

  VersionOrders(List<Anomaly> anomalies) {
    this.anomalies = anomalies;
  }

  private Key key(long key) {
    return keys.computeIfAbsent(key, k -> new Key());
  }

  void written(long key, long value, int transaction) {
    Integer other = key(key).writers.putIfAbsent(value, transaction);
    if (other != null && other != transaction) {
      throw new IllegalArgumentException(
          "T" + other + " and T" + transaction + " both write " + value + " to " + key);
    }
  }

  /** The writer's index; -1 if nobody wrote it. */
  int writer(long key, long value) {
    Key known = keys.get(key);
    Integer writer = known == null ? null : known.writers.get(value);
    return writer == null ? -1 : writer;
  }

  /** Takes a list that was read: one of two must be the beginning of the other. */
  void read(long key, List<Long> values, int transaction) {
    Key known = key(key);
    List<Long> shorter = values.size() < known.longest.size() ? values : known.longest;
    List<Long> longer = values.size() < known.longest.size() ? known.longest : values;
    if (!longer.subList(0, shorter.size()).equals(shorter)) {
      anomalies.add(
          new Anomaly(
              Anomaly.Kind.INCOMPATIBLE_ORDER,
              "T"
                  + transaction
                  + " read "
                  + values
                  + " of "
                  + key
                  + ", others read "
                  + known.longest));
      return;
    }
    known.longest = longer;
  }

  /** A register's version replaced another one, directly or not. */
  void follows(long key, long version, long later) {
    key(key).follows(version, later);
  }

  /**
   * The lists' orders, when all reads are taken.
   *
   * @param appended the values of each list whose transactions committed
   */
  void finishLists(Map<Long, List<Long>> appended) {
    appended.forEach((name, values) -> {
      Key known = key(name);
      long last = Operation.INITIAL;
      for (long value : known.longest) {
        known.follows(last, value);
        last = value;
      }
      Set<Long> seen = new LinkedHashSet<>(known.longest);
      for (long value : values) {
        // nobody saw it, so it comes after all that somebody saw
        if (!seen.contains(value)) {
          known.follows(last, value);
        }
      }
    });
  }

  /** A register's versions of which nothing is known come after the initial one. */
  void finishRegisters(Map<Long, List<Long>> written) {
    written.forEach((name, values) -> values.forEach(v -> follows(name, Operation.INITIAL, v)));
    for (long name : written.keySet()) {
      findCycle(name);
    }
  }

  private void findCycle(long name) {
    Key known = key(name);
    Map<Long, Integer> incoming = new HashMap<>();
    known.next.forEach((from, all) -> {
      incoming.putIfAbsent(from, 0);
      all.forEach(to -> incoming.merge(to, 1, Integer::sum));
    });
    List<Long> ready = new ArrayList<>();
    incoming.forEach((version, count) -> {
      if (count == 0) {
        ready.add(version);
      }
    });
    int done = 0;
    while (!ready.isEmpty()) {
      long version = ready.removeLast();
      done++;
      for (long later : known.next.getOrDefault(version, Set.of())) {
        if (incoming.merge(later, -1, Integer::sum) == 0) {
          ready.add(later);
        }
      }
    }
    if (done < incoming.size()) {
      anomalies.add(
          new Anomaly(
              Anomaly.Kind.INCOMPATIBLE_ORDER,
              "the versions of register " + name + " follow each other in a circle"));
    }
  }

  /** The versions that are known to follow, the next one among them. */
  Collection<Long> after(long key, long version) {
    Key known = keys.get(key);
    return known == null ? Set.of() : known.next.getOrDefault(version, Set.of());
  }

  /** Calls for each version and one that follows it. */
  void forEach(Pairs pairs) {
    keys.forEach((name, known) ->
        known.next.forEach((from, all) -> all.forEach(to -> pairs.follows(name, from, to))));
  }

  /** Takes versions and those that follow. */
  interface Pairs {
    void follows(long key, long version, long later);
  }
}
