package io.alrai.optimizer.logical;

import com.google.common.collect.ImmutableList;
import io.alrai.optimizer.syntax.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSubQuery;

/** Subqueries in expressions. One thread. */
final class SubqueryBinder {
  private final BindContext context;
  private final QueryBinder queries;
  private final Scope scope;

  SubqueryBinder(BindContext context, QueryBinder queries, Scope scope) {
    this.context = context;
    this.queries = queries;
    this.scope = scope;
  }

  private BoundQuery bind(Query query, QueryUse use) {
    return queries.bind(query, Optional.of(scope), use);
  }

  /** EXISTS. */
  RexNode exists(Query query) {
    return RexSubQuery.exists(bind(query, QueryUse.ROWS).rows());
  }

  /** A subquery as a value: one that depends on nothing around it is run once, before the rest. */
  RexNode value(Query query) {
    BoundQuery bound = bind(query, QueryUse.VALUE);
    if (bound.names().size() != 1) {
      throw new NotCovered("a row of values");
    }
    if (!RelOptUtil.getVariablesUsed(bound.rows()).isEmpty()) {
      return RexSubQuery.scalar(bound.rows());
    }
    Expressions expressions = context.expressions();
    RelDataType type = bound.rows().getRowType().getFieldList().getFirst().getType();
    context.subqueries().add(bound);
    return expressions.call(
        Functions.SUBQUERY_VALUE,
        expressions.types().factory().createTypeWithNullability(type, true),
        List.of(expressions.whole(context.subqueries().size() - 1)));
  }

  /** {@code (values) IN (query)}. */
  RexNode in(List<RexNode> values, Query query) {
    RelNode rows = bind(query, QueryUse.LIST).rows();
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < rows.getRowType().getFieldCount(); i++) {
      columns.add(Expressions.column(rows.getRowType(), i));
    }
    if (columns.size() != values.size()) {
      throw new NotCovered("rows of different lengths");
    }
    Expressions expressions = context.expressions();
    List<RexNode> left = new ArrayList<>();
    List<RexNode> right = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      JoinKeys keys = JoinKeys.of(expressions, values.get(i), columns.get(i));
      left.add(keys.left());
      right.add(keys.right());
    }
    RelNode compared =
        right.equals(columns)
            ? rows
            : LogicalProject.create(
                rows, List.of(), right, rows.getRowType().getFieldNames(), Set.of());
    return RexSubQuery.in(compared, ImmutableList.copyOf(left));
  }
}
