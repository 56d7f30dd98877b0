package io.alrai.executor.task;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.executor.codegen.PipelineSpec;
import io.alrai.executor.codegen.PipelineVariants;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.MemoryRegion;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.source.ColumnTables;
import io.alrai.executor.source.RowStore;
import io.alrai.executor.spill.SpillDirectory;
import io.alrai.executor.spill.SpillSpace;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.Pace;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.StoredPiece;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Runs analytical plans over column indexes. Keeps generated classes for plans that come again.
 * Thread-safe.
 */
public final class AnalyticExecutor {
  private static final int MOST_PIPELINES = 2_000;

  /**
   * How many partners a join looks at between two looks at the clock: one takes a few nanoseconds,
   * or some hundred where the table is larger than the caches.
   */
  private static final int PARTNERS_BETWEEN_LOOKS = 1 << 14;

  private final SliceScheduler scheduler;
  private final SpillDirectory spill;
  private final int partnersBetweenLooks;
  private final Map<PipelineSpec, PipelineVariants> pipelines =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<PipelineSpec, PipelineVariants> eldest) {
          return size() > MOST_PIPELINES;
        }
      };

  /**
   * An executor whose tasks run on a scheduler.
   *
   * @param spill where queries go that have no memory left
   */
  public AnalyticExecutor(SliceScheduler scheduler, SpillDirectory spill) {
    this(scheduler, spill, PARTNERS_BETWEEN_LOOKS);
  }

  AnalyticExecutor(SliceScheduler scheduler, SpillDirectory spill, int partnersBetweenLooks) {
    this.scheduler = scheduler;
    this.spill = spill;
    this.partnersBetweenLooks = partnersBetweenLooks;
  }

  /**
   * One execution's surroundings.
   *
   * @param tables where column indexes are
   * @param shards where rows of other tables are
   * @param at the snapshot that all of them are read at
   * @param parameters the value of a slot
   * @param memory what the query may hold; given back with the result
   * @param account what the time of its tasks goes to; of this query alone
   * @param cancellation ends it early
   */
  public record Request(
      ColumnTables tables,
      RowStore shards,
      HlcTimestamp at,
      IntFunction<Constant> parameters,
      MemoryRegion.Reservation memory,
      SliceScheduler.Account account,
      Cancellation cancellation) {

    /**
     * A copy that a failing task can cancel without its caller's looking as if it had been killed.
     */
    Request endingAlone() {
      return new Request(tables, shards, at, parameters, memory, account, cancellation.part());
    }
  }

  SliceScheduler scheduler() {
    return scheduler;
  }

  Pace pace(Cancellation cancellation) {
    return new Pace(cancellation::check, scheduler.clock(), partnersBetweenLooks);
  }

  PipelineVariants variants(PipelineSpec spec) {
    synchronized (pipelines) {
      return pipelines.computeIfAbsent(spec, PipelineVariants::new);
    }
  }

  /**
   * Runs a plan to its end in memory; if that takes more than the query may have, once more with
   * rows on disk. Blocks: call it on a thread of the query's own.
   *
   * @return the result, to be closed
   * @throws AlraiException 1235 for what only the fallback can answer, 1242 for a scalar subquery
   *     of several rows, 1317 when cancelled, 1041 past its memory, 1021 where the disk is full,
   *     1114 past what it may have there, 1690 out of range
   */
  public ResultRows execute(AnalyticPlan plan, Request asked) {
    boolean done = false;
    try {
      ResultRows rows = executeSomehow(plan, asked);
      done = true;
      return rows;
    } finally {
      if (!done) {
        asked.memory().close();
      }
    }
  }

  private ResultRows executeSomehow(AnalyticPlan plan, Request asked) {
    try {
      return execute(plan, asked, false);
    } catch (AlraiException e) {
      if (!asked.memory().isExhausted() || !spill.isOpen()) {
        throw e;
      }
    }
    scheduler.takeBack(asked.account());
    asked.cancellation().check(); // it may have been withdrawn for that
    asked.memory().narrow();
    return execute(plan, asked, true);
  }

  private ResultRows execute(AnalyticPlan plan, Request asked, boolean spills) {
    Request request = asked.endingAlone();
    QueryMemory memory = new QueryMemory(request.memory());
    OpenScans scans = new OpenScans(request);
    SpillSpace space = spill.open(request.cancellation()::check);
    Runnable release =
        () -> {
          scans.close();
          memory.close();
          space.close();
        };
    boolean done = false;
    try {
      List<Constant> values = new ArrayList<>();
      Binding binding = new Binding(scalar -> literal(scalar, request, values));
      request
          .cancellation()
          .whenCancelled(
              () -> scheduler.withdraw(request.account(), AlraiException.interruption()));
      QueryWork work =
          new QueryWork(
              this,
              scans::open,
              request.shards(),
              memory,
              request.cancellation(),
              request.account());
      for (PlanNode subquery : plan.subqueries()) {
        PlanNode bound = binding.bind(subquery);
        values.add(single(bound, run(bound, work, space, spills), memory));
      }
      PlanNode root = binding.bind(plan.root());
      List<? extends StoredPiece> rows = run(root, work, space, spills);
      ResultRows result =
          new ResultRows(
              new RowLayout(root.columns()),
              rows,
              memory,
              space.writtenBytes(),
              () -> {
                release.run();
                request.memory().close();
              });
      if (spills) {
        request.memory().settle();
      }
      done = true;
      return result;
    } finally {
      if (!done) {
        release.run();
      }
    }
  }

  private List<? extends StoredPiece> run(
      PlanNode node, QueryWork work, SpillSpace space, boolean spills) {
    List<Stage> stages = StagePlanner.plan(node);
    return spills
        ? new SpillingRun(work, space, new SpillShares(work.memory().mostBytes(), work.lanes()))
            .run(stages)
            .pieces()
        : new QueryRun(work).run(stages);
  }

  private static Scalar literal(Scalar scalar, Request request, List<Constant> values) {
    return switch (scalar) {
      case Scalar.Parameter parameter ->
          new Scalar.Literal(request.parameters().apply(parameter.slot()), parameter.type());
      case Scalar.SubqueryValue value ->
          new Scalar.Literal(values.get(value.subquery()), value.type());
      case Scalar.Column _,
          Scalar.Literal _,
          Scalar.Call _,
          Scalar.Case _,
          Scalar.Cast _,
          Scalar.InList _,
          Scalar.Like _,
          Scalar.Extract _,
          Scalar.DateAdd _ ->
          scalar;
    };
  }

  private static Constant single(
      PlanNode node, List<? extends StoredPiece> rows, QueryMemory memory) {
    RowLayout layout = new RowLayout(node.columns());
    try (ResultRows result = new ResultRows(layout, rows, memory, 0, () -> {})) {
      if (result.rows() > 1) {
        throw new AlraiException(
            ErrorCode.ER_SUBQUERY_NO_1_ROW, "Subquery returns more than 1 row");
      }
      if (!result.next() || result.isNull(0)) {
        return new Constant.Null();
      }
      ValueType type = node.columns().getFirst();
      return switch (type.kind()) {
        case BIGINT, UNSIGNED -> new Constant.Whole(result.longAt(0));
        case DECIMAL -> new Constant.Exact(result.decimalAt(0));
        case DOUBLE -> new Constant.Floating(result.doubleAt(0));
        case DATE -> new Constant.Day((int) result.longAt(0));
        case DATETIME -> new Constant.Moment(result.longAt(0));
        case STRING -> new Constant.Text(new String(result.bytesAt(0), StandardCharsets.UTF_8));
      };
    }
  }
}
