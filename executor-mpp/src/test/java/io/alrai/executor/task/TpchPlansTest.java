package io.alrai.executor.task;

import static io.alrai.executor.fragment.AggregateFunction.AVG;
import static io.alrai.executor.fragment.AggregateFunction.COUNT;
import static io.alrai.executor.fragment.AggregateFunction.SUM;
import static io.alrai.executor.fragment.ScalarFunction.ADD;
import static io.alrai.executor.fragment.ScalarFunction.AND;
import static io.alrai.executor.fragment.ScalarFunction.EQUAL;
import static io.alrai.executor.fragment.ScalarFunction.GREATER;
import static io.alrai.executor.fragment.ScalarFunction.GREATER_EQUAL;
import static io.alrai.executor.fragment.ScalarFunction.LESS;
import static io.alrai.executor.fragment.ScalarFunction.LESS_EQUAL;
import static io.alrai.executor.fragment.ScalarFunction.MULTIPLY;
import static io.alrai.executor.fragment.ScalarFunction.SUBTRACT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.PlanNode.HashJoin;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.fragment.PlanNode.SortKey;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.TextCollation;
import io.trino.tpch.Customer;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Nation;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.Supplier;
import io.trino.tpch.SupplierGenerator;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Plans of TPC-H by hand against plain loops over the generator's rows. {@code -Dtpch.scale=1
 * -Dtpch.rounds=20} measures; each query prints its best time.
 */
class TpchPlansTest {
  private static final double SCALE = Double.parseDouble(System.getProperty("tpch.scale", "0.01"));
  private static final int ROUNDS = Integer.getInteger("tpch.rounds", 3);
  private static final int BATCH = 65_536;
  private static final ColumnKind WHOLE = new ColumnKind.Int(false);
  private static final ColumnKind DATE = new ColumnKind.Date();
  private static final Bench BENCH = Bench.usual();

  @BeforeAll
  static void load() {
    loadLines();
    loadOrders();
    loadPlaces();
  }

  private static void loadLines() {
    var money = new ColumnKind.Decimal(15, 2);
    TestTable lines =
        BENCH.table(
            "lineitem",
            BATCH,
            Bench.column("orderkey", WHOLE),
            Bench.column("suppkey", WHOLE),
            Bench.column("quantity", money),
            Bench.column("price", money),
            Bench.column("discount", money),
            Bench.column("tax", money),
            Bench.column("flag", Bench.text()),
            Bench.column("status", Bench.text()),
            Bench.column("ship", DATE));
    for (LineItem l : new LineItemGenerator(SCALE, 1, 1)) {
      lines.add(
          l.orderKey(),
          l.supplierKey(),
          BigDecimal.valueOf(l.quantity()),
          Bench.cents(l.extendedPriceInCents()),
          Bench.cents(l.discountPercent()),
          Bench.cents(l.taxPercent()),
          l.returnFlag(),
          l.status(),
          (long) l.shipDate());
    }
  }

  private static void loadOrders() {
    TestTable orders =
        BENCH.table(
            "orders",
            BATCH,
            Bench.column("orderkey", WHOLE),
            Bench.column("custkey", WHOLE),
            Bench.column("date", DATE),
            Bench.column("priority", WHOLE));
    for (Order o : new OrderGenerator(SCALE, 1, 1)) {
      orders.add(o.orderKey(), o.customerKey(), (long) o.orderDate(), (long) o.shipPriority());
    }
    TestTable customers =
        BENCH.table(
            "customer",
            BATCH,
            Bench.column("custkey", WHOLE),
            Bench.column("nationkey", WHOLE),
            Bench.column("segment", Bench.text()));
    for (Customer c : new CustomerGenerator(SCALE, 1, 1)) {
      customers.add(c.customerKey(), c.nationKey(), c.marketSegment());
    }
  }

  private static void loadPlaces() {
    TestTable suppliers =
        BENCH.table(
            "supplier", BATCH, Bench.column("suppkey", WHOLE), Bench.column("nationkey", WHOLE));
    for (Supplier s : new SupplierGenerator(SCALE, 1, 1)) {
      suppliers.add(s.supplierKey(), s.nationKey());
    }
    TestTable nations =
        BENCH.table(
            "nation",
            BATCH,
            Bench.column("nationkey", WHOLE),
            Bench.column("regionkey", WHOLE),
            Bench.column("name", Bench.text()));
    for (Nation n : new NationGenerator()) {
      nations.add(n.nationKey(), n.regionKey(), n.name());
    }
  }

  @AfterAll
  static void close() {
    BENCH.close();
  }

  private static List<List<Object>> timed(String name, PlanNode plan) {
    List<List<Object>> rows = List.of();
    long best = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      rows = BENCH.run(plan);
      best = Math.min(best, System.nanoTime() - start);
    }
    System.out.printf("%s at scale %s: %.1f ms%n", name, SCALE, best / 1e6);
    return rows;
  }

  private static Scalar of(PlanNode node, int column) {
    return new Scalar.Column(column, node.columns().get(column));
  }

  private static Scalar date(int year, int month, int day) {
    return Scalar.date(LocalDate.of(year, month, day));
  }

  private static long day(int year, int month, int day) {
    return LocalDate.of(year, month, day).toEpochDay();
  }

  private static Scalar revenue(Scalar price, Scalar discount) {
    return Scalar.call(MULTIPLY, price, Scalar.call(SUBTRACT, Scalar.whole(1), discount));
  }

  private static BigDecimal revenue(LineItem l) {
    return Bench.cents(l.extendedPriceInCents())
        .multiply(BigDecimal.ONE.subtract(Bench.cents(l.discountPercent())));
  }

  private static PlanNode filter(PlanNode input, Scalar... conditions) {
    return new PlanNode.Filter(
        input, conditions.length == 1 ? conditions[0] : Scalar.call(AND, conditions));
  }

  private static HashJoin join(
      PlanNode probe, PlanNode build, List<Scalar> probeKeys, List<Scalar> buildKeys) {
    return new HashJoin(
        JoinKind.INNER, probe, build, probeKeys, buildKeys, Optional.empty(), OptionalInt.empty());
  }

  @Test
  void pricingSummary() {
    List<List<Object>> expected = pricingSummaryByLoop();
    assertTrue(expected.size() >= 3);
    assertEquals(expected, timed("Q1", pricingSummaryPlan()));
  }

  private static PlanNode pricingSummaryPlan() {
    PlanNode scan =
        BENCH.scan(
            "lineitem", false, "quantity", "price", "discount", "tax", "flag", "status", "ship");
    PlanNode input = filter(scan, Scalar.call(LESS_EQUAL, of(scan, 6), date(1998, 9, 2)));
    Scalar net = revenue(of(scan, 1), of(scan, 2));
    Scalar charge = Scalar.call(MULTIPLY, net, Scalar.call(ADD, Scalar.whole(1), of(scan, 3)));
    return new PlanNode.Sort(
        new PlanNode.Aggregate(
            input,
            List.of(of(scan, 4), of(scan, 5)),
            List.of(
                AggregateCall.of(SUM, false, of(scan, 0)),
                AggregateCall.of(SUM, false, of(scan, 1)),
                AggregateCall.of(SUM, false, net),
                AggregateCall.of(SUM, false, charge),
                AggregateCall.of(AVG, false, of(scan, 0)),
                AggregateCall.of(AVG, false, of(scan, 1)),
                AggregateCall.of(AVG, false, of(scan, 2)),
                AggregateCall.of(COUNT, false)),
            false),
        List.of(
            new SortKey(new Scalar.Column(0, scan.columns().get(4)), false),
            new SortKey(new Scalar.Column(1, scan.columns().get(5)), false)));
  }

  private static List<List<Object>> pricingSummaryByLoop() {
    Map<String, BigDecimal[]> groups = new TreeMap<>();
    long last = day(1998, 9, 2);
    for (LineItem l : new LineItemGenerator(SCALE, 1, 1)) {
      if (l.shipDate() <= last) {
        BigDecimal[] g =
            groups.computeIfAbsent(
                l.returnFlag() + l.status(),
                key ->
                    new BigDecimal[] {
                      BigDecimal.ZERO,
                      BigDecimal.ZERO,
                      BigDecimal.ZERO,
                      BigDecimal.ZERO,
                      BigDecimal.ZERO,
                      BigDecimal.ZERO
                    });
        g[0] = g[0].add(BigDecimal.valueOf(l.quantity()));
        g[1] = g[1].add(Bench.cents(l.extendedPriceInCents()));
        g[2] = g[2].add(revenue(l));
        g[3] = g[3].add(revenue(l).multiply(BigDecimal.ONE.add(Bench.cents(l.taxPercent()))));
        g[4] = g[4].add(Bench.cents(l.discountPercent()));
        g[5] = g[5].add(BigDecimal.ONE);
      }
    }
    List<List<Object>> expected = new ArrayList<>();
    groups.forEach((key, g) ->
        expected.add(
            List.of(
                key.substring(0, 1),
                key.substring(1),
                g[0].setScale(2),
                g[1].setScale(2),
                g[2].setScale(4),
                g[3].setScale(6),
                g[0].divide(g[5], 9, RoundingMode.DOWN),
                g[1].divide(g[5], 9, RoundingMode.DOWN),
                g[4].divide(g[5], 9, RoundingMode.DOWN),
                g[5].longValue())));
    return expected;
  }

  @Test
  void forecastRevenue() {
    PlanNode scan = BENCH.scan("lineitem", false, "ship", "discount", "quantity", "price");
    PlanNode input =
        filter(
            scan,
            Scalar.call(GREATER_EQUAL, of(scan, 0), date(1994, 1, 1)),
            Scalar.call(LESS, of(scan, 0), date(1995, 1, 1)),
            Scalar.call(GREATER_EQUAL, of(scan, 1), Scalar.exact("0.05")),
            Scalar.call(LESS_EQUAL, of(scan, 1), Scalar.exact("0.07")),
            Scalar.call(LESS, of(scan, 2), Scalar.whole(24)));
    Scalar product = Scalar.call(MULTIPLY, of(scan, 3), of(scan, 1));
    PlanNode plan =
        new PlanNode.Aggregate(
            input, List.of(), List.of(AggregateCall.of(SUM, false, product)), false);
    BigDecimal sum = BigDecimal.ZERO.setScale(4);
    for (LineItem l : new LineItemGenerator(SCALE, 1, 1)) {
      if (l.shipDate() >= day(1994, 1, 1)
          && l.shipDate() < day(1995, 1, 1)
          && l.discountPercent() >= 5
          && l.discountPercent() <= 7
          && l.quantity() < 24) {
        sum =
            sum.add(
                Bench.cents(l.extendedPriceInCents()).multiply(Bench.cents(l.discountPercent())));
      }
    }
    assertTrue(sum.signum() > 0);
    assertEquals(List.of(List.of(sum)), timed("Q6", plan));
  }

  @Test
  void shippingPriority() {
    List<List<Object>> expected = shippingPriorityByLoop();
    assertEquals(10, expected.size());
    assertEquals(expected, timed("Q3", shippingPriorityPlan()));
  }

  private static PlanNode shippingPriorityPlan() {
    PlanNode customers = BENCH.scan("customer", false, "custkey", "segment");
    PlanNode orders = BENCH.scan("orders", false, "orderkey", "custkey", "date", "priority");
    PlanNode lines = BENCH.scan("lineitem", false, "orderkey", "price", "discount", "ship");
    Scalar building = Scalar.text("BUILDING", TextCollation.UTF8MB4_0900_AI_CI);
    PlanNode chosen =
        new PlanNode.HashJoin(
            JoinKind.SEMI,
            filter(orders, Scalar.call(LESS, of(orders, 2), date(1995, 3, 15))),
            filter(customers, Scalar.call(EQUAL, of(customers, 1), building)),
            List.of(of(orders, 1)),
            List.of(of(customers, 0)),
            Optional.empty(),
            OptionalInt.empty());
    PlanNode joined =
        join(
            filter(lines, Scalar.call(GREATER, of(lines, 3), date(1995, 3, 15))),
            chosen,
            List.of(of(lines, 0)),
            List.of(of(chosen, 0)));
    PlanNode groups =
        new PlanNode.Aggregate(
            joined,
            List.of(of(joined, 0), of(joined, 6), of(joined, 7)),
            List.of(AggregateCall.of(SUM, false, revenue(of(joined, 1), of(joined, 2)))),
            false);
    return new PlanNode.TopN(
        groups,
        List.of(
            new SortKey(of(groups, 3), true),
            new SortKey(of(groups, 1), false),
            new SortKey(of(groups, 0), false)),
        Scalar.whole(0),
        Scalar.whole(10));
  }

  private static List<List<Object>> shippingPriorityByLoop() {
    Map<Long, Boolean> segment = new HashMap<>();
    for (Customer c : new CustomerGenerator(SCALE, 1, 1)) {
      segment.put(c.customerKey(), c.marketSegment().equals("BUILDING"));
    }
    Map<Long, Order> early = new HashMap<>();
    for (Order o : new OrderGenerator(SCALE, 1, 1)) {
      if (o.orderDate() < day(1995, 3, 15) && segment.get(o.customerKey())) {
        early.put(o.orderKey(), o);
      }
    }
    Map<Long, BigDecimal> sums = new HashMap<>();
    for (LineItem l : new LineItemGenerator(SCALE, 1, 1)) {
      if (l.shipDate() > day(1995, 3, 15) && early.containsKey(l.orderKey())) {
        sums.merge(l.orderKey(), revenue(l), BigDecimal::add);
      }
    }
    return sums.entrySet().stream()
        .sorted(
            Comparator.comparing(Map.Entry<Long, BigDecimal>::getValue)
                .reversed()
                .thenComparing(e -> early.get(e.getKey()).orderDate())
                .thenComparing(Map.Entry::getKey))
        .limit(10)
        .map(e ->
            List.<Object>of(
                e.getKey(),
                (long) early.get(e.getKey()).orderDate(),
                (long) early.get(e.getKey()).shipPriority(),
                e.getValue().setScale(4)))
        .toList();
  }

  @Test
  void localSupplierVolume() {
    List<List<Object>> expected = localSupplierVolumeByLoop();
    assertEquals(5, expected.size());
    assertEquals(expected, timed("Q5", localSupplierVolumePlan()));
  }

  private static PlanNode localSupplierVolumePlan() {
    PlanNode nations = BENCH.scan("nation", false, "nationkey", "regionkey", "name");
    PlanNode asian = filter(nations, Scalar.call(EQUAL, of(nations, 1), Scalar.whole(2)));
    PlanNode suppliers = BENCH.scan("supplier", false, "suppkey", "nationkey");
    PlanNode customers = BENCH.scan("customer", false, "custkey", "nationkey");
    PlanNode orders = BENCH.scan("orders", false, "orderkey", "custkey", "date");
    PlanNode lines = BENCH.scan("lineitem", false, "orderkey", "suppkey", "price", "discount");
    PlanNode local = join(customers, asian, List.of(of(customers, 1)), List.of(of(asian, 0)));
    PlanNode placed =
        join(
            filter(
                orders,
                Scalar.call(GREATER_EQUAL, of(orders, 2), date(1994, 1, 1)),
                Scalar.call(LESS, of(orders, 2), date(1995, 1, 1))),
            local,
            List.of(of(orders, 1)),
            List.of(of(local, 0)));
    PlanNode ordered = join(lines, placed, List.of(of(lines, 0)), List.of(of(placed, 0)));
    PlanNode all =
        join(
            ordered,
            suppliers,
            List.of(of(ordered, 1), of(ordered, 8)),
            List.of(of(suppliers, 0), of(suppliers, 1)));
    PlanNode groups =
        new PlanNode.Aggregate(
            all,
            List.of(of(all, 11)),
            List.of(AggregateCall.of(SUM, false, revenue(of(all, 2), of(all, 3)))),
            false);
    return new PlanNode.Sort(groups, List.of(new SortKey(of(groups, 1), true)));
  }

  private static List<List<Object>> localSupplierVolumeByLoop() {
    Map<Long, String> names = new HashMap<>();
    for (Nation n : new NationGenerator()) {
      if (n.regionKey() == 2) {
        names.put(n.nationKey(), n.name());
      }
    }
    Map<Long, Long> customerNation = new HashMap<>();
    new CustomerGenerator(SCALE, 1, 1)
        .forEach(c -> customerNation.put(c.customerKey(), c.nationKey()));
    Map<Long, Long> supplierNation = new HashMap<>();
    new SupplierGenerator(SCALE, 1, 1)
        .forEach(s -> supplierNation.put(s.supplierKey(), s.nationKey()));
    Map<Long, Long> orderNation = new HashMap<>();
    for (Order o : new OrderGenerator(SCALE, 1, 1)) {
      if (o.orderDate() >= day(1994, 1, 1) && o.orderDate() < day(1995, 1, 1)) {
        orderNation.put(o.orderKey(), customerNation.get(o.customerKey()));
      }
    }
    Map<String, BigDecimal> sums = new HashMap<>();
    for (LineItem l : new LineItemGenerator(SCALE, 1, 1)) {
      Long nation = orderNation.get(l.orderKey());
      if (nation != null
          && names.containsKey(nation)
          && nation.equals(supplierNation.get(l.supplierKey()))) {
        sums.merge(names.get(nation), revenue(l), BigDecimal::add);
      }
    }
    return sums.entrySet().stream()
        .sorted(Map.Entry.<String, BigDecimal>comparingByValue().reversed())
        .map(e -> List.<Object>of(e.getKey(), e.getValue().setScale(4)))
        .toList();
  }
}
