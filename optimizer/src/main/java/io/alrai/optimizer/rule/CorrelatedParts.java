package io.alrai.optimizer.rule;

import io.alrai.optimizer.logical.NotCovered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;

/**
 * A subquery taken apart: rows that depend on nothing around it, the conditions that do, and its
 * output. Only conditions that stand above everything but projections and other conditions can be
 * taken out.
 *
 * @param rows without any reference to the outer row
 * @param conditions over the outer row, then {@code rows}
 * @param output over {@code rows}
 */
record CorrelatedParts(RelNode rows, List<RexNode> conditions, List<RexNode> output) {
  private static final CorrelationId NO_ROW = new CorrelationId(-1);

  CorrelatedParts {
    conditions = List.copyOf(conditions);
    output = List.copyOf(output);
  }

  /**
   * Takes a subquery apart.
   *
   * @param id what it calls the row that it is correlated with, if it is with one
   * @param outer gives those rows
   * @throws NotCovered when a reference to the outer row remains
   */
  static CorrelatedParts of(RelNode subquery, Optional<CorrelationId> id, RelNode outer) {
    return of(subquery, id.orElse(NO_ROW), outer.getRowType())
        .orElseThrow(() -> new NotCovered("a subquery that depends on rows around it too deeply"));
  }

  private static Optional<CorrelatedParts> of(
      RelNode subquery, CorrelationId id, RelDataType outer) {
    RelNode rows = subquery;
    RexBuilder builder = subquery.getCluster().getRexBuilder();
    List<RexNode> output = new ArrayList<>(identity(subquery));
    List<RexNode> correlated = new ArrayList<>();
    List<RexNode> own = new ArrayList<>();
    while (true) {
      if (rows instanceof Project project) {
        output.replaceAll(node -> RelOptUtil.pushPastProject(node, project));
        correlated.replaceAll(node -> RelOptUtil.pushPastProject(node, project));
        own.replaceAll(node -> RelOptUtil.pushPastProject(node, project));
        rows = project.getInput();
      } else if (rows instanceof Filter filter) {
        for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
          (mentions(condition, id) ? correlated : own).add(condition);
        }
        rows = filter.getInput();
      } else {
        break;
      }
    }
    if (!own.isEmpty()) {
      rows = LogicalFilter.create(rows, RexUtil.composeConjunction(builder, own));
    }
    boolean left =
        RelOptUtil.getVariablesUsed(rows).contains(id)
            || output.stream().anyMatch(node -> mentions(node, id));
    if (left) {
      return Optional.empty();
    }
    int shift = outer.getFieldCount();
    return Optional.of(
        new CorrelatedParts(
            rows,
            correlated.stream().map(node -> overBoth(node, id, outer, shift)).toList(),
            output));
  }

  private static List<RexNode> identity(RelNode rows) {
    List<RexNode> columns = new ArrayList<>();
    for (RelDataTypeField field : rows.getRowType().getFieldList()) {
      columns.add(new RexInputRef(field.getIndex(), field.getType()));
    }
    return columns;
  }

  private static boolean mentions(RexNode node, CorrelationId id) {
    boolean[] found = {false};
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCorrelVariable(RexCorrelVariable variable) {
            found[0] |= variable.id.equals(id);
            return variable;
          }

          @Override
          public RexNode visitSubQuery(RexSubQuery query) {
            found[0] |= RelOptUtil.getVariablesUsed(query.rel).contains(id);
            return super.visitSubQuery(query);
          }
        });
    return found[0];
  }

  private static RexNode overBoth(RexNode node, CorrelationId id, RelDataType outer, int shift) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return new RexInputRef(ref.getIndex() + shift, ref.getType());
          }

          @Override
          public RexNode visitFieldAccess(RexFieldAccess access) {
            if (access.getReferenceExpr() instanceof RexCorrelVariable variable
                && variable.id.equals(id)) {
              int index = access.getField().getIndex();
              return new RexInputRef(index, outer.getFieldList().get(index).getType());
            }
            return super.visitFieldAccess(access);
          }
        });
  }
}
