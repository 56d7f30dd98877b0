package io.alrai.executor.task;

import io.alrai.executor.codegen.PipelineSpec;
import io.alrai.executor.codegen.PipelineSpec.Sink;
import io.alrai.executor.codegen.PipelineSpec.Source;
import io.alrai.executor.codegen.PipelineVariants;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.spill.Extent;
import io.alrai.executor.spill.Partition;
import io.alrai.executor.spill.PartitionWriter;
import io.alrai.executor.spill.SpillFile;
import io.alrai.executor.spill.SpillSpace;
import io.alrai.executor.spill.StoredRows;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.GroupTable;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.LaneRows;
import io.alrai.executor.vector.PieceBuffer;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.StoredPiece;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Merges groups that were cut by their hashes, part by part: all of a group's rows are in one. A
 * part that does not fit is cut further, once more and into as many.
 */
final class GroupMerge {
  private static final int ROWS_BETWEEN_LOOKS = 4096;

  private final QueryWork work;
  private final SpillShares shares;
  private final PipelineVariants variants;
  private final RowLayout layout;
  private final SpillFile parts;
  private final SpillFile merged;
  private final Queue<Partition> waiting = new ConcurrentLinkedQueue<>();
  private final int workers;

  /**
   * A merge.
   *
   * @param sink the groups, of the same columns as the rows
   */
  GroupMerge(QueryWork work, SpillShares shares, SpillSpace space, Sink.Groups sink) {
    this.work = work;
    this.shares = shares;
    this.variants = work.executor().variants(merging(sink));
    this.layout = new RowLayout(sink.types());
    this.parts = space.file();
    this.merged = space.file();
    this.workers = shares.workers();
    work.memory().keep(variants);
  }

  private static PipelineSpec merging(Sink.Groups sink) {
    List<ValueType> types = sink.types();
    List<Scalar> keys = new ArrayList<>();
    List<AggregateCall> calls = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      Scalar column = new Scalar.Column(i, types.get(i));
      if (i < sink.keys().size()) {
        keys.add(column);
      } else {
        calls.add(Aggregation.merging(sink.calls().get(i - sink.keys().size()), column));
      }
    }
    return new PipelineSpec(new Source.Rows(types, false), List.of(), new Sink.Groups(keys, calls));
  }

  /** Merges all parts. */
  StoredRows merge(List<Partition> partitions) {
    waiting.addAll(partitions);
    List<Merging> tasks = new ArrayList<>();
    PlainRows rows = new PlainRows(merged, layout.size(), shares.piece(workers), workers);
    try (QueryMemory memory = work.memory().part()) {
      for (int i = 0; i < workers; i++) {
        tasks.add(new Merging(rows, i, memory));
      }
      work.await(tasks);
    }
    parts.close();
    List<StoredPiece> pieces = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      pieces.addAll(rows.of(i));
    }
    return new StoredRows(pieces, true, merged::close);
  }

  /** One worker: takes a part after the other. */
  private final class Merging implements SliceScheduler.Task {
    private final PlainRows rows;
    private final int worker;
    private final QueryMemory memory;
    private final GroupTable table;
    private final Lane lane;
    private final PieceBuffer buffer;
    private Optional<Partition> partition = Optional.empty();
    private final PartitionWriter cut;
    private final Deque<RowChunks.Chunk> leaving = new ArrayDeque<>();
    private Optional<PipelineVariants.Bound> bound = Optional.empty();
    private int piece;
    private int at;
    private boolean last;

    Merging(PlainRows rows, int worker, QueryMemory memory) {
      this.rows = rows;
      this.worker = worker;
      this.memory = memory;
      this.table = new GroupTable(layout, memory, shares.merged(workers), this::overflow);
      this.lane =
          new Lane(memory, List.of(), LaneRows.of(table, Long.MAX_VALUE), work.pace(), 0, 1);
      this.buffer = new PieceBuffer(memory);
      this.cut = new PartitionWriter(parts, layout.size(), shares.piece(workers), memory);
    }

    private void overflow(List<RowChunks.Chunk> groups) {
      Partition whole = partition.orElseThrow();
      if (!whole.isDivisible()) {
        throw NotTaken.pastMemory("groups whose hashes are alike");
      }
      cut.add(groups);
    }

    @Override
    public SliceScheduler.Turn run(long deadlineNanos) {
      lane.pace().begin(deadlineNanos);
      lane.pace().check();
      while (step()) {
        if (!lane.pace().goesOn()) {
          return SliceScheduler.Turn.YIELDED;
        }
      }
      return SliceScheduler.Turn.DONE;
    }

    /** Some of the work; false when all parts are done. */
    private boolean step() {
      if (bound.isPresent()) {
        add(bound.get());
      } else if (partition.isEmpty()) {
        partition = Optional.ofNullable(waiting.poll());
        piece = 0;
        partition.ifPresent(cut::begin);
        return partition.isPresent();
      } else if (piece < partition.get().pieces().size()) {
        Extent next = partition.get().pieces().get(piece++);
        bound = Optional.of(variants.bind(next.load(buffer), next.rows()));
        at = 0;
        if (piece == partition.get().pieces().size()) {
          last = true;
        }
      } else {
        leave();
      }
      return true;
    }

    private void add(PipelineVariants.Bound now) {
      at = now.run(lane, at, Math.min(now.rows(), at + ROWS_BETWEEN_LOOKS));
      if (at >= now.rows()) {
        bound = Optional.empty();
        if (last) {
          last = false;
          leaving.addAll(lane.rows().chunks());
        }
      }
    }

    /** Puts the groups of a part on disk, one chunk after the other. */
    private void leave() {
      List<RowChunks.Chunk> some = leaving.isEmpty() ? List.of() : List.of(leaving.remove());
      if (cut.isEmpty()) {
        rows.take(worker, some);
      } else {
        cut.add(some);
      }
      if (leaving.isEmpty()) {
        waiting.addAll(PartitionWriter.finish(List.of(cut)));
        table.restart();
        partition = Optional.empty();
      }
    }
  }
}
