package io.alrai.dn.raft;

import io.alrai.dn.raft.ReservationState.Limits;
import io.alrai.dn.raft.ReservationState.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Everything that can happen, depth first; each state once. */
final class ReservationSearch {
  private record Open(ReservationState state, Iterator<Step> steps, String by) {}

  /** A fault, and the steps that led to it. */
  record Found(String fault, List<String> steps) {
    @Override
    public String toString() {
      return fault + ":\n  " + String.join("\n  ", steps);
    }
  }

  private final SeenStates seen = new SeenStates();
  private long steps;

  Optional<Found> search(ReservationRules rules, Limits limits) {
    Deque<Open> path = new ArrayDeque<>();
    ReservationState start = new ReservationState(rules, limits);
    seen.add(start.fingerprint());
    path.push(new Open(start, start.steps().iterator(), "start"));
    while (!path.isEmpty()) {
      Open top = path.peek();
      if (!top.steps().hasNext()) {
        path.pop();
        continue;
      }
      Step step = top.steps().next();
      steps++;
      ReservationState next = top.state().after(step);
      if (!seen.add(next.fingerprint())) {
        continue;
      }
      path.push(new Open(next, next.steps().iterator(), step.name()));
      Optional<String> fault = next.fault();
      if (fault.isPresent()) {
        List<String> names = new ArrayList<>();
        path.descendingIterator().forEachRemaining(open -> names.add(open.by()));
        return Optional.of(new Found(fault.get(), names));
      }
    }
    return Optional.empty();
  }

  int states() {
    return seen.size();
  }

  long steps() {
    return steps;
  }
}
