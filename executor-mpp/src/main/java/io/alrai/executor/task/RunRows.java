package io.alrai.executor.task;

import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.spill.Extent;
import io.alrai.executor.spill.RowWriter;
import io.alrai.executor.spill.SpillFile;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.RowList;
import io.alrai.executor.vector.RowOrder;
import java.util.ArrayList;
import java.util.List;

/** Rows that go to disk in order: a run each time. */
final class RunRows implements SpillSink {
  private final SpillFile file;
  private final RowLayout layout;
  private final RowOrder order;
  private final long mostRows;
  private final QueryWork work;
  private final List<RowWriter> writers = new ArrayList<>();
  private final List<List<List<Extent>>> runs = new ArrayList<>();

  /**
   * No run is written yet.
   *
   * @param mostRows how many of a run are wanted
   * @param memory for pieces
   */
  RunRows(
      SpillFile file,
      RowLayout layout,
      Stage.Outcome.Order order,
      QueryWork work,
      SpillShares shares,
      int workers,
      QueryMemory memory) {
    this.file = file;
    this.layout = layout;
    this.order = new RowOrder(layout, WindowRun.keys(order.keys()));
    this.mostRows =
        order.count() > Long.MAX_VALUE - order.offset()
            ? Long.MAX_VALUE
            : order.offset() + order.count();
    this.work = work;
    for (int i = 0; i < workers; i++) {
      writers.add(new RowWriter(file, layout.size(), shares.piece(workers), memory));
      runs.add(new ArrayList<>());
    }
  }

  @Override
  public void take(int worker, List<RowChunks.Chunk> chunks) {
    if (chunks.isEmpty()) {
      return;
    }
    try (QueryMemory lists = work.memory().part()) {
      RowList rows = RowList.of(chunks, layout.size(), lists);
      order.sort(rows, lists, work.cancellation()::check);
      RowWriter writer = writers.get(worker);
      for (int i = 0; i < Math.min(rows.size(), mostRows); i++) {
        writer.add(rows.at(i));
      }
      runs.get(worker).add(writer.finish());
    }
  }

  /** All runs. */
  List<List<Extent>> runs() {
    List<List<Extent>> all = new ArrayList<>();
    runs.forEach(all::addAll);
    return all;
  }

  RowOrder order() {
    return order;
  }
}
