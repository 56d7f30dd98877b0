package io.alrai.executor.spill;

import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.vector.RowOrder;
import java.util.ArrayList;
import java.util.List;

/** Reads runs that are each in order as one: a binary heap of their first rows. One thread. */
public final class RowMerge {
  private final RowOrder order;
  private final List<RunReader> heap = new ArrayList<>();
  private boolean started;

  /** Before the first row. Takes memory for a piece of each run. */
  public RowMerge(List<List<Extent>> runs, RowOrder order, QueryMemory memory) {
    this.order = order;
    for (List<Extent> run : runs) {
      RunReader reader = new RunReader(run, memory);
      if (reader.advance()) {
        heap.add(reader);
      }
    }
    for (int at = heap.size() / 2 - 1; at >= 0; at--) {
      siftDown(at);
    }
  }

  /** Goes to the next row in order; false after the last. */
  public boolean advance() {
    if (!started) {
      started = true;
    } else if (!heap.isEmpty()) {
      if (!heap.getFirst().advance()) {
        heap.set(0, heap.getLast());
        heap.removeLast();
      }
      siftDown(0);
    }
    return !heap.isEmpty();
  }

  /** The address of the row; good until the next {@link #advance}. */
  public long row() {
    return heap.getFirst().row();
  }

  private void siftDown(int from) {
    int at = from;
    while (true) {
      int child = 2 * at + 1;
      if (child >= heap.size()) {
        return;
      }
      if (child + 1 < heap.size() && less(child + 1, child)) {
        child++;
      }
      if (!less(child, at)) {
        return;
      }
      RunReader moved = heap.get(at);
      heap.set(at, heap.get(child));
      heap.set(child, moved);
      at = child;
    }
  }

  private boolean less(int one, int other) {
    return order.compare(heap.get(one).row(), heap.get(other).row()) < 0;
  }
}
