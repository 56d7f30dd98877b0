package io.alrai.executor.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.AggregateFunction;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.fragment.PlanNode.SetKind;
import io.alrai.executor.fragment.PlanNode.SortKey;
import io.alrai.executor.fragment.PlanNode.WindowCall;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.fragment.WindowFrame;
import io.alrai.executor.fragment.WindowFunction;
import io.alrai.executor.memory.MemoryRegion;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Groups, orders, sets and windows over random rows against plain Java. */
class OperatorsSim extends RandomTables {
  private static List<AggregateCall> calls(PlanNode input) {
    return List.of(
        AggregateCall.of(AggregateFunction.COUNT, false),
        AggregateCall.of(AggregateFunction.COUNT, false, of(input, 1)),
        AggregateCall.of(AggregateFunction.SUM, false, of(input, 1)),
        AggregateCall.of(AggregateFunction.AVG, false, of(input, 1)),
        AggregateCall.of(AggregateFunction.MIN, false, of(input, 0)),
        AggregateCall.of(AggregateFunction.MAX, false, of(input, 2)));
  }

  private static List<Object> aggregates(List<List<Object>> rows) {
    List<BigDecimal> prices = new ArrayList<>();
    rows.forEach(row -> {
      if (row.get(1) != null) {
        prices.add((BigDecimal) row.get(1));
      }
    });
    BigDecimal sum = prices.stream().reduce(BigDecimal.ZERO.setScale(2), BigDecimal::add);
    boolean none = prices.isEmpty();
    Object min =
        rows.stream()
            .map(r -> (Long) r.get(0))
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElse(null);
    Object max =
        rows.stream()
            .map(r -> (String) r.get(2))
            .filter(Objects::nonNull)
            .max(Comparator.naturalOrder())
            .orElse(null);
    return Arrays.asList(
        (long) rows.size(),
        (long) prices.size(),
        none ? null : sum,
        none ? null : sum.divide(BigDecimal.valueOf(prices.size()), 9, RoundingMode.DOWN),
        min,
        max);
  }

  private static Map<List<Object>, List<List<Object>>> groups(
      List<List<Object>> rows, int... columns) {
    Map<List<Object>, List<List<Object>>> groups = new LinkedHashMap<>();
    for (List<Object> row : rows) {
      List<Object> key = new ArrayList<>();
      for (int column : columns) {
        key.add(row.get(column));
      }
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
    }
    return groups;
  }

  @Test
  void groups() {
    for (int[] columns : new int[][] {{2}, {0}, {2, 1}, {}}) {
      List<Scalar> keys = new ArrayList<>();
      Arrays.stream(columns).forEach(column -> keys.add(of(leftScan, column)));
      List<List<Object>> expected = new ArrayList<>();
      groups(left, columns).forEach((key, rows) -> expected.add(pair(key, aggregates(rows))));
      assertEquals(
          counts(expected),
          counts(bench.run(new PlanNode.Aggregate(leftScan, keys, calls(leftScan), false))));
    }
  }

  @Test
  void oneGroupOverNoRows() {
    PlanNode none = new PlanNode.Filter(leftScan, Scalar.whole(0));
    assertEquals(
        List.of(Arrays.asList(0L, 0L, null, null, null, null)),
        bench.run(new PlanNode.Aggregate(none, List.of(), calls(none), false)));
    assertEquals(
        List.of(),
        bench.run(new PlanNode.Aggregate(none, List.of(of(none, 0)), calls(none), false)));
  }

  @Test
  void distinctAggregates() {
    PlanNode plan =
        new PlanNode.Aggregate(
            leftScan,
            List.of(of(leftScan, 2)),
            List.of(
                AggregateCall.of(AggregateFunction.COUNT, true, of(leftScan, 1)),
                AggregateCall.of(AggregateFunction.SUM, true, of(leftScan, 1)),
                AggregateCall.of(AggregateFunction.COUNT, false)),
            false);
    List<List<Object>> expected = new ArrayList<>();
    groups(left, 2)
        .forEach((key, rows) -> {
          Set<BigDecimal> distinct = new HashSet<>();
          rows.forEach(row -> distinct.add((BigDecimal) row.get(1)));
          distinct.remove(null);
          BigDecimal sum = distinct.stream().reduce(BigDecimal.ZERO.setScale(2), BigDecimal::add);
          expected.add(
              Arrays.asList(
                  key.getFirst(),
                  (long) distinct.size(),
                  distinct.isEmpty() ? null : sum,
                  (long) rows.size()));
        });
    assertEquals(counts(expected), counts(bench.run(plan)));
  }

  @Test
  void rollup() {
    List<List<Object>> expected = new ArrayList<>();
    groups(left, 2, 0)
        .forEach((key, rows) -> expected.add(pair(pair(key, aggregates(rows)), List.of(0L))));
    groups(left, 2)
        .forEach((key, rows) ->
            expected.add(
                pair(Arrays.asList(key.getFirst(), null), pair(aggregates(rows), List.of(1L)))));
    expected.add(pair(Arrays.asList(null, null), pair(aggregates(left), List.of(2L))));
    PlanNode plan =
        new PlanNode.Aggregate(
            leftScan, List.of(of(leftScan, 2), of(leftScan, 0)), calls(leftScan), true);
    assertEquals(counts(expected), counts(bench.run(plan)));
  }

  @Test
  void setOperations() {
    PlanNode l = new PlanNode.Project(leftScan, List.of(of(leftScan, 0)));
    PlanNode r = new PlanNode.Project(rightScan, List.of(of(rightScan, 0)));
    Set<Object> lefts = new HashSet<>();
    left.forEach(row -> lefts.add(row.getFirst()));
    Set<Object> rights = new HashSet<>();
    right.forEach(row -> rights.add(row.getFirst()));
    Set<Object> both = new HashSet<>(lefts);
    both.retainAll(rights);
    Set<Object> only = new HashSet<>(lefts);
    only.removeAll(rights);
    Set<Object> any = new HashSet<>(lefts);
    any.addAll(rights);
    Map<SetKind, Set<Object>> expected =
        Map.of(SetKind.UNION, any, SetKind.INTERSECT, both, SetKind.EXCEPT, only);
    expected.forEach((kind, values) -> {
      List<List<Object>> rows =
          bench.run(new PlanNode.SetOperation(kind, List.of(l, r), l.columns()));
      assertEquals(values.size(), rows.size(), kind.toString());
      rows.forEach(row -> assertTrue(values.contains(row.getFirst())));
    });
    assertEquals(
        left.size() + right.size(),
        bench.run(new PlanNode.SetOperation(SetKind.UNION_ALL, List.of(l, r), l.columns())).size());
  }

  private static final Comparator<List<Object>> BY_TEXT_THEN_PRICE =
      Comparator.<List<Object>, String>comparing(
              row -> (String) row.get(2), Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(
              row -> (BigDecimal) row.get(1),
              Comparator.nullsFirst(Comparator.<BigDecimal>naturalOrder()).reversed())
          .thenComparing(
              row -> (Long) row.get(0), Comparator.nullsFirst(Comparator.naturalOrder()));

  private List<SortKey> byTextThenPrice() {
    return List.of(
        new SortKey(of(leftScan, 2), false),
        new SortKey(of(leftScan, 1), true),
        new SortKey(of(leftScan, 0), false));
  }

  @Test
  void ordersAndLimits() {
    List<List<Object>> expected = new ArrayList<>(left);
    expected.sort(BY_TEXT_THEN_PRICE);
    assertEquals(expected, bench.run(new PlanNode.Sort(leftScan, byTextThenPrice())));
    assertEquals(
        expected.subList(5, 25),
        bench.run(
            new PlanNode.TopN(leftScan, byTextThenPrice(), Scalar.whole(5), Scalar.whole(20))));
    PlanNode sorted = new PlanNode.Sort(leftScan, byTextThenPrice());
    assertEquals(
        expected.subList(690, 700),
        bench.run(new PlanNode.Limit(sorted, Scalar.whole(690), Scalar.whole(50))));
  }

  @Test
  void windows() {
    List<WindowCall> calls =
        List.of(
            new WindowCall(
                WindowFunction.RANK, List.of(), WindowFrame.RUNNING, ValueType.bigint(false)),
            new WindowCall(
                WindowFunction.SUM,
                List.of(of(leftScan, 1)),
                WindowFrame.RUNNING,
                ValueType.decimal(31, 2, true)),
            new WindowCall(
                WindowFunction.COUNT, List.of(), WindowFrame.PARTITION, ValueType.bigint(false)));
    PlanNode plan =
        new PlanNode.Window(
            leftScan,
            List.of(of(leftScan, 2)),
            List.of(new SortKey(of(leftScan, 0), false)),
            calls);
    List<List<Object>> expected = new ArrayList<>();
    groups(left, 2)
        .values()
        .forEach(partition -> {
          for (List<Object> row : partition) {
            Comparator<Object> order =
                Comparator.comparing(
                    value -> (Long) value, Comparator.nullsFirst(Comparator.naturalOrder()));
            long before =
                partition.stream().filter(o -> order.compare(o.get(0), row.get(0)) < 0).count();
            List<BigDecimal> seen = new ArrayList<>();
            partition.stream()
                .filter(o -> order.compare(o.get(0), row.get(0)) <= 0 && o.get(1) != null)
                .forEach(o -> seen.add((BigDecimal) o.get(1)));
            Object sum =
                seen.isEmpty() ? null : seen.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
            expected.add(pair(row, Arrays.asList(before + 1, sum, (long) partition.size())));
          }
        });
    assertEquals(counts(expected), counts(bench.run(plan)));
  }

  @Test
  void scalarSubqueries() {
    PlanNode average =
        new PlanNode.Aggregate(
            rightScan,
            List.of(),
            List.of(AggregateCall.of(AggregateFunction.AVG, false, of(rightScan, 1))),
            false);
    PlanNode plan =
        new PlanNode.Filter(
            leftScan,
            Scalar.call(
                ScalarFunction.GREATER,
                of(leftScan, 1),
                new Scalar.SubqueryValue(0, average.columns().getFirst())));
    BigDecimal limit = (BigDecimal) aggregates(right).get(3);
    assertEquals(
        left.stream()
            .filter(r -> r.get(1) != null && ((BigDecimal) r.get(1)).compareTo(limit) > 0)
            .count(),
        bench.run(plan, average).size());
    PlanNode several = new PlanNode.Project(rightScan, List.of(of(rightScan, 1)));
    AlraiException e = assertThrows(AlraiException.class, () -> bench.run(plan, several));
    assertEquals(1242, e.errno());
  }

  @Test
  void valuesAndTheirOverflow() {
    ValueType type = ValueType.bigint(false);
    Scalar most = new Scalar.Literal(new Constant.Whole(Long.MAX_VALUE), type);
    PlanNode values =
        new PlanNode.Values(
            List.of(List.of(Scalar.whole(1)), List.of(Scalar.whole(2))), List.of(type));
    assertEquals(Map.of(List.of(1L), 1, List.of(2L), 1), counts(bench.run(values)));
    PlanNode sum =
        new PlanNode.Project(values, List.of(Scalar.call(ScalarFunction.ADD, of(values, 0), most)));
    assertEquals(1690, assertThrows(AlraiException.class, () -> bench.run(sum)).errno());
  }

  @Test
  void aQueryPastItsMemoryFailsAloneWhereItMayNotSpill() {
    bench.spillBytes.set(0);
    PlanNode cross = join(JoinKind.INNER, rightScan, false, false);
    PlanNode sorted = new PlanNode.Sort(cross, List.of(new SortKey(of(cross, 0), false)));
    AlraiException e =
        assertThrows(
            AlraiException.class, () -> bench.run(Bench.plan(sorted), 4 << 20, new Cancellation()));
    assertEquals(1041, e.errno());
    assertEquals(0, bench.region.used());
    assertEquals(700, bench.run(leftScan).size());
  }

  @Test
  void aFailedTaskDoesNotCancelTheStatement() {
    bench.spillBytes.set(0);
    PlanNode cross = join(JoinKind.INNER, rightScan, false, false);
    PlanNode sorted = new PlanNode.Sort(cross, List.of(new SortKey(of(cross, 0), false)));
    Cancellation statement = new Cancellation();
    assertThrows(AlraiException.class, () -> bench.run(Bench.plan(sorted), 4 << 20, statement));
    statement.check();
    assertEquals(700, bench.run(Bench.plan(leftScan), Bench.MEMORY, statement).size());
  }

  @Test
  void aQueryThatOthersLeaveNoMemoryForFailsAndTheyDoNot() {
    PlanNode cross = join(JoinKind.INNER, rightScan, false, false);
    PlanNode sorted = new PlanNode.Sort(cross, List.of(new SortKey(of(cross, 0), false)));
    try (MemoryRegion.Reservation others =
        bench.region.reserve(Bench.MEMORY - (4 << 20), Bench.MEMORY).orElseThrow()) {
      AlraiException e =
          assertThrows(
              AlraiException.class,
              () -> bench.run(Bench.plan(sorted), Bench.MEMORY, new Cancellation()));
      assertEquals(1041, e.errno());
      assertEquals(Bench.MEMORY - (4 << 20), bench.region.used());
      assertEquals(MemoryRegion.Growth.GRANTED, others.grow(1 << 20));
    }
    assertEquals(0, bench.region.used());
  }

  /** Each of 700 rows has 63 million partners. */
  private PlanNode manyPartners() {
    PlanNode cross = join(JoinKind.INNER, rightScan, false, false);
    PlanNode more =
        new PlanNode.HashJoin(
            JoinKind.INNER,
            cross,
            cross,
            List.of(),
            List.of(),
            Optional.empty(),
            OptionalInt.empty());
    return new PlanNode.Aggregate(
        more, List.of(), List.of(AggregateCall.of(AggregateFunction.COUNT, false)), false);
  }

  @Test
  void aCancelledQueryEndsSoon() {
    Cancellation cancellation = new Cancellation();
    AtomicLong cancelled = new AtomicLong();
    CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
        .execute(() -> {
          cancelled.set(System.nanoTime());
          cancellation.cancel();
        });
    AlraiException e =
        assertThrows(
            AlraiException.class,
            () -> bench.run(Bench.plan(manyPartners()), Bench.MEMORY, cancellation));
    assertEquals(1317, e.errno());
    long millis = (System.nanoTime() - cancelled.get()) / 1_000_000;
    assertTrue(millis < 2_000, millis + " ms on a busy machine");
    assertEquals(0, bench.region.used());
  }

  @Test
  void shortQueriesPassOnesWhoseRowsHaveMillionsOfPartners() throws Exception {
    Cancellation cancellation = new Cancellation();
    List<CompletableFuture<List<List<Object>>>> slow = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      slow.add(
          CompletableFuture.supplyAsync(
              () -> bench.run(Bench.plan(manyPartners()), Bench.MEMORY, cancellation),
              task -> Thread.ofPlatform().daemon().start(task)));
    }
    try {
      long begin = System.nanoTime();
      while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(2)) {
        CompletableFuture<Integer> quick =
            CompletableFuture.supplyAsync(
                () -> bench.run(leftScan).size(), task -> Thread.ofPlatform().daemon().start(task));
        assertEquals(700, quick.get(10, TimeUnit.SECONDS));
      }
      assertTrue(slow.stream().noneMatch(CompletableFuture::isDone));
    } finally {
      cancellation.cancel();
    }
    for (CompletableFuture<List<List<Object>>> one : slow) {
      assertThrows(ExecutionException.class, () -> one.get(10, TimeUnit.SECONDS));
    }
  }
}
