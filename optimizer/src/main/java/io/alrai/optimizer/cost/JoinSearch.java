package io.alrai.optimizer.cost;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the cheapest order of joins, bushy ones too: all of them by dynamic programming over sets
 * of relations, and for many relations one after the other by the smallest next result. Sets are
 * bits of an int. One thread.
 */
public final class JoinSearch {
  /** More relations than this are joined greedily. */
  public static final int MOST_FOR_ALL = 11;

  private static final double BUILD = 2;
  private static final double PROBE = 1;
  private static final double OUTPUT = 0.5;
  private static final double CROSS = 10;

  /**
   * A relation.
   *
   * @param rows how many it gives
   * @param dependent whether it is joined as a build side only, to at least {@code required}
   * @param required a set of relations
   * @param factor of a dependent: what its join does to the number of rows
   */
  public record Vertex(double rows, boolean dependent, int required, double factor) {
    /** One that can stand anywhere. */
    public static Vertex free(double rows) {
      return new Vertex(rows, false, 0, 1);
    }
  }

  /**
   * A condition of inner joins.
   *
   * @param relations that it reads, two or more
   * @param selectivity the part of pairs that it lets through
   */
  public record Edge(int relations, double selectivity) {}

  private record Plan(JoinTree tree, double rows, double cost) {}

  private final List<Vertex> vertices;
  private final List<Edge> edges;
  private final Map<Integer, Plan> best = new HashMap<>();

  /** Over at most 30 relations. */
  public JoinSearch(List<Vertex> vertices, List<Edge> edges) {
    this.vertices = List.copyOf(vertices);
    this.edges = List.copyOf(edges);
  }

  /** The cheapest order that was found. */
  public JoinTree cheapest() {
    int all = (1 << vertices.size()) - 1;
    for (int i = 0; i < vertices.size(); i++) {
      double rows = vertices.get(i).rows();
      best.put(1 << i, new Plan(new JoinTree.Leaf(i), rows, rows));
    }
    if (vertices.size() > MOST_FOR_ALL) {
      return greedy(all);
    }
    for (int set = 1; set <= all; set++) {
      if (Integer.bitCount(set) > 1 && isComplete(set)) {
        search(set);
      }
    }
    return plan(all).map(Plan::tree).orElseGet(() -> greedy(all));
  }

  /** Whether all dependents of a set have what they require in it. */
  private boolean isComplete(int set) {
    for (int i = 0; i < vertices.size(); i++) {
      Vertex vertex = vertices.get(i);
      if ((set & 1 << i) != 0 && (vertex.required() & ~set) != 0) {
        return false;
      }
    }
    return true;
  }

  private Optional<Plan> plan(int set) {
    return Optional.ofNullable(best.get(set));
  }

  private void search(int set) {
    for (int build = (set - 1) & set; build > 0; build = (build - 1) & set) {
      join(set & ~build, build)
          .ifPresent(plan -> {
            Optional<Plan> known = plan(set);
            if (known.isEmpty() || plan.cost() < known.get().cost()) {
              best.put(set, plan);
            }
          });
    }
  }

  private Optional<Plan> join(int probe, int build) {
    Optional<Plan> left = plan(probe);
    Optional<Plan> right = plan(build);
    if (left.isEmpty() || right.isEmpty() || isDependent(probe) || !fits(probe, build)) {
      return Optional.empty();
    }
    int set = probe | build;
    double rows = rows(set);
    double cost =
        left.get().cost()
            + right.get().cost()
            + right.get().rows() * BUILD
            + left.get().rows() * PROBE
            + rows * OUTPUT;
    if (!connected(probe, build)) {
      cost += left.get().rows() * right.get().rows() * CROSS;
    }
    return Optional.of(
        new Plan(new JoinTree.Pair(left.get().tree(), right.get().tree()), rows, cost));
  }

  private boolean isDependent(int set) {
    return Integer.bitCount(set) == 1
        && vertices.get(Integer.numberOfTrailingZeros(set)).dependent();
  }

  private boolean fits(int probe, int build) {
    if (isDependent(build)) {
      int required = vertices.get(Integer.numberOfTrailingZeros(build)).required();
      return (required & ~probe) == 0;
    }
    return isComplete(build) && isComplete(probe);
  }

  private boolean connected(int probe, int build) {
    if (isDependent(build)) {
      return true;
    }
    int set = probe | build;
    return edges.stream()
        .anyMatch(edge ->
            (edge.relations() & ~set) == 0
                && (edge.relations() & probe) != 0
                && (edge.relations() & build) != 0);
  }

  /** Expected rows of a set of relations, whatever the order of their joins. */
  private double rows(int set) {
    double rows = 1;
    for (int i = 0; i < vertices.size(); i++) {
      Vertex vertex = vertices.get(i);
      if ((set & 1 << i) != 0) {
        rows *= vertex.dependent() ? vertex.factor() : vertex.rows();
      }
    }
    for (Edge edge : edges) {
      if ((edge.relations() & ~set) == 0) {
        rows *= edge.selectivity();
      }
    }
    return Math.max(1, rows);
  }

  private JoinTree greedy(int all) {
    List<Integer> left = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < vertices.size(); i++) {
      if (!vertices.get(i).dependent()
          && (vertices.get(start).dependent()
              || vertices.get(i).rows() > vertices.get(start).rows())) {
        start = i;
      }
    }
    for (int i = 0; i < vertices.size(); i++) {
      if (i != start) {
        left.add(i);
      }
    }
    JoinTree tree = new JoinTree.Leaf(start);
    while (tree.relations() != all) {
      int joined = tree.relations();
      int next =
          left.stream()
              .filter(i -> fits(joined, 1 << i))
              .min((a, b) -> Double.compare(weight(joined, a), weight(joined, b)))
              .orElseThrow();
      left.remove(Integer.valueOf(next));
      tree = new JoinTree.Pair(tree, new JoinTree.Leaf(next));
    }
    return tree;
  }

  private double weight(int joined, int next) {
    double rows = rows(joined | 1 << next);
    return connected(joined, 1 << next)
        ? rows
        : rows * CROSS * Math.max(2, vertices.get(next).rows());
  }
}
