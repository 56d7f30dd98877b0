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
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.source.ColumnTables;
import io.alrai.executor.source.RowStore;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.Pace;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * Runs analytical plans over column indexes. Keeps generated classes for plans that come again.
 * Thread-safe.
 */
public final class AnalyticExecutor {
  private static final int MOST_PIPELINES = 2_000;

  /** A partner takes a few nanoseconds, of a table beyond the caches some hundred. */
  private static final int PARTNERS_BETWEEN_LOOKS = 1 << 14;

  private final SliceScheduler scheduler;
  private final LongSupplier clock;
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
   * @param clock the scheduler's
   */
  public AnalyticExecutor(SliceScheduler scheduler, LongSupplier clock) {
    this(scheduler, clock, PARTNERS_BETWEEN_LOOKS);
  }

  AnalyticExecutor(SliceScheduler scheduler, LongSupplier clock, int partnersBetweenLooks) {
    this.scheduler = scheduler;
    this.clock = clock;
    this.partnersBetweenLooks = partnersBetweenLooks;
  }

  /**
   * One execution's surroundings.
   *
   * @param tables where column indexes are
   * @param shards where rows of other tables are
   * @param at the snapshot that all of them are read at
   * @param parameters the value of a slot
   * @param memoryBytes what the query may hold
   * @param cancellation ends it early
   */
  public record Request(
      ColumnTables tables,
      RowStore shards,
      HlcTimestamp at,
      IntFunction<Constant> parameters,
      long memoryBytes,
      Cancellation cancellation) {}

  SliceScheduler scheduler() {
    return scheduler;
  }

  Pace pace(Cancellation cancellation) {
    return new Pace(cancellation::check, clock, partnersBetweenLooks);
  }

  PipelineVariants variants(PipelineSpec spec) {
    synchronized (pipelines) {
      return pipelines.computeIfAbsent(spec, PipelineVariants::new);
    }
  }

  /**
   * Runs a plan to its end. Blocks: call it on a thread of the query's own.
   *
   * @return the result, to be closed
   * @throws AlraiException 1235 for what only the fallback can answer, 1242 for a scalar subquery
   *     of several rows, 1317 when cancelled, 1041 past its memory, 1690 out of range
   */
  public ResultRows execute(AnalyticPlan plan, Request request) {
    QueryMemory memory = new QueryMemory(request.memoryBytes());
    OpenScans scans = new OpenScans(request);
    boolean done = false;
    try {
      List<Constant> values = new ArrayList<>();
      Binding binding = new Binding(scalar -> literal(scalar, request, values));
      SliceScheduler.Account account = new SliceScheduler.Account();
      for (PlanNode subquery : plan.subqueries()) {
        PlanNode bound = binding.bind(subquery);
        List<RowChunks.Chunk> rows = run(bound, request, memory, scans, account);
        values.add(single(bound, rows));
      }
      PlanNode root = binding.bind(plan.root());
      List<RowChunks.Chunk> rows = run(root, request, memory, scans, account);
      done = true;
      return new ResultRows(
          new RowLayout(root.columns()),
          rows,
          () -> {
            scans.close();
            memory.close();
          });
    } finally {
      if (!done) {
        scans.close();
        memory.close();
      }
    }
  }

  private List<RowChunks.Chunk> run(
      PlanNode node,
      Request request,
      QueryMemory memory,
      OpenScans scans,
      SliceScheduler.Account account) {
    List<Stage> stages = StagePlanner.plan(node);
    return new QueryRun(
            this, scans::open, request.shards(), memory, request.cancellation(), account)
        .run(stages);
  }

  private static Scalar literal(Scalar scalar, Request request, List<Constant> values) {
    return switch (scalar) {
      case Scalar.Parameter parameter ->
          new Scalar.Literal(request.parameters().apply(parameter.slot()), parameter.type());
      case Scalar.SubqueryValue value ->
          new Scalar.Literal(values.get(value.subquery()), value.type());
      default -> scalar;
    };
  }

  private static Constant single(PlanNode node, List<RowChunks.Chunk> rows) {
    try (ResultRows result = new ResultRows(new RowLayout(node.columns()), rows, () -> {})) {
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
