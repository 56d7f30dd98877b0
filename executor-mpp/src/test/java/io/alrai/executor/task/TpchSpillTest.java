package io.alrai.executor.task;

import static io.alrai.executor.fragment.AggregateFunction.SUM;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.fragment.PlanNode.SortKey;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Plans over TPC-H's largest tables that do not fit in their memory, against plain loops. {@code
 * -Dtpch.scale=1 -Dtpch.memory=16 -Dtpch.rounds=5} measures with so many MiB, and with plenty.
 */
class TpchSpillTest {
  private static final double SCALE = Double.parseDouble(System.getProperty("tpch.scale", "0.02"));
  private static final int ROUNDS = Integer.getInteger("tpch.rounds", 1);
  private static final long MEMORY = Long.getLong("tpch.memory", 1) << 20;
  private static final int BATCH = 65_536;
  private static final ColumnKind WHOLE = new ColumnKind.Int(false);
  private static final Bench BENCH = Bench.usual();

  @BeforeAll
  static void load() {
    var money = new ColumnKind.Decimal(15, 2);
    TestTable lines =
        BENCH.table(
            "lineitem",
            BATCH,
            Bench.column("orderkey", WHOLE),
            Bench.column("quantity", money),
            Bench.column("price", money),
            Bench.column("ship", new ColumnKind.Date()));
    for (LineItem l : new LineItemGenerator(SCALE, 1, 1)) {
      lines.add(
          l.orderKey(),
          BigDecimal.valueOf(l.quantity()),
          Bench.cents(l.extendedPriceInCents()),
          (long) l.shipDate());
    }
    TestTable orders =
        BENCH.table(
            "orders",
            BATCH,
            Bench.column("orderkey", WHOLE),
            Bench.column("custkey", WHOLE),
            Bench.column("date", new ColumnKind.Date()));
    for (Order o : new OrderGenerator(SCALE, 1, 1)) {
      orders.add(o.orderKey(), o.customerKey(), (long) o.orderDate());
    }
  }

  @AfterAll
  static void close() {
    BENCH.close();
  }

  private static List<List<Object>> timed(String name, PlanNode plan) {
    List<List<Object>> rows = List.of();
    for (long memory : new long[] {Bench.MEMORY, MEMORY}) {
      long best = Long.MAX_VALUE;
      long written = 0;
      for (int i = 0; i < ROUNDS; i++) {
        long start = System.nanoTime();
        long before = BENCH.spilled.sum();
        rows = BENCH.run(Bench.plan(plan), memory, new Cancellation());
        best = Math.min(best, System.nanoTime() - start);
        written = BENCH.spilled.sum() - before;
      }
      System.out.printf(
          "%s at scale %s with %d MiB: %.1f ms, %.1f MiB on disk%n",
          name, SCALE, memory >> 20, best / 1e6, written / 1024.0 / 1024);
      assertEquals(memory == MEMORY, written > 0);
    }
    return rows;
  }

  private static Scalar of(PlanNode node, int column) {
    return new Scalar.Column(column, node.columns().get(column));
  }

  /** A group for each order, and a join with all orders. */
  @Test
  void largeOrders() {
    List<List<Object>> expected = largeOrdersByLoop();
    assertEquals(100, expected.size());
    assertEquals(expected, timed("large orders", largeOrdersPlan()));
  }

  @Test
  void linesInOrder() {
    PlanNode lines = BENCH.scan("lineitem", false, "orderkey", "price", "ship");
    PlanNode last =
        new PlanNode.TopN(
            lines,
            List.of(new SortKey(of(lines, 2), false), new SortKey(of(lines, 1), true)),
            Scalar.whole(lines() - 1),
            Scalar.whole(10));
    List<List<Object>> rows = timed("lines by date and price", last);
    assertEquals(1, rows.size());
    assertEquals(lastShipped(), rows.getFirst().get(2));
  }

  private static PlanNode largeOrdersPlan() {
    PlanNode lines = BENCH.scan("lineitem", false, "orderkey", "quantity");
    PlanNode orders = BENCH.scan("orders", false, "orderkey", "custkey", "date");
    PlanNode groups =
        new PlanNode.Aggregate(
            lines,
            List.of(of(lines, 0)),
            List.of(AggregateCall.of(SUM, false, of(lines, 1))),
            false);
    PlanNode joined =
        new PlanNode.HashJoin(
            JoinKind.INNER,
            groups,
            orders,
            List.of(of(groups, 0)),
            List.of(of(orders, 0)),
            Optional.empty(),
            OptionalInt.empty());
    return new PlanNode.TopN(
        joined,
        List.of(new SortKey(of(joined, 1), true), new SortKey(of(joined, 0), false)),
        Scalar.whole(0),
        Scalar.whole(100));
  }

  /** All lines are gone through once for each slice of the orders. */
  @Test
  void linesOfOrders() {
    PlanNode lines = BENCH.scan("lineitem", false, "orderkey", "price", "ship");
    PlanNode orders = BENCH.scan("orders", false, "orderkey", "date");
    Scalar date = new Scalar.Column(4, orders.columns().get(1));
    PlanNode joined =
        new PlanNode.HashJoin(
            JoinKind.INNER,
            lines,
            orders,
            List.of(of(lines, 0)),
            List.of(of(orders, 0)),
            Optional.of(Scalar.call(ScalarFunction.GREATER, of(lines, 2), date)),
            OptionalInt.empty());
    PlanNode sum =
        new PlanNode.Aggregate(
            joined, List.of(), List.of(AggregateCall.of(SUM, false, of(joined, 1))), false);
    assertEquals(List.of(List.of(lateByLoop())), timed("lines of orders", sum));
  }

  private static BigDecimal lateByLoop() {
    Map<Long, Integer> dates = new HashMap<>();
    for (Order o : new OrderGenerator(SCALE, 1, 1)) {
      dates.put(o.orderKey(), o.orderDate());
    }
    long cents = 0;
    for (LineItem l : new LineItemGenerator(SCALE, 1, 1)) {
      if (l.shipDate() > dates.get(l.orderKey())) {
        cents += l.extendedPriceInCents();
      }
    }
    return Bench.cents(cents);
  }

  private static List<List<Object>> largeOrdersByLoop() {
    Map<Long, Long> sums = new HashMap<>();
    for (LineItem l : new LineItemGenerator(SCALE, 1, 1)) {
      sums.merge(l.orderKey(), l.quantity(), Long::sum);
    }
    Map<Long, Order> orders = new HashMap<>();
    for (Order o : new OrderGenerator(SCALE, 1, 1)) {
      orders.put(o.orderKey(), o);
    }
    return sums.entrySet().stream()
        .sorted(
            Map.Entry.<Long, Long>comparingByValue().reversed().thenComparing(Map.Entry::getKey))
        .limit(100)
        .map(e ->
            List.<Object>of(
                e.getKey(),
                BigDecimal.valueOf(e.getValue()).setScale(2),
                e.getKey(),
                orders.get(e.getKey()).customerKey(),
                (long) orders.get(e.getKey()).orderDate()))
        .toList();
  }

  private static long lines() {
    long lines = 0;
    for (LineItem l : new LineItemGenerator(SCALE, 1, 1)) {
      lines++;
    }
    return lines;
  }

  private static long lastShipped() {
    long last = 0;
    for (LineItem l : new LineItemGenerator(SCALE, 1, 1)) {
      last = Math.max(last, l.shipDate());
    }
    return last;
  }
}
