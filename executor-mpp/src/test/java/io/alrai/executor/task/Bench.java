package io.alrai.executor.task;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.ColumnTable;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.MemoryRegion;
import io.alrai.executor.spill.SpillDirectory;
import io.alrai.executor.timeslice.CpuShare;
import io.alrai.executor.timeslice.SliceScheduler;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Tables and an executor for tests: runs plans and reads results as objects. */
final class Bench implements AutoCloseable {
  static final long MEMORY = 1L << 30;

  private final Map<String, List<ColumnTable>> tables = new HashMap<>();

  /** What the row store answers to a scan. */
  final Map<SqlTemplate, List<List<Constant>>> shards = new HashMap<>();

  /** What queries hold; nothing between them. */
  final MemoryRegion region = new MemoryRegion(MEMORY);

  /** What a query may have on disk; 0: queries do not spill. */
  final AtomicLong spillBytes = new AtomicLong(Long.MAX_VALUE);

  /** Bytes that queries have written to disk. */
  final SpilledBytes spilled = new SpilledBytes();

  /** Where they wrote them; nothing between queries. */
  final SpillDirectory spill =
      new SpillDirectory(SpillDirectory.system(), spillBytes::get, spilled);

  private final SliceScheduler scheduler;
  private final AnalyticExecutor executor;

  private Bench(CpuShare share, int partnersBetweenLooks) {
    this.scheduler = scheduler(share);
    this.executor = new AnalyticExecutor(scheduler, spill, partnersBetweenLooks);
  }

  private static SliceScheduler scheduler(CpuShare share) {
    return new SliceScheduler(2, share, SliceScheduler.Time.system(), new LongAdder());
  }

  /** As in a CN. */
  static Bench usual() {
    return new Bench(CpuShare.EQUAL, 1 << 14);
  }

  /** Each slice has ended at the first look, which comes after a few partners of a row. */
  static Bench ofShortestSlices() {
    return new Bench(new CpuShare(false, 0, Duration.ofNanos(1)), 7);
  }

  /** A new table. */
  TestTable table(String name, int batchRows, ColumnShape... columns) {
    TestTable table = new TestTable(List.of(columns), batchRows);
    tables.put(name, List.of(table));
    return table;
  }

  /** A column that may be NULL. */
  static ColumnShape column(String name, ColumnKind kind) {
    return new ColumnShape(name, kind, true);
  }

  static ColumnKind.Text text() {
    return new ColumnKind.Text("utf8mb4_0900_ai_ci");
  }

  /** A scan of some columns. */
  PlanNode.ColumnScan scan(String table, boolean nullable, String... names) {
    List<ValueType> types = new ArrayList<>();
    for (String name : names) {
      var shape = tables.get(table).getFirst().shape();
      types.add(type(shape.columns().get(shape.ordinal(name)).kind(), nullable));
    }
    return new PlanNode.ColumnScan("d", table, List.of(names), types, Optional.empty(), List.of());
  }

  private static ValueType type(ColumnKind kind, boolean nullable) {
    return switch (kind) {
      case ColumnKind.Int whole ->
          whole.unsigned() ? ValueType.unsigned(nullable) : ValueType.bigint(nullable);
      case ColumnKind.Decimal decimal ->
          ValueType.decimal(decimal.precision(), decimal.scale(), nullable);
      case ColumnKind.Floating floating -> ValueType.floating(nullable);
      case ColumnKind.Date date -> ValueType.date(nullable);
      case ColumnKind.DateTime moment -> ValueType.datetime(moment.fsp(), nullable);
      case ColumnKind.Text text ->
          ValueType.string(100, TextCollation.ofName(text.collation()).orElseThrow(), nullable);
      default -> throw new IllegalArgumentException(kind.toString());
    };
  }

  static AnalyticPlan plan(PlanNode root, PlanNode... subqueries) {
    List<AnalyticPlan.OutputColumn> output = new ArrayList<>();
    root.columns().forEach(type -> output.add(new AnalyticPlan.OutputColumn("c", MysqlType.NULL)));
    return new AnalyticPlan(root, output, List.of(subqueries), 0);
  }

  List<List<Object>> run(PlanNode root, PlanNode... subqueries) {
    return run(plan(root, subqueries), MEMORY, new Cancellation());
  }

  List<List<Object>> run(AnalyticPlan plan, long memory, Cancellation cancellation) {
    List<List<Object>> rows = new ArrayList<>();
    AnalyticExecutor.Request request =
        new AnalyticExecutor.Request(
            (schema, table) -> tables.get(table),
            scan -> shards.getOrDefault(scan.shardSql(), List.of()).stream(),
            HlcTimestamp.ZERO,
            slot -> new Constant.Null(),
            region.reserve(0, memory).orElseThrow(),
            new SliceScheduler.Account(),
            cancellation);
    try (ResultRows result = executor.execute(plan, request)) {
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 0; i < result.columns().size(); i++) {
          row.add(result.isNull(i) ? null : value(result, i));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static Object value(ResultRows result, int column) {
    return switch (result.columns().get(column).kind()) {
      case BIGINT, UNSIGNED, DATE, DATETIME -> result.longAt(column);
      case DECIMAL -> result.decimalAt(column);
      case DOUBLE -> result.doubleAt(column);
      case STRING -> new String(result.bytesAt(column), StandardCharsets.UTF_8);
    };
  }

  static BigDecimal cents(long value) {
    return BigDecimal.valueOf(value, 2);
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
