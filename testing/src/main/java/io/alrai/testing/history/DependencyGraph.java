package io.alrai.testing.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A directed graph with labelled edges, and its cycles. Nodes are numbers from 0. */
final class DependencyGraph {
  /** How one node depends on another. */
  enum Edge {
    /** The version of the first was replaced by the second's. */
    WW,
    /** The second read what the first wrote. */
    WR,
    /** The first read a version that the second replaced. */
    RW,
    /** The second came later in the same session. */
    SESSION,
    /** A transaction's reads are before its commit. */
    WITHIN
  }

  /**
   * An edge of a cycle.
   *
   * @param key what the two met at; 0 for an edge without a key
   */
  record Step(int from, int to, Edge edge, long key) {}

  private final int nodes;
  private final List<List<Step>> out = new ArrayList<>();

  DependencyGraph(int nodes) {
    this.nodes = nodes;
    for (int i = 0; i < nodes; i++) {
      out.add(new ArrayList<>(4));
    }
  }

  void add(int from, int to, Edge edge, long key) {
    if (from != to) {
      out.get(from).add(new Step(from, to, edge, key));
    }
  }

  /** A shortest cycle through some node of each strongly connected component, at most ten. */
  List<List<Step>> cycles() {
    int[] component = components();
    int[] size = new int[nodes];
    for (int c : component) {
      size[c]++;
    }
    boolean[] seen = new boolean[nodes];
    List<List<Step>> cycles = new ArrayList<>();
    for (int node = 0; node < nodes && cycles.size() < 10; node++) {
      if (size[component[node]] > 1 && !seen[component[node]]) {
        seen[component[node]] = true;
        cycles.add(shortest(component, component[node]));
      }
    }
    return cycles;
  }

  private List<Step> shortest(int[] component, int which) {
    List<Step> best = List.of();
    int tried = 0;
    for (int node = 0; node < nodes && tried < 200; node++) {
      if (component[node] == which) {
        tried++;
        Optional<List<Step>> cycle = through(node, component);
        if (cycle.isPresent() && (best.isEmpty() || cycle.get().size() < best.size())) {
          best = cycle.get();
        }
      }
    }
    return best;
  }

  private Optional<List<Step>> through(int start, int[] component) {
    Step[] cameBy = new Step[nodes];
    boolean[] seen = new boolean[nodes];
    Deque<Integer> queue = new ArrayDeque<>(List.of(start));
    seen[start] = true;
    while (!queue.isEmpty()) {
      int node = queue.remove();
      for (Step step : out.get(node)) {
        if (step.to == start) {
          return Optional.of(path(start, step, cameBy));
        }
        if (component[step.to] == component[start] && !seen[step.to]) {
          seen[step.to] = true;
          cameBy[step.to] = step;
          queue.add(step.to);
        }
      }
    }
    return Optional.empty();
  }

  private static List<Step> path(int start, Step last, Step[] cameBy) {
    List<Step> steps = new ArrayList<>();
    Step step = last;
    steps.add(step);
    while (step.from != start) {
      step = cameBy[step.from];
      steps.add(step);
    }
    return steps.reversed();
  }

  /** Tarjan's algorithm without recursion: for each node the number of its component. */
  private int[] components() {
    int[] index = new int[nodes];
    int[] low = new int[nodes];
    int[] nextEdge = new int[nodes];
    int[] component = new int[nodes];
    Arrays.fill(index, -1);
    Arrays.fill(component, -1);
    int[] stack = new int[nodes];
    int[] path = new int[nodes];
    int stackSize = 0;
    int counter = 0;
    int found = 0;
    for (int root = 0; root < nodes; root++) {
      if (index[root] >= 0) {
        continue;
      }
      int depth = 0;
      path[0] = root;
      index[root] = low[root] = counter++;
      stack[stackSize++] = root;
      while (depth >= 0) {
        int node = path[depth];
        List<Step> edges = out.get(node);
        if (nextEdge[node] < edges.size()) {
          int to = edges.get(nextEdge[node]++).to;
          if (index[to] < 0) {
            index[to] = low[to] = counter++;
            stack[stackSize++] = to;
            path[++depth] = to;
          } else if (component[to] < 0) {
            low[node] = Math.min(low[node], index[to]);
          }
          continue;
        }
        if (low[node] == index[node]) {
          int member;
          do {
            member = stack[--stackSize];
            component[member] = found;
          } while (member != node);
          found++;
        }
        depth--;
        if (depth >= 0) {
          low[path[depth]] = Math.min(low[path[depth]], low[node]);
        }
      }
    }
    return component;
  }
}
