package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan.SortKey;
import java.util.List;

/**
 * Merges sources that are each in order. Of equal rows those of the earlier source come first.
 * Holds one row of each source: a binary heap of their keys.
 */
final class MergeSort implements RowSource {
  private final List<RowSource> sources;
  private final List<SortKey> keys;
  private final SortedKey[] sourceKeys;

  /** Indexes of sources that have a row, the least row's first. */
  private final int[] heap;

  private int heapSize;
  private KeyEncoder encoder = KeyEncoder.NONE;
  private boolean started;

  MergeSort(List<RowSource> sources, List<SortKey> keys) {
    this.sources = List.copyOf(sources);
    this.keys = List.copyOf(keys);
    this.heap = new int[sources.size()];
    this.sourceKeys = new SortedKey[sources.size()];
  }

  @Override
  public List<ColumnDefinition> columns() {
    return sources.getFirst().columns();
  }

  @Override
  public boolean advance() {
    if (!started) {
      started = true;
      encoder = KeyEncoder.ofSort(columns(), keys);
      for (int source = 0; source < sourceKeys.length; source++) {
        sourceKeys[source] = new SortedKey();
        if (fetch(source)) {
          heap[heapSize++] = source;
        }
      }
      for (int at = heapSize / 2 - 1; at >= 0; at--) {
        siftDown(at);
      }
    } else if (heapSize > 0) {
      if (!fetch(heap[0])) {
        heap[0] = heap[--heapSize];
      }
      siftDown(0);
    }
    return heapSize > 0;
  }

  private boolean fetch(int source) {
    RowSource rows = sources.get(source);
    if (!rows.advance()) {
      return false;
    }
    sourceKeys[source].head(encoder, rows.row());
    return true;
  }

  private void siftDown(int from) {
    int at = from;
    while (true) {
      int child = 2 * at + 1;
      if (child >= heapSize) {
        return;
      }
      if (child + 1 < heapSize && less(heap[child + 1], heap[child])) {
        child++;
      }
      if (!less(heap[child], heap[at])) {
        return;
      }
      int moved = heap[at];
      heap[at] = heap[child];
      heap[child] = moved;
      at = child;
    }
  }

  private boolean less(int a, int b) {
    if (!sourceKeys[a].decides(sourceKeys[b])) {
      sourceKeys[a].complete(encoder, sources.get(a).row());
      sourceKeys[b].complete(encoder, sources.get(b).row());
    }
    int order = sourceKeys[a].compareTo(sourceKeys[b]);
    return order != 0 ? order < 0 : a < b;
  }

  @Override
  public Row row() {
    return sources.get(heap[0]).row();
  }

  @Override
  public void close() {
    sources.forEach(RowSource::close);
  }
}
