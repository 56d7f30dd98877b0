package io.alrai.executor.operator;

import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/** Reads sorted runs as one; of equal keys the earlier run's comes first. */
final class RunMerge {
  private record Head(SortedRun run, int number) {}

  private final PriorityQueue<Head> heads;
  private boolean started;

  RunMerge(List<SortedRun> runs) {
    heads =
        new PriorityQueue<>(
            runs.size(),
            (a, b) -> {
              int byKey = Arrays.compareUnsigned(a.run.current().key(), b.run.current().key());
              return byKey != 0 ? byKey : Integer.compare(a.number, b.number);
            });
    for (int i = 0; i < runs.size(); i++) {
      if (runs.get(i).advance()) {
        heads.add(new Head(runs.get(i), i));
      }
    }
  }

  boolean advance() {
    if (started && !heads.isEmpty()) {
      Head head = heads.remove();
      if (head.run.advance()) {
        heads.add(head);
      }
    }
    started = true;
    return !heads.isEmpty();
  }

  KeyedRow current() {
    return heads.element().run.current();
  }
}
