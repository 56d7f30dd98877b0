package io.alrai.optimizer.rule;

import java.util.List;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Conditions move down to where their columns come from, and columns that nobody reads are dropped.
 * Calcite's simplifier stays off: it compares strings by their code points, which MySQL's
 * collations do not. The rules are Calcite's, each with its pattern, and so is what walks the
 * trees. Stateless.
 */
final class PushDown {
  private static final RelBuilderFactory BUILDERS =
      RelBuilder.proto(
          Contexts.of(
              RelBuilder.Config.DEFAULT
                  .withSimplify(false)
                  .withSimplifyLimit(false)
                  .withSimplifyValues(false)
                  .withAggregateUnique(false)
                  .withPushJoinCondition(false)));

  private static final List<RelOptRule> RULES =
      List.of(
          plain(CoreRules.FILTER_INTO_JOIN),
          plain(CoreRules.JOIN_CONDITION_PUSH),
          plain(CoreRules.FILTER_PROJECT_TRANSPOSE),
          plain(CoreRules.FILTER_AGGREGATE_TRANSPOSE),
          plain(CoreRules.FILTER_MERGE),
          plain(CoreRules.PROJECT_MERGE),
          plain(CoreRules.PROJECT_REMOVE));

  private PushDown() {}

  private static RelOptRule plain(RelRule<?> rule) {
    return rule.config.withRelBuilderFactory(BUILDERS).toRule();
  }

  /** Moves conditions down. */
  static RelNode conditions(RelNode root) {
    HepProgramBuilder program = new HepProgramBuilder().addMatchOrder(HepMatchOrder.BOTTOM_UP);
    program.addRuleCollection(RULES);
    HepPlanner planner = new HepPlanner(program.build());
    planner.setRoot(root);
    return planner.findBestExp();
  }

  /**
   * Drops columns that nobody reads: at first below the conditions, then those that the conditions
   * alone have read.
   */
  static RelNode columns(RelNode root) {
    return conditions(trimmed(conditions(trimmed(root))));
  }

  private static RelNode trimmed(RelNode root) {
    return new RelFieldTrimmer(null, BUILDERS.create(root.getCluster(), null)).trim(root);
  }
}
