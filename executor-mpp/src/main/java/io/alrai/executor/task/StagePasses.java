package io.alrai.executor.task;

import io.alrai.columnar.scan.TableScan;
import io.alrai.executor.codegen.PipelineSpec;
import io.alrai.executor.codegen.PipelineSpec.Step;
import io.alrai.executor.codegen.PipelineVariants;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.spill.StoredRows;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.StoredPiece;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a stage's input through its pipeline: once, or where build sides of its joins are on disk
 * once for each slice of them (for each combination, where there are several). What the workers
 * gather goes on from pass to pass. Belongs to the query's own thread.
 */
final class StagePasses {
  private final Stage stage;
  private final QueryWork work;
  private final SpillShares shares;
  private final List<BuiltJoin> joins;
  private final List<StoredRows> outputs;
  private final List<RowChunks.Chunk> fetched = new ArrayList<>();

  private record Turns(int join, SlicedJoin sliced, List<JoinSlice> slices) {}

  StagePasses(
      Stage stage,
      QueryWork work,
      SpillShares shares,
      List<BuiltJoin> joins,
      List<StoredRows> outputs) {
    this.stage = stage;
    this.work = work;
    this.shares = shares;
    this.joins = joins;
    this.outputs = outputs;
  }

  void run(StageWorkers workers) {
    List<Step> steps = new ArrayList<>();
    List<Step.Probe> bySlices = new ArrayList<>();
    for (Step step : stage.spec().steps()) {
      switch (step) {
        case Step.Probe probe when isSliced(probe) -> {
          bySlices.add(probe);
          steps.add(probe.bySlices());
        }
        case Step.KeyFilter filter when isSliced(filter.probe()) -> {
          // the join itself will read its slices
        }
        case Step.Filter _, Step.Project _, Step.Probe _, Step.KeyFilter _ -> steps.add(step);
      }
    }
    if (stage.single() && !bySlices.isEmpty()) {
      throw NotTaken.pastMemory("a join whose rows are to stay in order");
    }
    PipelineSpec spec = new PipelineSpec(stage.spec().source(), steps, stage.spec().sink());
    PipelineVariants variants = work.executor().variants(spec);
    work.memory().keep(variants);
    if (stage.input() instanceof Stage.Input.Fetched rows) {
      fetched.addAll(
          FetchedRows.read(work.shards(), rows.scan(), work.memory(), work.cancellation()));
    }
    pass(turns(bySlices), variants, workers);
  }

  private boolean isSliced(Step.Probe probe) {
    return joins.get(probe.join()).sliced().isPresent();
  }

  private List<Turns> turns(List<Step.Probe> bySlices) {
    long taken = joins.stream().mapToLong(BuiltJoin::bytes).sum();
    List<Turns> turns = new ArrayList<>();
    for (Step.Probe probe : bySlices) {
      long most = (shares.tablesAndSlices() - taken) / bySlices.size();
      SlicedJoin sliced = joins.get(probe.join()).sliced().orElseThrow();
      turns.add(new Turns(probe.join(), sliced, sliced.slices(probe, most, work, shares)));
    }
    return turns;
  }

  private void pass(List<Turns> turns, PipelineVariants variants, StageWorkers workers) {
    if (turns.isEmpty()) {
      pass(variants, workers);
      return;
    }
    Turns first = turns.getFirst();
    for (JoinSlice slice : first.slices()) {
      try (QueryMemory memory = work.memory().part()) {
        var table = first.sliced().load(slice, work, memory);
        workers.lanes().forEach(lane -> lane.replace(first.join(), table));
        pass(turns.subList(1, turns.size()), variants, workers);
      }
    }
  }

  private void pass(PipelineVariants variants, StageWorkers workers) {
    List<TableScan> tables = List.of();
    List<StoredPiece> pieces = new ArrayList<>();
    switch (stage.input()) {
      case Stage.Input.Scan scan -> tables = work.scans().apply(scan.scan());
      case Stage.Input.Fetched rows -> pieces.addAll(fetched);
      case Stage.Input.Stored stored -> {
        stored.stages().forEach(number -> pieces.addAll(outputs.get(number).pieces()));
        if (stored.stages().isEmpty()) {
          pieces.add(new RowChunks.Chunk(0, 1));
        }
      }
    }
    StageRun run = new StageRun(variants, tables, pieces, workers.scratch());
    List<SliceScheduler.Task> tasks = new ArrayList<>();
    for (Lane lane : workers.lanes()) {
      tasks.add(run.worker(lane));
    }
    work.await(tasks);
  }
}
