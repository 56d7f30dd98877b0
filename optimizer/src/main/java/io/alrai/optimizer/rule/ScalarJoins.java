package io.alrai.optimizer.rule;

import io.alrai.executor.fragment.AggregateFunction;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.optimizer.logical.Aggregates;
import io.alrai.optimizer.logical.Expressions;
import io.alrai.optimizer.logical.NotCovered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Joins rows with the groups that correlated scalar subqueries are: {@code (SELECT agg(x) FROM r
 * WHERE r.k = outer.k)} is the group of key k. A row without a group sees what an aggregate gives
 * over no rows. One thread.
 */
final class ScalarJoins {
  private final UnaryOperator<RelNode> inner;
  private final Optional<CorrelationId> id;
  private final Expressions expressions;
  private final RelNode outer;
  private RelNode rows;

  /**
   * No subquery is joined yet.
   *
   * @param inner rewrites the subqueries
   * @param id of the rows in the subqueries
   */
  ScalarJoins(UnaryOperator<RelNode> inner, RelNode rows, Optional<CorrelationId> id) {
    this.inner = inner;
    this.outer = rows;
    this.rows = rows;
    this.id = id;
    this.expressions = Expressions.of(rows.getCluster().getRexBuilder());
  }

  /** The rows with the columns that were joined so far. */
  RelNode rows() {
    return rows;
  }

  /** A condition with columns in place of its subqueries. */
  RexNode condition(RexNode condition) {
    return replaceAll(condition, isNullRejecting(condition));
  }

  /** A value with columns in place of its subqueries. */
  RexNode value(RexNode value) {
    return replaceAll(value, false);
  }

  private RexNode replaceAll(RexNode node, boolean nullRejecting) {
    RexNode result = node;
    while (RexUtil.SubQueryFinder.find(result) instanceof RexSubQuery query) {
      if (query.getKind() != SqlKind.SCALAR_QUERY) {
        throw new NotCovered("EXISTS or IN within an expression");
      }
      result = replace(result, query, join(query, nullRejecting));
    }
    return result;
  }

  /** The expression with a value in place of a subquery. */
  private static RexNode replace(RexNode node, RexSubQuery query, RexNode by) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery found) {
            return found == query ? by : super.visitSubQuery(found);
          }
        });
  }

  /** A comparison of which the subquery is a side or a factor of a side: NULL makes it NULL. */
  private static boolean isNullRejecting(RexNode condition) {
    if (!condition.isA(SqlKind.COMPARISON)) {
      return false;
    }
    boolean[] strict = {true};
    condition.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            strict[0] &=
                call.isA(SqlKind.COMPARISON)
                    || call.isA(Set.of(SqlKind.PLUS, SqlKind.MINUS, SqlKind.TIMES, SqlKind.CAST));
            return super.visitCall(call);
          }

          @Override
          public RexNode visitSubQuery(RexSubQuery query) {
            return query;
          }
        });
    return strict[0];
  }

  private RexNode join(RexSubQuery query, boolean nullRejecting) {
    RelNode top = inner.apply(query.rel);
    RexNode value = RexInputRef.of(0, top.getRowType());
    while (top instanceof Project project) {
      value = RelOptUtil.pushPastProject(value, project);
      top = project.getInput();
    }
    if (!(top instanceof Aggregate aggregate) || !aggregate.getGroupSet().isEmpty()) {
      throw new NotCovered("a correlated subquery that is no single aggregate");
    }
    CorrelatedParts parts = CorrelatedParts.of(aggregate.getInput(), id, outer);
    Keys keys = Keys.of(parts.conditions(), outer.getRowType().getFieldCount());
    boolean counts =
        aggregate.getAggCallList().stream()
            .anyMatch(call -> function(call) == AggregateFunction.COUNT);
    boolean matched = nullRejecting && !counts && isStrict(value);
    int width = rows.getRowType().getFieldCount();
    join(grouped(aggregate, parts, keys), keys, width, matched);
    return shifted(value, aggregate, width + keys.inner().size(), matched);
  }

  private static AggregateFunction function(AggregateCall call) {
    return Aggregates.function(call.getAggregation())
        .orElseThrow(() -> new NotCovered("the aggregate " + call.getAggregation()));
  }

  /** Whether NULLs make the value NULL: arithmetic only. */
  private static boolean isStrict(RexNode value) {
    return value instanceof RexInputRef
        || value.isA(SqlKind.LITERAL)
        || (value instanceof RexCall call
            && call.isA(Set.of(SqlKind.PLUS, SqlKind.MINUS, SqlKind.TIMES, SqlKind.CAST))
            && call.getOperands().stream().allMatch(ScalarJoins::isStrict));
  }

  /**
   * Equalities of outer and inner expressions.
   *
   * @param outer over the outer row
   * @param inner over the subquery's rows, of the same positions
   */
  private record Keys(List<RexNode> outer, List<RexNode> inner) {
    static Keys of(List<RexNode> conditions, int width) {
      List<RexNode> outer = new ArrayList<>();
      List<RexNode> inner = new ArrayList<>();
      for (RexNode condition : conditions) {
        if (condition.getKind() != SqlKind.EQUALS) {
          throw new NotCovered("a correlated aggregate by another condition than an equality");
        }
        RexNode left = ((RexCall) condition).getOperands().get(0);
        RexNode right = ((RexCall) condition).getOperands().get(1);
        boolean leftIsOuter = isBelow(left, width);
        RexNode ofOuter = leftIsOuter ? left : right;
        RexNode ofInner = leftIsOuter ? right : left;
        if (!isBelow(ofOuter, width) || !isFrom(ofInner, width)) {
          throw new NotCovered("a correlated aggregate by a condition that mixes both sides");
        }
        outer.add(ofOuter);
        inner.add(RexUtil.shift(ofInner, -width));
      }
      return new Keys(outer, inner);
    }

    private static boolean isBelow(RexNode node, int width) {
      return RelOptUtil.InputFinder.bits(node).nextSetBit(width) < 0;
    }

    private static boolean isFrom(RexNode node, int width) {
      ImmutableBitSet bits = RelOptUtil.InputFinder.bits(node);
      return !bits.isEmpty() && bits.nth(0) >= width;
    }
  }

  private static RelNode grouped(Aggregate aggregate, CorrelatedParts parts, Keys keys) {
    int count = keys.inner().size();
    List<RexNode> columns = new ArrayList<>(keys.inner());
    columns.addAll(parts.output());
    List<String> names = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      names.add("c" + i);
    }
    RelNode projected = LogicalProject.create(parts.rows(), List.of(), columns, names, Set.of());
    List<AggregateCall> calls =
        aggregate.getAggCallList().stream()
            .map(call ->
                call.withArgList(call.getArgList().stream().map(arg -> arg + count).toList()))
            .toList();
    return LogicalAggregate.create(projected, List.of(), ImmutableBitSet.range(count), null, calls);
  }

  private void join(RelNode groups, Keys keys, int width, boolean matched) {
    List<RexNode> conditions = new ArrayList<>();
    for (int i = 0; i < keys.outer().size(); i++) {
      RexNode key = RexUtil.shift(RexInputRef.of(i, groups.getRowType()), width);
      conditions.add(expressions.compare(ScalarFunction.EQUAL, keys.outer().get(i), key));
    }
    rows =
        LogicalJoin.create(
            rows,
            groups,
            List.of(),
            expressions.and(conditions),
            Set.of(),
            matched ? JoinRelType.INNER : JoinRelType.LEFT);
  }

  private RexNode shifted(RexNode value, Aggregate aggregate, int shift, boolean matched) {
    return value.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            RexNode column = RexInputRef.of(ref.getIndex() + shift, rows.getRowType());
            AggregateCall call = aggregate.getAggCallList().get(ref.getIndex());
            return !matched && function(call) == AggregateFunction.COUNT
                ? expressions.call(ScalarFunction.COALESCE, List.of(column, expressions.whole(0)))
                : column;
          }
        });
  }
}
