package io.alrai.executor.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.AggregateFunction;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.fragment.PlanNode.SetKind;
import io.alrai.executor.fragment.PlanNode.SortKey;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Plans over random rows give the same rows with a memory that they need many times as with plenty,
 * and leave nothing behind however they end.
 */
class SpillSim {
  /** One worker. */
  private static final long LITTLE = 1L << 20;

  /** Several. */
  private static final long OF_A_CN = 16L << 20;

  private static final int ROWS = 30_000;

  final Random random = new Random(seed());
  final Bench bench = newBench();
  private PlanNode many;
  private PlanNode more;
  private PlanNode few;

  Bench newBench() {
    return Bench.usual();
  }

  int rows() {
    return ROWS;
  }

  private static long seed() {
    long seed = Long.getLong("spill.seed", System.nanoTime());
    System.out.println("spill.seed " + seed);
    return seed;
  }

  @BeforeEach
  void fill() {
    many = table("many", rows(), rows() / 2);
    more = table("more", rows(), rows() / 2);
    few = table("few", 50, rows() / 2);
  }

  @AfterEach
  void nothingIsLeft() {
    bench.close();
    assertEquals(0, bench.region.used());
    assertEquals(0, bench.spill.heldBytes());
  }

  /** {@code id} is unique; {@code k} has a key that every eighth row has, and NULLs. */
  private PlanNode table(String name, int rows, int keys) {
    TestTable table =
        bench.table(
            name,
            5_000,
            Bench.column("id", new ColumnKind.Int(false)),
            Bench.column("k", new ColumnKind.Int(false)),
            Bench.column("p", new ColumnKind.Decimal(9, 2)),
            Bench.column("s", Bench.text()),
            Bench.column("w", new ColumnKind.Decimal(30, 4)));
    for (int i = 0; i < rows; i++) {
      table.add(
          (long) i,
          random.nextInt(9) == 0 ? null : (Object) (long) random.nextInt(keys),
          random.nextInt(9) == 0 ? null : BigDecimal.valueOf(random.nextInt(90_000), 2),
          random.nextInt(9) == 0 ? null : "text " + random.nextInt(keys),
          BigDecimal.valueOf(random.nextLong(), 4));
    }
    return bench.scan(name, true, "id", "k", "p", "s", "w");
  }

  private static Scalar of(PlanNode node, int column) {
    return new Scalar.Column(column, node.columns().get(column));
  }

  private List<List<Object>> spilled(PlanNode plan, long memory, PlanNode... subqueries) {
    long before = bench.spilled.sum();
    List<List<Object>> rows = bench.run(Bench.plan(plan, subqueries), memory, new Cancellation());
    assertTrue(bench.spilled.sum() > before, "did not spill");
    assertEquals(0, bench.spill.heldBytes());
    assertEquals(0, bench.region.used());
    return rows;
  }

  private void assertSame(PlanNode plan, PlanNode... subqueries) {
    assertSame(plan, LITTLE, subqueries);
  }

  private void assertSame(PlanNode plan, long memory, PlanNode... subqueries) {
    Map<List<Object>, Integer> expected = RandomTables.counts(bench.run(plan, subqueries));
    Map<List<Object>, Integer> rows = RandomTables.counts(spilled(plan, memory, subqueries));
    if (!rows.equals(expected)) {
      expected.forEach((row, times) -> assertEquals(times, rows.get(row), row.toString()));
      rows.forEach((row, times) -> assertEquals(expected.get(row), times, row.toString()));
    }
  }

  private static PlanNode aggregate(PlanNode input, boolean rollup, int... keys) {
    List<Scalar> columns = new ArrayList<>();
    for (int key : keys) {
      columns.add(of(input, key));
    }
    return new PlanNode.Aggregate(
        input,
        columns,
        List.of(
            AggregateCall.of(AggregateFunction.COUNT, false),
            AggregateCall.of(AggregateFunction.COUNT, false, of(input, 2)),
            AggregateCall.of(AggregateFunction.SUM, false, of(input, 2)),
            AggregateCall.of(AggregateFunction.AVG, false, of(input, 4)),
            AggregateCall.of(AggregateFunction.MIN, false, of(input, 3)),
            AggregateCall.of(AggregateFunction.MAX, false, of(input, 0))),
        rollup);
  }

  @Test
  void groups() {
    assertSame(aggregate(many, false, 1));
    assertSame(aggregate(many, false, 3, 2));
    assertSame(aggregate(many, false, 0), OF_A_CN / 4);
    assertSame(aggregate(many, true, 1, 3));
  }

  @Test
  void distinctAggregates() {
    for (int[] keys : new int[][] {{}, {1}}) {
      List<Scalar> columns = new ArrayList<>();
      for (int key : keys) {
        columns.add(of(many, key));
      }
      assertSame(
          new PlanNode.Aggregate(
              many,
              columns,
              List.of(
                  AggregateCall.of(AggregateFunction.COUNT, true, of(many, 3)),
                  AggregateCall.of(AggregateFunction.COUNT, false),
                  AggregateCall.of(AggregateFunction.SUM, false, of(many, 2))),
              false));
    }
  }

  private PlanNode joinedGroups(JoinKind kind, PlanNode build, boolean filtered) {
    PlanNode.ColumnScan scan = (PlanNode.ColumnScan) many;
    PlanNode input =
        filtered
            ? new PlanNode.ColumnScan(
                scan.schema(),
                scan.table(),
                scan.names(),
                scan.columns(),
                scan.predicate(),
                List.of(new PlanNode.BloomUse(0, List.of(1))))
            : scan;
    PlanNode groups = aggregate(input, false, 1);
    return new PlanNode.HashJoin(
        kind,
        groups,
        build,
        List.of(of(groups, 0)),
        List.of(of(build, 1)),
        Optional.empty(),
        filtered ? OptionalInt.of(0) : OptionalInt.empty());
  }

  /** Groups that a join above would drop are not made, and those that it keeps are whole. */
  @Test
  void groupsBelowAJoin() {
    for (JoinKind kind : List.of(JoinKind.INNER, JoinKind.SEMI)) {
      Map<List<Object>, Integer> expected =
          RandomTables.counts(spilled(joinedGroups(kind, few, false), LITTLE));
      long before = bench.spilled.sum();
      PlanNode filtered = joinedGroups(kind, few, true);
      boolean same =
          expected.equals(
              RandomTables.counts(bench.run(Bench.plan(filtered), LITTLE, new Cancellation())));
      assertTrue(same, kind + " below few");
      assertEquals(before, bench.spilled.sum());
      assertSame(joinedGroups(kind, more, true));
      same =
          RandomTables.counts(bench.run(joinedGroups(kind, more, false)))
              .equals(RandomTables.counts(bench.run(joinedGroups(kind, more, true))));
      assertTrue(same, kind + " below more");
    }
  }

  @Test
  void groupsOfGroups() {
    PlanNode inner = aggregate(many, false, 1, 2);
    assertSame(
        new PlanNode.Aggregate(
            inner,
            List.of(of(inner, 1)),
            List.of(
                AggregateCall.of(AggregateFunction.COUNT, false),
                AggregateCall.of(AggregateFunction.SUM, false, of(inner, 2))),
            false));
  }

  @Test
  void sets() {
    PlanNode one = new PlanNode.Project(many, List.of(of(many, 1), of(many, 3)));
    PlanNode other = new PlanNode.Project(more, List.of(of(more, 1), of(more, 3)));
    for (SetKind kind :
        List.of(SetKind.UNION, SetKind.UNION_ALL, SetKind.INTERSECT, SetKind.EXCEPT)) {
      assertSame(new PlanNode.SetOperation(kind, List.of(one, other), one.columns()));
    }
  }

  @Test
  void rowsAsTheyAre() {
    assertSame(many, LITTLE / 2);
    PlanNode limited = new PlanNode.Limit(many, Scalar.whole(5), Scalar.whole(10));
    assertEquals(10, spilled(limited, LITTLE / 2).size());
  }

  private List<SortKey> byTextThenPriceThenId() {
    return List.of(
        new SortKey(of(many, 3), false),
        new SortKey(of(many, 2), true),
        new SortKey(of(many, 0), false));
  }

  @Test
  void orders() {
    PlanNode sorted = new PlanNode.Sort(many, byTextThenPriceThenId());
    List<List<Object>> expected = bench.run(sorted);
    assertEquals(expected, spilled(sorted, LITTLE));
    assertEquals(expected, spilled(sorted, 3 * LITTLE));
    assertEquals(
        expected.subList(100, 2_100),
        spilled(
            new PlanNode.TopN(
                many, byTextThenPriceThenId(), Scalar.whole(100), Scalar.whole(2_000)),
            LITTLE));
    assertEquals(
        expected.subList(rows() - 10, rows()),
        spilled(new PlanNode.Limit(sorted, Scalar.whole(rows() - 10), Scalar.whole(50)), LITTLE));
    PlanNode first =
        new PlanNode.TopN(many, byTextThenPriceThenId(), Scalar.whole(0), Scalar.whole(9_000));
    PlanNode filtered =
        new PlanNode.Filter(
            first, Scalar.call(ScalarFunction.LESS, of(first, 0), Scalar.whole(rows() / 2)));
    assertSame(filtered);
  }

  @Test
  void ordersOfMoreRunsThanAreMergedAtOnce() {
    PlanNode.Sort sorted = new PlanNode.Sort(many, byTextThenPriceThenId());
    assertEquals(bench.run(sorted), spilled(sorted, 400 << 10));
  }

  private static PlanNode join(
      JoinKind kind, PlanNode probe, PlanNode build, boolean keyed, boolean residual) {
    Scalar less =
        Scalar.call(
            ScalarFunction.LESS,
            of(probe, 2),
            new Scalar.Column(probe.columns().size() + 2, build.columns().get(2)));
    return new PlanNode.HashJoin(
        kind,
        probe,
        build,
        keyed ? List.of(of(probe, 1)) : List.of(),
        keyed ? List.of(of(build, 1)) : List.of(),
        residual ? Optional.of(less) : Optional.empty(),
        OptionalInt.empty());
  }

  @Test
  void joinsOfAllKinds() {
    for (JoinKind kind : JoinKind.values()) {
      assertSame(join(kind, many, more, true, false));
      assertSame(join(kind, many, more, true, true));
    }
  }

  @Test
  void notInWithoutNulls() {
    PlanNode known =
        new PlanNode.Filter(more, Scalar.call(ScalarFunction.IS_NOT_NULL, of(more, 1)));
    PlanNode plan = join(JoinKind.NULL_AWARE_ANTI, many, known, true, false);
    assertTrue(bench.run(plan).size() > 100);
    assertSame(plan);
  }

  @Test
  void joinsWithoutKeys() {
    assertSame(aggregate(join(JoinKind.INNER, few, more, false, true), false, 0));
    AlraiException e =
        assertThrows(
            AlraiException.class,
            () -> spilled(join(JoinKind.LEFT, few, more, false, true), LITTLE));
    assertEquals(1041, e.errno());
  }

  /** All but a few rows have one key. */
  @Test
  void joinsOfOneKey() {
    Scalar one =
        new Scalar.Case(
            List.of(
                new Scalar.Branch(
                    Scalar.call(ScalarFunction.GREATER, of(more, 0), Scalar.whole(99)),
                    Scalar.whole(7))),
            Optional.of(of(more, 0)),
            more.columns().get(0));
    PlanNode build =
        new PlanNode.Project(more, List.of(of(more, 0), one, of(more, 2), of(more, 3)));
    assertSame(
        new PlanNode.Aggregate(
            join(JoinKind.INNER, few, build, true, false),
            List.of(),
            List.of(AggregateCall.of(AggregateFunction.COUNT, false)),
            false));
    PlanNode some =
        new PlanNode.Project(
            new PlanNode.Filter(few, Scalar.call(ScalarFunction.LESS, of(few, 0), Scalar.whole(3))),
            List.of(of(few, 0), Scalar.whole(7), of(few, 2)));
    assertSame(join(JoinKind.INNER, some, build, true, false));
  }

  @Test
  void joinsInsideJoins() {
    PlanNode first = join(JoinKind.LEFT, many, more, true, false);
    PlanNode second = join(JoinKind.INNER, first, more, true, true);
    assertSame(aggregate(second, false, 1));
    PlanNode semi =
        join(JoinKind.SEMI, join(JoinKind.ANTI, many, few, true, false), more, true, false);
    assertSame(new PlanNode.Sort(semi, List.of(new SortKey(of(semi, 4), true))));
  }

  @Test
  void severalWorkers() {
    PlanNode joined = join(JoinKind.LEFT, many, more, true, false);
    PlanNode groups = aggregate(joined, false, 0, 5);
    assertSame(sortedByCount(groups), OF_A_CN);
  }

  @Test
  void scalarSubqueries() {
    PlanNode groups = aggregate(more, false, 1);
    PlanNode most =
        new PlanNode.Aggregate(
            groups,
            List.of(),
            List.of(AggregateCall.of(AggregateFunction.MAX, false, of(groups, 1))),
            false);
    PlanNode plan =
        new PlanNode.Filter(
            many,
            Scalar.call(
                ScalarFunction.GREATER,
                of(many, 1),
                new Scalar.SubqueryValue(0, most.columns().getFirst())));
    assertSame(plan, most);
  }

  @Test
  void aQueryPastWhatItMayHaveOnDiskFailsAlone() {
    bench.spillBytes.set(100_000);
    AlraiException e = assertThrows(AlraiException.class, () -> spilled(many, LITTLE / 2));
    assertEquals(1114, e.errno());
    assertEquals(50, bench.run(few).size());
  }

  private static PlanNode sortedByCount(PlanNode groups) {
    return new PlanNode.Sort(groups, List.of(new SortKey(of(groups, 2), true)));
  }

  @Test
  void aCancelledQueryLeavesNothing() {
    PlanNode joined = join(JoinKind.LEFT, many, more, true, false);
    PlanNode plan = sortedByCount(aggregate(joined, false, 0, 5));
    long begun = bench.spilled.sum();
    spilled(plan, LITTLE);
    int all = (int) (bench.spilled.sum() - begun);
    for (int i = 0; i < 12; i++) {
      Cancellation cancellation = new Cancellation();
      AtomicLong cancelled = new AtomicLong();
      bench.spilled.after(
          random.nextInt(all / 10 * 9),
          () -> {
            cancelled.set(System.nanoTime());
            cancellation.cancel();
          });
      AlraiException e =
          assertThrows(
              AlraiException.class, () -> bench.run(Bench.plan(plan), LITTLE, cancellation));
      assertEquals(1317, e.errno());
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - cancelled.get());
      assertTrue(millis < 2_000, millis + " ms on a busy machine");
      assertEquals(0, bench.region.used());
      assertEquals(0, bench.spill.heldBytes());
    }
  }
}
