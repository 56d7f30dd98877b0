package io.alrai.microbench;

import static io.alrai.microbench.LineColumns.column;
import static io.alrai.microbench.LineColumns.plan;

import io.alrai.executor.fragment.AggregateFunction;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Queries over column indexes on one thread, plan to result. The figure is that of one row of the
 * 262,144 that are read.
 */
@State(Scope.Thread)
public class ColumnBench {
  /** Code is generated for each. */
  private static final int CONDITIONS = 4;

  private final LineColumns columns = new LineColumns();
  private final Turns<List<Constant>> conditions = Turns.of(CONDITIONS, ColumnBench::condition);
  private final AnalyticPlan filtered = plan(filtered());
  private final AnalyticPlan joined = plan(joined());
  private final AnalyticPlan fewGroups =
      plan(grouped(LineColumns.scan(LineColumns.LINE, "flag", "quantity", "price")));
  private final AnalyticPlan manyGroups =
      plan(grouped(LineColumns.scan(LineColumns.LINE, "part", "quantity", "price")));

  private static List<Constant> condition(Random random) {
    long hundredths = 100 * (10 + random.nextInt(20));
    return List.of(
        new Constant.Day(random.nextInt(LineColumns.DAYS / 2)),
        new Constant.Exact(BigDecimal.valueOf(hundredths, 2)));
  }

  private static AggregateCall sum(PlanNode input, int index) {
    return AggregateCall.of(AggregateFunction.SUM, false, column(input, index));
  }

  private static PlanNode filtered() {
    PlanNode.ColumnScan lines = LineColumns.scan(LineColumns.LINE, "shipped", "quantity", "price");
    Scalar later =
        Scalar.call(
            ScalarFunction.GREATER_EQUAL,
            column(lines, 0),
            new Scalar.Parameter(0, ValueType.date(false)));
    Scalar smaller =
        Scalar.call(
            ScalarFunction.LESS,
            column(lines, 1),
            new Scalar.Parameter(1, ValueType.decimal(15, 2, false)));
    PlanNode found =
        new PlanNode.ColumnScan(
            lines.schema(),
            lines.table(),
            lines.names(),
            lines.columns(),
            Optional.of(Scalar.call(ScalarFunction.AND, later, smaller)),
            List.of());
    return new PlanNode.Aggregate(found, List.of(), List.of(sum(found, 2)), false);
  }

  private static PlanNode joined() {
    PlanNode lines = LineColumns.scan(LineColumns.LINE, "part", "price");
    PlanNode parts = LineColumns.scan(LineColumns.PART, "id", "size");
    PlanNode pairs =
        new PlanNode.HashJoin(
            PlanNode.JoinKind.INNER,
            lines,
            parts,
            List.of(column(lines, 0)),
            List.of(column(parts, 0)),
            Optional.empty(),
            OptionalInt.empty());
    return new PlanNode.Aggregate(pairs, List.of(), List.of(sum(pairs, 1), sum(pairs, 3)), false);
  }

  private static PlanNode grouped(PlanNode lines) {
    return new PlanNode.Aggregate(
        lines,
        List.of(column(lines, 0)),
        List.of(AggregateCall.of(AggregateFunction.COUNT, false), sum(lines, 1), sum(lines, 2)),
        false);
  }

  /** SUM of the lines that are shipped from a day on and smaller than a quantity. */
  @Benchmark
  @OperationsPerInvocation(LineColumns.LINES)
  public long scan() {
    return columns.run(filtered, conditions.next());
  }

  /** Lines look for their part in a hash table, which is filled with 10,000 first; half find it. */
  @Benchmark
  @OperationsPerInvocation(LineColumns.LINES)
  public long probe() {
    return columns.run(joined, List.of());
  }

  /** COUNT and two SUMs in three groups by a text. */
  @Benchmark
  @OperationsPerInvocation(LineColumns.LINES)
  public long fewGroups() {
    return columns.run(fewGroups, List.of());
  }

  /** COUNT and two SUMs in 20,000 groups by a number. */
  @Benchmark
  @OperationsPerInvocation(LineColumns.LINES)
  public long manyGroups() {
    return columns.run(manyGroups, List.of());
  }

  /** Ends its threads. */
  @TearDown
  public void close() {
    columns.close();
  }
}
