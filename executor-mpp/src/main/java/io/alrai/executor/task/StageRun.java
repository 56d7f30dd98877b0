package io.alrai.executor.task;

import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.Cursor;
import io.alrai.columnar.scan.TableScan;
import io.alrai.executor.codegen.PipelineSpec.Source;
import io.alrai.executor.codegen.PipelineVariants;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.PieceBuffer;
import io.alrai.executor.vector.StoredPiece;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** One stage at work: its workers share the batches or pieces of its input. */
final class StageRun {
  private static final int ROWS_BETWEEN_LOOKS = 4096;

  private final PipelineVariants variants;
  private final List<TableScan> scans;
  private final List<StoredPiece> pieces;
  private final QueryMemory memory;
  private final AtomicInteger nextPiece = new AtomicInteger();
  private final boolean parted;

  /**
   * One stage.
   *
   * @param scans what it reads, or
   * @param pieces what it reads; one of them is empty
   * @param memory for pieces on their way from a disk
   */
  StageRun(
      PipelineVariants variants,
      List<TableScan> scans,
      List<? extends StoredPiece> pieces,
      QueryMemory memory) {
    this.variants = variants;
    this.scans = List.copyOf(scans);
    this.pieces = List.copyOf(pieces);
    this.memory = memory;
    this.parted = variants.spec().source() instanceof Source.Rows rows && rows.parted();
  }

  /** A worker's task. */
  SliceScheduler.Task worker(Lane lane) {
    return new Worker(lane);
  }

  private final class Worker implements SliceScheduler.Task {
    private final Lane lane;
    private final List<Cursor> cursors = new ArrayList<>();
    private final PieceBuffer buffer = new PieceBuffer(memory);
    private int ownPiece;
    private Optional<PipelineVariants.Bound> bound = Optional.empty();
    private int at;

    Worker(Lane lane) {
      this.lane = lane;
      scans.forEach(scan -> cursors.add(scan.cursor()));
    }

    /** The memory of the scans stays for the whole slice, even if they are closed meanwhile. */
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
      int piece = parted ? ownPiece++ : nextPiece.getAndIncrement();
      return piece < pieces.size()
          ? Optional.of(variants.bind(pieces.get(piece).load(buffer), pieces.get(piece).rows()))
          : Optional.empty();
    }
  }
}
