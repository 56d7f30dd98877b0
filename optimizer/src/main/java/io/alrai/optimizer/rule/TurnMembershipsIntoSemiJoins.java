package io.alrai.optimizer.rule;

import io.alrai.optimizer.logical.Expressions;
import io.alrai.optimizer.logical.NotCovered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * EXISTS and IN as conditions become semi joins, NOT EXISTS and NOT IN anti joins. Conditions
 * without subqueries go below them, others with subqueries stay above.
 */
final class TurnMembershipsIntoSemiJoins implements Rule<Filter> {
  @Override
  public Pattern<Filter> pattern() {
    return new Pattern<>(
        Filter.class,
        filter ->
            RelOptUtil.conjunctions(filter.getCondition()).stream()
                .anyMatch(TurnMembershipsIntoSemiJoins::isMembership));
  }

  @Override
  public String reason() {
    return "EXISTS and IN are one lookup for each row, not one query";
  }

  @Override
  public RelNode apply(Filter filter, UnaryOperator<RelNode> inner) {
    Expressions expressions = Expressions.of(filter.getCluster().getRexBuilder());
    List<RexNode> plain = new ArrayList<>();
    List<RexNode> memberships = new ArrayList<>();
    List<RexNode> others = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
      if (RexUtil.SubQueryFinder.find(condition) == null) {
        plain.add(condition);
      } else {
        (isMembership(condition) ? memberships : others).add(condition);
      }
    }
    RelNode rows =
        plain.isEmpty()
            ? filter.getInput()
            : LogicalFilter.create(filter.getInput(), expressions.and(plain));
    Optional<CorrelationId> id = filter.getVariablesSet().stream().findFirst();
    for (RexNode condition : memberships) {
      RelNode query = inner.apply(((RexSubQuery) bare(condition)).rel);
      rows = membership(rows, condition, CorrelatedParts.of(query, id, rows), expressions);
    }
    return others.isEmpty()
        ? rows
        : filter.copy(filter.getTraitSet(), rows, expressions.and(others));
  }

  private static boolean isMembership(RexNode condition) {
    RexNode inner = bare(condition);
    return inner instanceof RexSubQuery query
        && (query.getKind() == SqlKind.EXISTS || query.getKind() == SqlKind.IN);
  }

  private static RexNode bare(RexNode condition) {
    return condition.getKind() == SqlKind.NOT
        ? ((RexCall) condition).getOperands().getFirst()
        : condition;
  }

  private static RelNode membership(
      RelNode rows, RexNode condition, CorrelatedParts parts, Expressions expressions) {
    RexSubQuery query = (RexSubQuery) bare(condition);
    boolean negated = condition.getKind() == SqlKind.NOT;
    int shift = rows.getRowType().getFieldCount();
    List<RexNode> conditions = new ArrayList<>();
    for (int i = 0; i < query.getOperands().size(); i++) {
      RexNode left = query.getOperands().get(i);
      RexNode right = RexUtil.shift(parts.output().get(i), shift);
      if (negated && (left.getType().isNullable() || right.getType().isNullable())) {
        throw new NotCovered("NOT IN over values that may be NULL");
      }
      conditions.add(
          expressions.builder().makeCall(SqlStdOperatorTable.EQUALS, List.of(left, right)));
    }
    conditions.addAll(parts.conditions());
    return LogicalJoin.create(
        rows,
        parts.rows(),
        List.of(),
        expressions.and(conditions),
        Set.of(),
        negated ? JoinRelType.ANTI : JoinRelType.SEMI);
  }
}
