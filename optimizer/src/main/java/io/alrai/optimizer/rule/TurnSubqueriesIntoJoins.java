package io.alrai.optimizer.rule;

import io.alrai.optimizer.logical.Expressions;
import io.alrai.optimizer.logical.NotCovered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * EXISTS and IN as conditions become semi joins, NOT EXISTS and NOT IN anti joins, correlated
 * aggregates joins with groups. Inner subqueries go first. One thread.
 */
public final class TurnSubqueriesIntoJoins {
  /**
   * A tree with equal rows and without subqueries in its expressions.
   *
   * @throws NotCovered when one has another form
   */
  public RelNode apply(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(this::apply).toList();
    RelNode copy = inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
    return switch (copy) {
      case Filter filter -> filter(filter);
      case Project project -> project(project);
      default -> copy;
    };
  }

  private RelNode filter(Filter filter) {
    if (RexUtil.SubQueryFinder.find(filter.getCondition()) == null) {
      return filter;
    }
    Expressions expressions = Expressions.of(filter.getCluster().getRexBuilder());
    List<RexNode> plain = new ArrayList<>();
    List<RexNode> memberships = new ArrayList<>();
    List<RexNode> values = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
      if (RexUtil.SubQueryFinder.find(condition) == null) {
        plain.add(condition);
      } else {
        (isMembership(condition) ? memberships : values).add(condition);
      }
    }
    RelNode rows =
        plain.isEmpty()
            ? filter.getInput()
            : LogicalFilter.create(filter.getInput(), expressions.and(plain));
    Optional<CorrelationId> id = filter.getVariablesSet().stream().findFirst();
    for (RexNode condition : memberships) {
      rows = membership(rows, condition, id, expressions);
    }
    if (values.isEmpty()) {
      return rows;
    }
    ScalarJoins joins = new ScalarJoins(this, rows, id);
    List<RexNode> replaced = values.stream().map(joins::condition).toList();
    RelNode filtered = LogicalFilter.create(joins.rows(), expressions.and(replaced));
    return firstColumns(filtered, rows);
  }

  private RelNode project(Project project) {
    if (RexUtil.SubQueryFinder.find(project.getProjects()) == null) {
      return project;
    }
    Optional<CorrelationId> id = project.getVariablesSet().stream().findFirst();
    ScalarJoins joins = new ScalarJoins(this, project.getInput(), id);
    List<RexNode> replaced = project.getProjects().stream().map(joins::value).toList();
    return LogicalProject.create(
        joins.rows(), List.of(), replaced, project.getRowType().getFieldNames(), Set.of());
  }

  private static RelNode firstColumns(RelNode rows, RelNode like) {
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < like.getRowType().getFieldCount(); i++) {
      columns.add(RexInputRef.of(i, rows.getRowType()));
    }
    return LogicalProject.create(
        rows, List.of(), columns, like.getRowType().getFieldNames(), Set.of());
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

  private RelNode membership(
      RelNode rows, RexNode condition, Optional<CorrelationId> id, Expressions expressions) {
    RexSubQuery query = (RexSubQuery) bare(condition);
    boolean negated = condition.getKind() == SqlKind.NOT;
    CorrelatedParts parts = parts(apply(query.rel), rows, id);
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

  /** A subquery taken apart. */
  static CorrelatedParts parts(RelNode query, RelNode rows, Optional<CorrelationId> id) {
    if (id.isEmpty()) {
      return CorrelatedParts.of(query, new CorrelationId(-1), rows.getRowType()).orElseThrow();
    }
    return CorrelatedParts.of(query, id.get(), rows.getRowType())
        .orElseThrow(() -> new NotCovered("a subquery that depends on rows around it too deeply"));
  }

  /** The expression with a value in place of a subquery. */
  static RexNode replace(RexNode node, RexSubQuery query, RexNode by) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery found) {
            return found == query ? by : super.visitSubQuery(found);
          }
        });
  }
}
