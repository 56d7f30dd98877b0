package io.alrai.optimizer.lower;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.AnalyticPlan.OutputColumn;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.ValueType;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.AnalyticalPlanner;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.stats.StatisticsSource;
import io.alrai.optimizer.cost.Estimator;
import io.alrai.optimizer.cost.PlanCost;
import io.alrai.optimizer.logical.BoundQuery;
import io.alrai.optimizer.logical.LogicalPlanner;
import io.alrai.optimizer.logical.NotCovered;
import io.alrai.optimizer.logical.ValueTypes;
import io.alrai.optimizer.rule.Optimizer;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;

/** From a SELECT's text to a plan over column indexes. Stateless; any thread. */
public final class FragmentPlanner implements AnalyticalPlanner {
  private final StatisticsSource statistics;

  /** A planner that knows so much of the tables. */
  public FragmentPlanner(StatisticsSource statistics) {
    this.statistics = statistics;
  }

  @Override
  public AnalyticalAnswer plan(
      ShapedStatement statement, SlotValues values, Charset charset, Planner.Context names) {
    try {
      LogicalPlanner.Bound bound =
          new LogicalPlanner(statistics).bind(statement, values, charset, names);
      return lower(bound);
    } catch (NotCovered e) {
      return new AnalyticalAnswer.NotCovered(e.reason());
    } catch (AlraiException e) {
      return new AnalyticalAnswer.NotCovered(e.sentence());
    }
  }

  private static AnalyticalAnswer lower(LogicalPlanner.Bound bound) {
    Optimizer optimizer = new Optimizer();
    RelNode root = optimizer.optimize(bound.query().rows());
    ValueTypes types = ValueTypes.of(root);
    Estimator estimator = new Estimator();
    double cost = 0;
    int bloomSlots = 0;
    StringBuilder logical = new StringBuilder();
    List<PlanNode> subqueries = new ArrayList<>();
    List<ValueType> subqueryTypes = new ArrayList<>();
    for (BoundQuery query : bound.subqueries()) {
      RelNode tree = optimizer.optimize(query.rows());
      TreeLowering lowering =
          new TreeLowering(new ScalarLowering(types, subqueryTypes), estimator, bloomSlots);
      PlanNode node = lowering.lower(tree);
      bloomSlots = lowering.bloomSlots();
      subqueries.add(node);
      subqueryTypes.add(node.columns().getFirst());
      cost += PlanCost.of(tree, estimator);
      logical.append("subquery ").append(subqueries.size() - 1).append('\n');
      logical.append(RelOptUtil.toString(tree));
    }
    TreeLowering lowering =
        new TreeLowering(new ScalarLowering(types, subqueryTypes), estimator, bloomSlots);
    PlanNode node = lowering.lower(root);
    List<OutputColumn> output = new ArrayList<>();
    for (int i = 0; i < node.columns().size(); i++) {
      output.add(
          new OutputColumn(
              bound.query().names().get(i), ValueTypes.protocolType(node.columns().get(i))));
    }
    logical.append(RelOptUtil.toString(root));
    optimizer.reasons().forEach(reason -> logical.append("by ").append(reason).append('\n'));
    AnalyticPlan plan = new AnalyticPlan(node, output, subqueries, lowering.bloomSlots());
    return new AnalyticalAnswer.Planned(
        plan, cost + PlanCost.of(root, estimator), estimator.of(root).rows(), logical.toString());
  }
}
