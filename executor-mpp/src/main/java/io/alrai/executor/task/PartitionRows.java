package io.alrai.executor.task;

import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.spill.Partition;
import io.alrai.executor.spill.PartitionWriter;
import io.alrai.executor.spill.SpillFile;
import io.alrai.executor.vector.RowChunks;
import java.util.ArrayList;
import java.util.List;

/** Rows that go to disk by their hashes. */
final class PartitionRows implements SpillSink {
  private final List<PartitionWriter> writers = new ArrayList<>();

  PartitionRows(SpillFile file, int rowBytes, SpillShares shares, int workers, QueryMemory memory) {
    for (int i = 0; i < workers; i++) {
      writers.add(new PartitionWriter(file, rowBytes, shares.piece(workers), memory));
    }
  }

  @Override
  public void take(int worker, List<RowChunks.Chunk> rows) {
    writers.get(worker).add(rows);
  }

  /** Whether nothing has come. */
  boolean isEmpty() {
    return writers.stream().allMatch(PartitionWriter::isEmpty);
  }

  /**
   * Has the rest of the workers' rows written too.
   *
   * @return the parts that have rows, in the order of their hashes
   */
  List<Partition> finish(StageWorkers workers, QueryWork work) {
    List<Runnable> steps = new ArrayList<>(workers.spilling(this));
    writers.forEach(writer -> steps.add(writer::flush));
    work.inSteps(steps);
    return PartitionWriter.finish(writers);
  }
}
