package io.alrai.optimizer.rule;

import io.alrai.optimizer.logical.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * Correlated aggregates in conditions become joins with groups. Conditions without subqueries go
 * below. For filters whose EXISTS and IN are joins already.
 */
final class TurnAggregatesInConditionsIntoJoins implements Rule<Filter> {
  @Override
  public Pattern<Filter> pattern() {
    return new Pattern<>(
        Filter.class, filter -> RexUtil.SubQueryFinder.find(filter.getCondition()) != null);
  }

  @Override
  public String reason() {
    return "an aggregate of a subquery is computed once for each of its keys, not for each row";
  }

  @Override
  public RelNode apply(Filter filter, UnaryOperator<RelNode> inner) {
    Expressions expressions = Expressions.of(filter.getCluster().getRexBuilder());
    List<RexNode> plain = new ArrayList<>();
    List<RexNode> values = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
      (RexUtil.SubQueryFinder.find(condition) == null ? plain : values).add(condition);
    }
    RelNode rows =
        plain.isEmpty()
            ? filter.getInput()
            : LogicalFilter.create(filter.getInput(), expressions.and(plain));
    ScalarJoins joins = new ScalarJoins(inner, rows, filter.getVariablesSet().stream().findFirst());
    List<RexNode> replaced = values.stream().map(joins::condition).toList();
    RelNode filtered = LogicalFilter.create(joins.rows(), expressions.and(replaced));
    return firstColumns(filtered, rows);
  }

  private static RelNode firstColumns(RelNode rows, RelNode like) {
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < like.getRowType().getFieldCount(); i++) {
      columns.add(RexInputRef.of(i, rows.getRowType()));
    }
    return LogicalProject.create(
        rows, List.of(), columns, like.getRowType().getFieldNames(), Set.of());
  }
}
