package io.alrai.executor.task;

import io.alrai.executor.codegen.PipelineSpec.Sink;
import io.alrai.executor.codegen.PipelineSpec.Source;
import io.alrai.executor.codegen.PipelineSpec.Step;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.spill.Extent;
import io.alrai.executor.spill.Partition;
import io.alrai.executor.spill.RowMerge;
import io.alrai.executor.spill.RowWriter;
import io.alrai.executor.spill.SpillFile;
import io.alrai.executor.spill.SpillSpace;
import io.alrai.executor.spill.StoredRows;
import io.alrai.executor.vector.JoinTable;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.PieceBuffer;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.StoredPiece;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Runs the stages of one plan with a bounded memory, one after the other: what does not fit goes to
 * disk. Belongs to the query's own thread. What is left of it when it fails is freed with the
 * query's memory and its files.
 */
final class SpillingRun {
  private final QueryWork work;
  private final SpillSpace space;
  private final SpillShares shares;
  private final List<BuiltJoin> joins = new ArrayList<>();
  private final List<StoredRows> outputs = new ArrayList<>();
  private long keptBytes;

  SpillingRun(QueryWork work, SpillSpace space, SpillShares shares) {
    this.work = work;
    this.space = space;
    this.shares = shares;
  }

  /** Runs all; the rows of the last stage. */
  StoredRows run(List<Stage> stages) {
    for (int i = 0; i < stages.size(); i++) {
      outputs.add(run(stages.get(i)));
      letGo(stages, i);
    }
    return outputs.getLast();
  }

  /** Frees what no later stage asks for. */
  private void letGo(List<Stage> stages, int done) {
    for (Step step : stages.get(done).spec().steps()) {
      if (step instanceof Step.Probe probe) {
        joins.get(probe.join()).release().run();
        joins.set(probe.join(), joins.get(probe.join()).released());
      }
    }
    if (stages.get(done).input() instanceof Stage.Input.Stored stored) {
      for (int number : stored.stages()) {
        boolean wanted =
            stages.subList(done + 1, stages.size()).stream()
                .anyMatch(later ->
                    later.input() instanceof Stage.Input.Stored other
                        && other.stages().contains(number));
        if (!wanted) {
          outputs.get(number).letGo();
        }
      }
    }
  }

  private StoredRows run(Stage stage) {
    return switch (stage.outcome()) {
      case Stage.Outcome.Keep keep ->
          stage.spec().sink() instanceof Sink.Groups groups ? groups(stage, groups) : plain(stage);
      case Stage.Outcome.Build build -> build(stage, build);
      case Stage.Outcome.Order order ->
          order.keys().isEmpty() ? cut(stage, order) : ordered(stage, order);
      case Stage.Outcome.Windows windows -> windows(stage, windows);
    };
  }

  private int workers(Stage stage) {
    return stage.single() ? 1 : shares.workers();
  }

  private StageWorkers open(Stage stage, long most, SpillSink sink) {
    List<JoinTable> tables = joins.stream().map(BuiltJoin::table).toList();
    return new StageWorkers(stage, work, shares, tables, most, workers(stage), sink);
  }

  private void pass(Stage stage, StageWorkers workers) {
    new StagePasses(stage, work, shares, joins, outputs).run(workers);
  }

  private static RowLayout layout(Stage stage) {
    return new RowLayout(stage.spec().sink().types());
  }

  private StoredRows plain(Stage stage) {
    int count = workers(stage);
    SpillFile file = space.file();
    PlainRows rows = new PlainRows(file, layout(stage).size(), shares.piece(count), count);
    StageWorkers workers = open(stage, shares.gathered(count), rows);
    pass(stage, workers);
    return kept(workers, rows, file);
  }

  /** What is in memory stays there as long as it is little. */
  private StoredRows kept(StageWorkers workers, PlainRows rows, SpillFile file) {
    workers.scratch().close();
    long bytes = workers.storedBytes();
    if (keptBytes + bytes > shares.kept()) {
      work.inSteps(workers.spilling(rows));
      bytes = 0;
    }
    List<StoredPiece> pieces = new ArrayList<>();
    for (int i = 0; i < workers.lanes().size(); i++) {
      pieces.addAll(rows.of(i));
      pieces.addAll(workers.lanes().get(i).rows().chunks());
    }
    if (bytes == 0) {
      workers.stored().close();
      return new StoredRows(pieces, false, file::close);
    }
    long kept = bytes;
    keptBytes += kept;
    return new StoredRows(
        pieces,
        false,
        () -> {
          keptBytes -= kept;
          workers.stored().close();
          file.close();
        });
  }

  private StoredRows groups(Stage stage, Sink.Groups groups) {
    Optional<StoredRows> merged = merged(stage);
    if (merged.isPresent()) {
      return merged.get().share();
    }
    int count = workers(stage);
    RowLayout layout = layout(stage);
    SpillFile file = space.file();
    QueryMemory memory = work.memory().part();
    PartitionRows parts = new PartitionRows(file, layout.size(), shares, count, memory);
    StageWorkers workers = open(stage, shares.gathered(count), parts);
    pass(stage, workers);
    if (stage.single()) {
      QueryRun.ensureSingle(stage, layout, workers.lanes().getFirst());
    }
    if (parts.isEmpty()) {
      memory.close();
      PlainRows rows = new PlainRows(file, layout.size(), shares.piece(count), count);
      return kept(workers, rows, file);
    }
    List<Partition> partitions = parts.finish(workers, work);
    workers.close();
    memory.close();
    StoredRows all = new GroupMerge(work, shares, space, groups).merge(partitions);
    file.close();
    return all;
  }

  /** The groups of the stage before, where they are merged already: this one would do it. */
  private Optional<StoredRows> merged(Stage stage) {
    boolean merges = stage.spec().source() instanceof Source.Rows rows && rows.parted();
    return merges
            && stage.input() instanceof Stage.Input.Stored stored
            && stored.stages().size() == 1
            && outputs.get(stored.stages().getFirst()).isMerged()
        ? Optional.of(outputs.get(stored.stages().getFirst()))
        : Optional.empty();
  }

  private StoredRows build(Stage stage, Stage.Outcome.Build build) {
    if (joins.size() != build.join()) {
      throw new IllegalStateException("join " + build.join() + " after " + joins.size());
    }
    int count = workers(stage);
    RowLayout layout = layout(stage);
    SpillFile file = space.file();
    try (QueryMemory memory = work.memory().part()) {
      PartitionRows parts = new PartitionRows(file, layout.size(), shares, count, memory);
      StageWorkers workers = open(stage, shares.gathered(count), parts);
      pass(stage, workers);
      boolean nullKey =
          build.kind() == JoinKind.NULL_AWARE_ANTI
              && workers.lanes().stream().anyMatch(Lane::sawNullKey);
      workers.scratch().close();
      long rows = workers.storedBytes() / layout.size();
      long bytes = JoinTable.bytes(rows, layout.size());
      long taken = joins.stream().mapToLong(BuiltJoin::bytes).sum();
      if (parts.isEmpty() && taken + bytes <= shares.tables()) {
        joins.add(whole(workers, nullKey, bytes));
      } else {
        List<Partition> partitions = parts.finish(workers, work);
        SlicedJoin sliced = new SlicedJoin(partitions, file, layout, nullKey);
        workers.stored().close();
        JoinTable none =
            new JoinTable(layout, List.of(), nullKey, JoinTable.Slice.ALL, work.memory());
        joins.add(new BuiltJoin(none, 0, Optional.of(sliced), file::close));
      }
    }
    return StoredRows.none();
  }

  private BuiltJoin whole(StageWorkers workers, boolean nullKey, long bytes) {
    List<RowChunks.Chunk> chunks = new ArrayList<>();
    workers.lanes().forEach(lane -> chunks.addAll(lane.rows().chunks()));
    JoinTable table =
        new JoinTable(workers.layout(), chunks, nullKey, JoinTable.Slice.ALL, workers.stored());
    Linking.link(table, work);
    return new BuiltJoin(table, bytes, Optional.empty(), workers.stored()::close);
  }

  private StoredRows ordered(Stage stage, Stage.Outcome.Order order) {
    int count = workers(stage);
    RowLayout layout = layout(stage);
    SpillFile file = space.file();
    StoredRows sorted;
    try (QueryMemory memory = work.memory().part()) {
      RunRows rows = new RunRows(file, layout, order, work, shares, count, memory);
      StageWorkers workers = open(stage, shares.run(count), rows);
      pass(stage, workers);
      work.inSteps(workers.spilling(rows));
      workers.close();
      sorted = merge(rows, file, layout, order);
    }
    file.close();
    return sorted;
  }

  private StoredRows merge(
      RunRows rows, SpillFile file, RowLayout layout, Stage.Outcome.Order order) {
    List<List<Extent>> runs = new ArrayList<>(rows.runs());
    int most = shares.runs(shares.workers());
    while (runs.size() > most) {
      List<List<Extent>> some = runs.subList(0, most);
      try (QueryMemory memory = work.memory().part()) {
        RowWriter writer =
            new RowWriter(file, layout.size(), shares.piece(shares.workers()), memory);
        List<List<Extent>> first = List.copyOf(some);
        work.await(
            List.of(
                new RunMerging(
                    () -> new RowMerge(first, rows.order(), memory),
                    work.pace(),
                    0,
                    Long.MAX_VALUE,
                    writer::add)));
        some.clear();
        runs.add(writer.finish());
      }
    }
    return passed(
        layout,
        (memory, copies) ->
            work.await(
                List.of(
                    new RunMerging(
                        () -> new RowMerge(runs, rows.order(), memory),
                        work.pace(),
                        order.offset(),
                        order.count(),
                        copies))));
  }

  private StoredRows cut(Stage stage, Stage.Outcome.Order order) {
    StoredRows all = plain(stage);
    if (order.equals(RowCut.ALL)) {
      return all;
    }
    RowLayout layout = layout(stage);
    StoredRows some =
        passed(
            layout,
            (memory, copies) ->
                work.await(
                    List.of(
                        new RowCut(
                            all.pieces(),
                            layout.size(),
                            new PieceBuffer(memory),
                            work.pace(),
                            order,
                            copies))));
    all.letGo();
    return some;
  }

  /** Passes rows one by one. */
  @FunctionalInterface
  private interface Passing {
    void pass(QueryMemory memory, LongConsumer rows);
  }

  /** Keeps what is passed on, in its order. */
  private StoredRows passed(RowLayout layout, Passing passing) {
    SpillFile file = space.file();
    QueryMemory memory = work.memory().part();
    PlainRows written = new PlainRows(file, layout.size(), shares.piece(shares.workers()), 1);
    RowChunks rows =
        new RowChunks(layout, memory, shares.kept() / 2, full -> written.take(0, full));
    try (QueryMemory scratch = work.memory().part()) {
      passing.pass(scratch, row -> Mem.copy(row, rows.append(), layout.size()));
    }
    List<StoredPiece> pieces = new ArrayList<>(written.of(0));
    pieces.addAll(rows.chunks());
    return new StoredRows(
        pieces,
        false,
        () -> {
          memory.close();
          file.close();
        });
  }

  /** Windows need all rows at once: they do not spill. */
  private StoredRows windows(Stage stage, Stage.Outcome.Windows windows) {
    StageWorkers workers = open(stage, Long.MAX_VALUE, (worker, rows) -> {});
    pass(stage, workers);
    List<RowChunks.Chunk> rows = new ArrayList<>();
    workers.lanes().forEach(lane -> rows.addAll(lane.rows().chunks()));
    List<RowChunks.Chunk> filled = new ArrayList<>();
    work.inOneTask(() ->
        filled.addAll(
            new WindowRun(workers.layout(), windows, workers.stored(), work.cancellation())
                .run(rows)));
    workers.scratch().close();
    return new StoredRows(filled, false, workers.stored()::close);
  }
}
