package io.alrai.executor.task;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two random tables with NULLs, and what nested loops say of their joins. */
class RandomTables {
  final Random random = new Random(seed());
  final Bench bench = newBench();
  final List<List<Object>> left = new ArrayList<>();
  final List<List<Object>> right = new ArrayList<>();
  PlanNode leftScan;
  PlanNode rightScan;

  Bench newBench() {
    return Bench.usual();
  }

  private static long seed() {
    long seed = Long.getLong("tables.seed", System.nanoTime());
    System.out.println("tables.seed " + seed);
    return seed;
  }

  @BeforeEach
  void fill() {
    leftScan = table("l", 700, left);
    rightScan = table("r", 300, right);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  PlanNode table(String name, int rows, List<List<Object>> kept) {
    TestTable table =
        bench.table(
            name,
            90,
            Bench.column("k", new ColumnKind.Int(false)),
            Bench.column("p", new ColumnKind.Decimal(9, 2)),
            Bench.column("s", Bench.text()));
    for (int i = 0; i < rows; i++) {
      Object[] row = {
        random.nextInt(9) == 0 ? null : (Object) (long) random.nextInt(200),
        random.nextInt(9) == 0 ? null : BigDecimal.valueOf(random.nextInt(500), 2),
        random.nextInt(9) == 0 ? null : "s" + random.nextInt(name.equals("l") ? 8 : 400)
      };
      table.add(row);
      kept.add(Arrays.asList(row));
    }
    return bench.scan(name, true, "k", "p", "s");
  }

  static Scalar of(PlanNode node, int column) {
    return new Scalar.Column(column, node.columns().get(column));
  }

  static Map<List<Object>, Integer> counts(List<List<Object>> rows) {
    Map<List<Object>, Integer> counts = new HashMap<>();
    rows.forEach(row -> counts.merge(row, 1, Integer::sum));
    return counts;
  }

  static List<Object> pair(List<Object> one, List<Object> other) {
    List<Object> both = new ArrayList<>(one);
    both.addAll(other);
    return both;
  }

  static boolean equal(Object one, Object other) {
    return one != null && one.equals(other);
  }

  List<List<Object>> joined(JoinKind kind, boolean keyed, boolean residual) {
    List<List<Object>> rows = new ArrayList<>();
    boolean nullKey = right.stream().anyMatch(row -> row.get(0) == null);
    for (List<Object> l : left) {
      List<List<Object>> partners = new ArrayList<>();
      for (List<Object> r : right) {
        boolean matches = !keyed || equal(l.get(0), r.get(0));
        boolean passes =
            !residual
                || l.get(1) != null
                    && r.get(1) != null
                    && ((BigDecimal) l.get(1)).compareTo((BigDecimal) r.get(1)) < 0;
        if (matches && passes) {
          partners.add(r);
        }
      }
      switch (kind) {
        case INNER -> partners.forEach(r -> rows.add(pair(l, r)));
        case LEFT -> {
          partners.forEach(r -> rows.add(pair(l, r)));
          if (partners.isEmpty()) {
            rows.add(pair(l, Arrays.asList(null, null, null)));
          }
        }
        case SEMI -> {
          if (!partners.isEmpty()) {
            rows.add(l);
          }
        }
        case ANTI -> {
          if (partners.isEmpty()) {
            rows.add(l);
          }
        }
        case NULL_AWARE_ANTI -> {
          if (partners.isEmpty() && !nullKey && l.get(0) != null) {
            rows.add(l);
          }
        }
      }
    }
    return rows;
  }

  PlanNode join(JoinKind kind, PlanNode build, boolean keyed, boolean residual) {
    Scalar less =
        Scalar.call(
            ScalarFunction.LESS, of(leftScan, 1), new Scalar.Column(4, build.columns().get(1)));
    return new PlanNode.HashJoin(
        kind,
        leftScan,
        build,
        keyed ? List.of(of(leftScan, 0)) : List.of(),
        keyed ? List.of(of(build, 0)) : List.of(),
        residual ? Optional.of(less) : Optional.empty(),
        OptionalInt.empty());
  }
}
