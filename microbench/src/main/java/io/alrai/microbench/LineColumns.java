package io.alrai.microbench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.version.Partition;
import io.alrai.columnar.version.PartitionLoader;
import io.alrai.columnar.version.ResolvedTimestamp;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.MemoryRegion;
import io.alrai.executor.spill.SpillDirectory;
import io.alrai.executor.task.AnalyticExecutor;
import io.alrai.executor.task.Cancellation;
import io.alrai.executor.task.ResultRows;
import io.alrai.executor.timeslice.CpuShare;
import io.alrai.executor.timeslice.SliceScheduler;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * Lines of orders and the parts that are ordered, in column indexes, and an executor of one thread.
 * Half of the lines name a part that is not there.
 */
final class LineColumns implements AutoCloseable {
  /** Four row groups. */
  static final int LINES = 4 * ColumnBatch.MOST_ROWS;

  /** Parts that lines name. */
  static final int PARTS_NAMED = 20_000;

  static final int DAYS = 2_500;
  static final int MOST_QUANTITY = 50;

  static final String LINE = "line";
  static final String PART = "part";

  private static final ColumnKind WHOLE = new ColumnKind.Int(false);
  private static final ColumnKind MONEY = new ColumnKind.Decimal(15, 2);
  private static final HlcTimestamp AT = HlcTimestamp.ofMillis(1);
  private static final long MEMORY = 256L << 20;

  private static final TableShape LINE_SHAPE =
      shape(
          new ColumnShape("id", WHOLE, false),
          new ColumnShape("part", WHOLE, false),
          new ColumnShape("quantity", MONEY, false),
          new ColumnShape("price", MONEY, false),
          new ColumnShape("shipped", new ColumnKind.Date(), false),
          new ColumnShape("flag", new ColumnKind.Text("utf8mb4_0900_ai_ci"), false));
  private static final TableShape PART_SHAPE =
      shape(new ColumnShape("id", WHOLE, false), new ColumnShape("size", WHOLE, false));

  /** By the names of the columns of both tables. */
  private static final Map<String, ValueType> TYPES =
      Map.of(
          "id", ValueType.bigint(false),
          "part", ValueType.bigint(false),
          "size", ValueType.bigint(false),
          "quantity", ValueType.decimal(15, 2, false),
          "price", ValueType.decimal(15, 2, false),
          "shipped", ValueType.date(false),
          "flag", ValueType.string(1, TextCollation.UTF8MB4_0900_AI_CI, false));

  private final Random random = new Random(5);
  private final MemoryBudget budget = new MemoryBudget(MEMORY);
  private final MemoryRegion region = new MemoryRegion(MEMORY);
  private final Partition lines = load(budget, LINE_SHAPE, LINES, id -> line(id, random));
  private final Partition parts = load(budget, PART_SHAPE, PARTS_NAMED / 2, id -> part(id, random));
  private final SliceScheduler scheduler =
      new SliceScheduler(1, CpuShare.EQUAL, SliceScheduler.Time.system(), new LongAdder());
  private final AnalyticExecutor executor =
      new AnalyticExecutor(scheduler, SpillDirectory.standard());

  private static TableShape shape(ColumnShape... columns) {
    return new TableShape(List.of(columns), List.of(0));
  }

  private static Partition load(
      MemoryBudget budget, TableShape shape, int rows, IntFunction<RowImage> row) {
    ResolvedTimestamp resolved = new ResolvedTimestamp();
    Partition partition = new Partition("shop.t[0]", shape, budget, resolved);
    PartitionLoader loader = new PartitionLoader(partition);
    for (int id = 0; id < rows; id++) {
      loader.add(row.apply(id));
    }
    loader.finish(AT);
    resolved.advance(AT);
    return partition;
  }

  private static RowImage line(int id, Random random) {
    String flag = List.of("A", "N", "R").get(random.nextInt(3));
    return new RowImage(LINE_SHAPE.columns().size())
        .put(0, id)
        .put(1, random.nextInt(PARTS_NAMED))
        .put(2, 100 * (1 + random.nextInt(MOST_QUANTITY)))
        .put(3, random.nextInt(10_000_000))
        .put(4, random.nextInt(DAYS))
        .put(5, flag.getBytes(US_ASCII));
  }

  private static RowImage part(int id, Random random) {
    return new RowImage(PART_SHAPE.columns().size()).put(0, id).put(1, random.nextInt(50));
  }

  /** A scan of some columns of a table. */
  static PlanNode.ColumnScan scan(String table, String... names) {
    List<ValueType> types =
        Stream.of(names).map(name -> Objects.requireNonNull(TYPES.get(name))).toList();
    return new PlanNode.ColumnScan(
        "shop", table, List.of(names), types, Optional.empty(), List.of());
  }

  /** A column of a node's output. */
  static Scalar column(PlanNode node, int index) {
    return new Scalar.Column(index, node.columns().get(index));
  }

  /** A plan whose result is a node's output. */
  static AnalyticPlan plan(PlanNode root) {
    return new AnalyticPlan(
        root,
        root.columns().stream()
            .map(type -> new AnalyticPlan.OutputColumn("c", MysqlType.BIGINT))
            .toList(),
        List.of(),
        0);
  }

  /** Runs a plan to its end, and gives how many rows the result has. */
  long run(AnalyticPlan plan, List<Constant> parameters) {
    AnalyticExecutor.Request request =
        new AnalyticExecutor.Request(
            (schema, table) -> List.of(table.equals(LINE) ? lines : parts),
            scan -> Stream.empty(),
            AT,
            parameters::get,
            region.reserve(0, MEMORY).orElseThrow(),
            new SliceScheduler.Account(),
            new Cancellation());
    try (ResultRows rows = executor.execute(plan, request)) {
      return rows.rows();
    }
  }

  @Override
  public void close() {
    scheduler.close();
    lines.close();
    parts.close();
  }
}
