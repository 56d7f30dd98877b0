package io.alrai.executor.task;

import io.alrai.columnar.scan.TableScan;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.codegen.PipelineSpec.Sink;
import io.alrai.executor.codegen.PipelineVariants;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.source.RowStore;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.JoinTable;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.Mem;
import io.alrai.executor.vector.Pace;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.RowList;
import io.alrai.executor.vector.RowOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs the stages of one plan, one after the other. Belongs to the query's own thread. */
final class QueryRun {
  private static final int ROWS_BETWEEN_LOOKS = 4096;

  private final AnalyticExecutor executor;
  private final Function<PlanNode.ColumnScan, List<TableScan>> scans;
  private final RowStore shards;
  private final QueryMemory memory;
  private final Cancellation cancellation;
  private final SliceScheduler.Account account;
  private final List<JoinTable> joins = new ArrayList<>();
  private final List<List<RowChunks.Chunk>> outputs = new ArrayList<>();

  QueryRun(
      AnalyticExecutor executor,
      Function<PlanNode.ColumnScan, List<TableScan>> scans,
      RowStore shards,
      QueryMemory memory,
      Cancellation cancellation,
      SliceScheduler.Account account) {
    this.executor = executor;
    this.scans = scans;
    this.shards = shards;
    this.memory = memory;
    this.cancellation = cancellation;
    this.account = account;
  }

  /** Runs all; the rows of the last stage. */
  List<RowChunks.Chunk> run(List<Stage> stages) {
    for (Stage stage : stages) {
      outputs.add(run(stage));
    }
    return outputs.getLast();
  }

  private List<RowChunks.Chunk> run(Stage stage) {
    PipelineVariants variants = executor.variants(stage.spec());
    memory.keep(variants);
    List<TableScan> tables = List.of();
    List<RowChunks.Chunk> chunks = new ArrayList<>();
    switch (stage.input()) {
      case Stage.Input.Scan scan -> tables = scans.apply(scan.scan());
      case Stage.Input.Fetched fetched ->
          chunks.addAll(FetchedRows.read(shards, fetched.scan(), memory, cancellation));
      case Stage.Input.Stored stored -> {
        stored.stages().forEach(number -> chunks.addAll(outputs.get(number)));
        if (stored.stages().isEmpty()) {
          chunks.add(new RowChunks.Chunk(0, 1));
        }
      }
    }
    StageRun run = new StageRun(variants, tables, chunks);
    RowLayout layout = new RowLayout(stage.spec().sink().types());
    boolean groups = stage.spec().sink() instanceof Sink.Groups;
    int workers = stage.single() ? 1 : executor.scheduler().lanes();
    List<Lane> lanes = new ArrayList<>();
    List<SliceScheduler.Task> tasks = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      Pace pace = executor.pace(cancellation);
      Lane lane = new Lane(memory, joins, layout, groups, pace, i, workers);
      lanes.add(lane);
      tasks.add(run.worker(lane));
    }
    await(tasks);
    if (groups && stage.single()) {
      ensureSingle(stage, layout, lanes.getFirst());
    }
    return finish(stage, layout, lanes);
  }

  private void await(List<SliceScheduler.Task> tasks) {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (SliceScheduler.Task task : tasks) {
      CompletableFuture<Void> end = executor.scheduler().submit(account, task);
      end.whenComplete((none, failure) -> {
        if (failure != null) {
          cancellation.cancel();
        }
      });
      ends.add(end);
    }
    List<RuntimeException> failures = new ArrayList<>();
    for (CompletableFuture<Void> end : ends) {
      try {
        end.join();
      } catch (CompletionException e) {
        failures.add(AlraiException.causeOf(e));
      }
    }
    if (!failures.isEmpty()) {
      throw failures.stream()
          .filter(failure -> !isInterruption(failure))
          .findFirst()
          .orElse(failures.getFirst());
    }
  }

  private static boolean isInterruption(RuntimeException failure) {
    return failure instanceof AlraiException known
        && known.errno() == ErrorCode.ER_QUERY_INTERRUPTED.errno();
  }

  /** An aggregation without keys has a group, also over no rows. */
  private static void ensureSingle(Stage stage, RowLayout layout, Lane lane) {
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
          inOneTask(() -> new WindowRun(layout, windows, memory, cancellation).run(chunks));
    };
  }

  /** What cannot yield has its time counted at least, and does not take the query's own thread. */
  private List<RowChunks.Chunk> inOneTask(Supplier<List<RowChunks.Chunk>> work) {
    List<RowChunks.Chunk> made = new ArrayList<>();
    await(
        List.of(deadline -> {
          made.addAll(work.get());
          return SliceScheduler.Turn.DONE;
        }));
    return made;
  }

  private void build(Stage.Outcome.Build build, RowLayout layout, List<Lane> lanes) {
    boolean nullKey =
        build.kind() == JoinKind.NULL_AWARE_ANTI && lanes.stream().anyMatch(Lane::sawNullKey);
    List<RowChunks> rows = lanes.stream().map(Lane::rows).toList();
    JoinTable table = new JoinTable(layout, rows, nullKey, memory);
    int workers = executor.scheduler().lanes();
    List<SliceScheduler.Task> tasks = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      tasks.add(new Linking(table, executor.pace(cancellation), i, workers));
    }
    await(tasks);
    if (joins.size() != build.join()) {
      throw new IllegalStateException("join " + build.join() + " after " + joins.size());
    }
    joins.add(table);
  }

  /** One worker's pieces of a join's table. */
  private static final class Linking implements SliceScheduler.Task {
    private final JoinTable table;
    private final Pace pace;
    private final int workers;
    private int next;

    Linking(JoinTable table, Pace pace, int first, int workers) {
      this.table = table;
      this.pace = pace;
      this.workers = workers;
      this.next = first;
    }

    @Override
    public SliceScheduler.Turn run(long deadlineNanos) {
      pace.begin(deadlineNanos);
      pace.check();
      while (next < table.pieces()) {
        table.link(next);
        next += workers;
        if (!pace.goesOn()) {
          return SliceScheduler.Turn.YIELDED;
        }
      }
      return SliceScheduler.Turn.DONE;
    }
  }

  private List<RowChunks.Chunk> order(
      Stage.Outcome.Order order, RowLayout layout, List<RowChunks.Chunk> chunks) {
    RowList rows = RowList.of(chunks, layout.size(), memory);
    new RowOrder(layout, WindowRun.keys(order.keys())).sort(rows, memory, cancellation::check);
    RowChunks sorted = new RowChunks(layout, memory);
    long end =
        order.count() > rows.size() - order.offset() ? rows.size() : order.offset() + order.count();
    for (long i = order.offset(); i < end; i++) {
      if (i % ROWS_BETWEEN_LOOKS == 0) {
        cancellation.check();
      }
      Mem.copy(rows.at((int) i), sorted.append(), layout.size());
    }
    return sorted.chunks();
  }
}
