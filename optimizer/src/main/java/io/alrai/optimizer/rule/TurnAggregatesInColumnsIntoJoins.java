package io.alrai.optimizer.rule;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/** Correlated aggregates as values of columns become joins with groups. */
final class TurnAggregatesInColumnsIntoJoins implements Rule<Project> {
  @Override
  public Pattern<Project> pattern() {
    return new Pattern<>(
        Project.class, project -> RexUtil.SubQueryFinder.find(project.getProjects()) != null);
  }

  @Override
  public String reason() {
    return "an aggregate of a subquery is computed once for each of its keys, not for each row";
  }

  @Override
  public RelNode apply(Project project, UnaryOperator<RelNode> inner) {
    ScalarJoins joins =
        new ScalarJoins(inner, project.getInput(), project.getVariablesSet().stream().findFirst());
    List<RexNode> replaced = project.getProjects().stream().map(joins::value).toList();
    return LogicalProject.create(
        joins.rows(), List.of(), replaced, project.getRowType().getFieldNames(), Set.of());
  }
}
