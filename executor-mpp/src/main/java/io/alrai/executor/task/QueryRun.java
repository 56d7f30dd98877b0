package io.alrai.executor.task;

import io.alrai.columnar.scan.TableScan;
import io.alrai.executor.codegen.PipelineSpec.Sink;
import io.alrai.executor.codegen.PipelineVariants;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.JoinTable;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.LaneRows;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.RowList;
import io.alrai.executor.vector.RowOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Runs the stages of one plan in memory, one after the other. Belongs to the query's own thread.
 */
final class QueryRun {
  private static final int ROWS_BETWEEN_LOOKS = 4096;

  private final QueryWork work;
  private final List<JoinTable> joins = new ArrayList<>();
  private final List<List<RowChunks.Chunk>> outputs = new ArrayList<>();

  QueryRun(QueryWork work) {
    this.work = work;
  }

  /** Runs all; the rows of the last stage. */
  List<RowChunks.Chunk> run(List<Stage> stages) {
    for (Stage stage : stages) {
      outputs.add(run(stage));
    }
    return outputs.getLast();
  }

  private List<RowChunks.Chunk> run(Stage stage) {
    PipelineVariants variants = work.executor().variants(stage.spec());
    work.memory().keep(variants);
    List<TableScan> tables = List.of();
    List<RowChunks.Chunk> chunks = new ArrayList<>();
    switch (stage.input()) {
      case Stage.Input.Scan scan -> tables = work.scans().apply(scan.scan());
      case Stage.Input.Fetched fetched ->
          chunks.addAll(
              FetchedRows.read(work.shards(), fetched.scan(), work.memory(), work.cancellation()));
      case Stage.Input.Stored stored -> {
        stored.stages().forEach(number -> chunks.addAll(outputs.get(number)));
        if (stored.stages().isEmpty()) {
          chunks.add(new RowChunks.Chunk(0, 1));
        }
      }
    }
    StageRun run = new StageRun(variants, tables, chunks, work.memory());
    RowLayout layout = new RowLayout(stage.spec().sink().types());
    boolean groups = stage.spec().sink() instanceof Sink.Groups;
    int workers = stage.single() ? 1 : work.lanes();
    List<Lane> lanes = new ArrayList<>();
    List<SliceScheduler.Task> tasks = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      LaneRows rows = LaneRows.of(layout, groups, work.memory());
      Lane lane = new Lane(work.memory(), joins, rows, work.pace(), i, workers);
      lanes.add(lane);
      tasks.add(run.worker(lane));
    }
    work.await(tasks);
    if (groups && stage.single()) {
      ensureSingle(stage, layout, lanes.getFirst());
    }
    return finish(stage, layout, lanes);
  }

  /** An aggregation without keys has a group, also over no rows. */
  static void ensureSingle(Stage stage, RowLayout layout, Lane lane) {
    Sink.Groups sink = (Sink.Groups) stage.spec().sink();
    if (!sink.keys().isEmpty() || lane.groups().single() != 0) {
      return;
    }
    long row = lane.groups().insertSingle();
    for (int i = 0; i < layout.types().size(); i++) {
      if (layout.nullOffset(i) >= 0) {
        Mem.putByte(row + layout.nullOffset(i), 1);
      }
    }
  }

  private List<RowChunks.Chunk> finish(Stage stage, RowLayout layout, List<Lane> lanes) {
    List<RowChunks.Chunk> chunks = new ArrayList<>();
    lanes.forEach(lane -> chunks.addAll(lane.rows().chunks()));
    return switch (stage.outcome()) {
      case Stage.Outcome.Keep keep -> chunks;
      case Stage.Outcome.Build build -> {
        build(build, layout, lanes);
        yield List.of();
      }
      case Stage.Outcome.Order order -> inOneTask(() -> order(order, layout, chunks));
      case Stage.Outcome.Windows windows ->
          inOneTask(
              () -> new WindowRun(layout, windows, work.memory(), work.cancellation()).run(chunks));
    };
  }

  private List<RowChunks.Chunk> inOneTask(Supplier<List<RowChunks.Chunk>> rows) {
    List<RowChunks.Chunk> made = new ArrayList<>();
    work.inOneTask(() -> made.addAll(rows.get()));
    return made;
  }

  private void build(Stage.Outcome.Build build, RowLayout layout, List<Lane> lanes) {
    boolean nullKey =
        build.kind() == JoinKind.NULL_AWARE_ANTI && lanes.stream().anyMatch(Lane::sawNullKey);
    List<RowChunks.Chunk> rows = new ArrayList<>();
    lanes.forEach(lane -> rows.addAll(lane.rows().chunks()));
    JoinTable table = new JoinTable(layout, rows, nullKey, JoinTable.Slice.ALL, work.memory());
    Linking.link(table, work);
    if (joins.size() != build.join()) {
      throw new IllegalStateException("join " + build.join() + " after " + joins.size());
    }
    joins.add(table);
  }

  private List<RowChunks.Chunk> order(
      Stage.Outcome.Order order, RowLayout layout, List<RowChunks.Chunk> chunks) {
    RowList rows = RowList.of(chunks, layout.size(), work.memory());
    new RowOrder(layout, WindowRun.keys(order.keys()))
        .sort(rows, work.memory(), work.cancellation()::check);
    RowChunks sorted = new RowChunks(layout, work.memory());
    long end =
        order.count() > rows.size() - order.offset() ? rows.size() : order.offset() + order.count();
    for (long i = order.offset(); i < end; i++) {
      if (i % ROWS_BETWEEN_LOOKS == 0) {
        work.cancellation().check();
      }
      Mem.copy(rows.at((int) i), sorted.append(), layout.size());
    }
    return sorted.chunks();
  }
}
