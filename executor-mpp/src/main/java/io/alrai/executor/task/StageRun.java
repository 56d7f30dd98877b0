package io.alrai.executor.task;

import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.Cursor;
import io.alrai.columnar.scan.TableScan;
import io.alrai.executor.codegen.PipelineSpec.Source;
import io.alrai.executor.codegen.PipelineVariants;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.RowChunks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** One stage at work: its workers share the batches or chunks of its input. */
final class StageRun {
  private static final int ROWS_BETWEEN_LOOKS = 4096;

  private final PipelineVariants variants;
  private final List<TableScan> scans;
  private final List<RowChunks.Chunk> chunks;
  private final AtomicInteger nextChunk = new AtomicInteger();
  private final boolean parted;

  /** With the scans or the chunks that it reads; one of them is empty. */
  StageRun(PipelineVariants variants, List<TableScan> scans, List<RowChunks.Chunk> chunks) {
    this.variants = variants;
    this.scans = List.copyOf(scans);
    this.chunks = List.copyOf(chunks);
    this.parted = variants.spec().source() instanceof Source.Rows rows && rows.parted();
  }

  /** A worker's task. */
  SliceScheduler.Task worker(Lane lane) {
    return new Worker(lane);
  }

  private final class Worker implements SliceScheduler.Task {
    private final Lane lane;
    private final List<Cursor> cursors = new ArrayList<>();
    private int ownChunk;
    private Optional<PipelineVariants.Bound> bound = Optional.empty();
    private int at;

    Worker(Lane lane) {
      this.lane = lane;
      scans.forEach(scan -> cursors.add(scan.cursor()));
    }

    /** The memory of the scans stays for the whole slice, whoever closes them meanwhile. */
    @Override
    public SliceScheduler.Turn run(long deadlineNanos) {
      List<TableScan.Use> uses = new ArrayList<>();
      try {
        scans.forEach(scan -> uses.add(scan.use()));
        lane.pace().begin(deadlineNanos);
        return slice();
      } finally {
        uses.forEach(TableScan.Use::close);
      }
    }

    private SliceScheduler.Turn slice() {
      lane.pace().check();
      while (true) {
        if (bound.isEmpty()) {
          bound = next();
          at = 0;
          if (bound.isEmpty()) {
            return SliceScheduler.Turn.DONE;
          }
        }
        PipelineVariants.Bound now = bound.get();
        at = now.run(lane, at, Math.min(now.rows(), at + ROWS_BETWEEN_LOOKS));
        if (at >= now.rows()) {
          bound = Optional.empty();
        }
        if (!lane.pace().goesOn()) {
          return SliceScheduler.Turn.YIELDED;
        }
      }
    }

    private Optional<PipelineVariants.Bound> next() {
      while (!cursors.isEmpty()) {
        Optional<ColumnBatch> batch = cursors.getFirst().next();
        if (batch.isPresent()) {
          return Optional.of(variants.bind(batch.get(), lane));
        }
        cursors.removeFirst();
      }
      int chunk = parted ? ownChunk++ : nextChunk.getAndIncrement();
      return chunk < chunks.size()
          ? Optional.of(variants.bind(chunks.get(chunk).address(), chunks.get(chunk).rows()))
          : Optional.empty();
    }
  }
}
