package io.alrai.dn.raft;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything that can happen to a group that one member becomes, the shortest ways first. */
final class ForceSearch {
  private record From(String by, ForceState before) {}

  private final Map<ForceState, From> seen = new HashMap<>();

  /** The shortest way to a fault. */
  Optional<String> search(ForceRules rules) {
    List<ForceState> starts = List.of(ForceState.FIRST, ForceState.LATE);
    Deque<ForceState> open = new ArrayDeque<>(starts);
    starts.forEach(start -> seen.put(start, new From("start", start)));
    while (!open.isEmpty()) {
      ForceState state = open.remove();
      for (ForceState.Next next : state.next(rules)) {
        if (seen.putIfAbsent(next.state(), new From(next.by(), state)) != null) {
          continue;
        }
        if (next.state().fault().isPresent()) {
          return Optional.of(next.state().fault().get() + ":\n  " + way(next.state()));
        }
        open.add(next.state());
      }
    }
    return Optional.empty();
  }

  private String way(ForceState to) {
    Deque<String> steps = new ArrayDeque<>();
    ForceState at = to;
    From from = seen.getOrDefault(at, new From("", at));
    while (!at.equals(from.before())) {
      steps.addFirst(from.by());
      at = from.before();
      from = seen.getOrDefault(at, new From("", at));
    }
    return String.join("\n  ", steps);
  }

  int states() {
    return seen.size();
  }

  /** Whether a survivor has been written to in one of the states. */
  boolean survivors() {
    return seen.keySet().stream().anyMatch(state -> state.written() >= 0);
  }
}
