package io.alrai.optimizer.bind;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a query block's conjuncts say: classes of equal columns, and slots that a class is equal to.
 * A block inherits what holds around it by {@link #copy}. One thread.
 */
public final class Equalities {
  private static final int MOST_TUPLES = 1024;

  private final Map<ColumnRef, ColumnRef> parents;
  private final Map<ColumnRef, List<Integer>> constants;
  private final List<List<Map<ColumnRef, List<Integer>>>> alternatives;

  /** Knows nothing. */
  public Equalities() {
    this.parents = new LinkedHashMap<>();
    this.constants = new HashMap<>();
    this.alternatives = new ArrayList<>();
  }

  private Equalities(Equalities other) {
    this.parents = new LinkedHashMap<>(other.parents);
    this.constants = new HashMap<>(other.constants);
    this.alternatives = new ArrayList<>(other.alternatives);
  }

  /** One that can be added to without effect on this. */
  public Equalities copy() {
    return new Equalities(this);
  }

  private ColumnRef root(ColumnRef column) {
    ColumnRef current = column;
    while (true) {
      ColumnRef parent = parents.get(current);
      if (parent == null) {
        return current;
      }
      current = parent;
    }
  }

  /** Both columns are equal. */
  void equal(ColumnRef left, ColumnRef right) {
    ColumnRef a = root(left);
    ColumnRef b = root(right);
    if (a.equals(b)) {
      return;
    }
    parents.put(a, b);
    List<Integer> slots = constants.remove(a);
    if (slots != null) {
      oneOf(b, slots);
    }
  }

  /** The column is equal to one of these slots. */
  void oneOf(ColumnRef column, List<Integer> slots) {
    constants.merge(root(column), slots, (x, y) -> x.size() <= y.size() ? x : y);
  }

  /** One of these branches holds; each says which slots columns are equal to. */
  void anyOf(List<Map<ColumnRef, List<Integer>>> branches) {
    alternatives.add(branches);
  }

  /** Whether both are known to be equal. */
  public boolean areEqual(ColumnRef left, ColumnRef right) {
    return root(left).equals(root(right));
  }

  /** The columns known to be equal, in classes of two and more. */
  public Collection<Set<ColumnRef>> classes() {
    Map<ColumnRef, Set<ColumnRef>> classes = new LinkedHashMap<>();
    for (ColumnRef column : parents.keySet()) {
      ColumnRef root = root(column);
      classes.computeIfAbsent(root, any -> new LinkedHashSet<>(Set.of(root))).add(column);
    }
    return classes.values();
  }

  /** Whether some column of one list equals some column of the other. */
  boolean meet(List<ColumnRef> left, List<ColumnRef> right) {
    return left.stream().anyMatch(a -> right.stream().anyMatch(b -> areEqual(a, b)));
  }

  /**
   * The key values to which a relation's rows are confined.
   *
   * @param keys for each key column the columns that equal it
   */
  public Optional<Set<List<Integer>>> tuples(List<List<ColumnRef>> keys) {
    Optional<Set<List<Integer>>> direct = product(keys, Map.of());
    if (direct.isPresent()) {
      return direct;
    }
    for (List<Map<ColumnRef, List<Integer>>> branches : alternatives) {
      Optional<Set<List<Integer>>> union = union(keys, branches);
      if (union.isPresent()) {
        return union;
      }
    }
    return Optional.empty();
  }

  private Optional<Set<List<Integer>>> union(
      List<List<ColumnRef>> keys, List<Map<ColumnRef, List<Integer>>> branches) {
    Set<List<Integer>> all = new LinkedHashSet<>();
    for (Map<ColumnRef, List<Integer>> branch : branches) {
      Map<ColumnRef, List<Integer>> byRoot = new HashMap<>();
      branch.forEach((column, slots) -> byRoot.put(root(column), slots));
      Optional<Set<List<Integer>>> product = product(keys, byRoot);
      if (product.isEmpty() || all.size() > MOST_TUPLES) {
        return Optional.empty();
      }
      all.addAll(product.get());
    }
    return Optional.of(all);
  }

  private Optional<Set<List<Integer>>> product(
      List<List<ColumnRef>> keys, Map<ColumnRef, List<Integer>> extra) {
    if (keys.isEmpty()) {
      return Optional.empty();
    }
    List<List<Integer>> tuples = List.of(List.of());
    for (List<ColumnRef> key : keys) {
      Optional<List<Integer>> slots = slots(key, extra);
      if (slots.isEmpty() || tuples.size() * slots.get().size() > MOST_TUPLES) {
        return Optional.empty();
      }
      List<List<Integer>> longer = new ArrayList<>();
      for (List<Integer> tuple : tuples) {
        for (Integer slot : slots.get()) {
          List<Integer> next = new ArrayList<>(tuple);
          next.add(slot);
          longer.add(next);
        }
      }
      tuples = longer;
    }
    return Optional.of(new LinkedHashSet<>(tuples));
  }

  private Optional<List<Integer>> slots(List<ColumnRef> key, Map<ColumnRef, List<Integer>> extra) {
    for (ColumnRef column : key) {
      List<Integer> slots = extra.get(root(column));
      if (slots == null) {
        slots = constants.get(root(column));
      }
      if (slots != null) {
        return Optional.of(slots);
      }
    }
    return Optional.empty();
  }
}
