package io.alrai.cn.columnar.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.columnar.PlainTables;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.ColumnScan;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueType;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WantedColumnsTest {
  private static final ValueType NUMBER = ValueType.bigint(true);
  private static final Scalar FIRST = new Scalar.Column(0, NUMBER);
  private static final Scalar POSITIVE =
      Scalar.call(ScalarFunction.GREATER, FIRST, Scalar.whole(0));
  private static final Scalar ASKS =
      Scalar.call(ScalarFunction.LESS, FIRST, new Scalar.SubqueryValue(0, NUMBER));
  private static final Table TABLE = PlainTables.table();

  private static ColumnScan scan(String table, Optional<Scalar> predicate, String... names) {
    List<ValueType> types = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      types.add(NUMBER);
    }
    return new ColumnScan("s", table, List.of(names), types, predicate, List.of());
  }

  private static AnalyticPlan plan(PlanNode root, PlanNode... subqueries) {
    return new AnalyticPlan(
        root,
        root.columns().stream()
            .map(type -> new AnalyticPlan.OutputColumn("c", MysqlType.BIGINT))
            .toList(),
        List.of(subqueries),
        0);
  }

  private static PlanNode union(PlanNode... inputs) {
    return new PlanNode.SetOperation(
        PlanNode.SetKind.UNION_ALL, List.of(inputs), List.of(NUMBER, NUMBER));
  }

  @Test
  void oneScanIsAskedForWithItsCondition() {
    ColumnScan own = scan("t", Optional.of(POSITIVE), "a", "b");
    assertEquals(
        own, WantedColumns.of(plan(union(own, scan("u", Optional.empty(), "c", "d"))), TABLE));
  }

  @Test
  void severalGiveAllTheirColumnsAndRows() {
    ColumnScan one = scan("t", Optional.of(POSITIVE), "a", "b");
    ColumnScan other = scan("t", Optional.of(POSITIVE), "b", "c");
    assertEquals(
        scan("t", Optional.empty(), "b", "c", "a"), WantedColumns.of(plan(one, other), TABLE));
  }

  @Test
  void whatOnlyThePlanKnowsIsLeftOut() {
    Scalar both = Scalar.call(ScalarFunction.AND, POSITIVE, ASKS);
    assertEquals(
        scan("t", Optional.of(POSITIVE), "a"),
        WantedColumns.of(plan(scan("t", Optional.of(both), "a")), TABLE));
    assertEquals(
        scan("t", Optional.empty(), "a"),
        WantedColumns.of(plan(scan("t", Optional.of(ASKS), "a")), TABLE));
  }
}
