package io.alrai.cn.process;

import io.alrai.cn.admin.ForeignStatements;
import io.alrai.cn.admin.RoutedStatements;
import io.alrai.cn.analytic.AnalyticSelects;
import io.alrai.cn.ddl.DdlExecutor;
import io.alrai.cn.execute.PlanExecutor;
import io.alrai.cn.explain.RowExplanations;
import io.alrai.cn.explain.StatementMeasure;
import io.alrai.cn.route.CollationWeights;
import io.alrai.cn.route.Router;
import io.alrai.cn.statement.DataExecutor;
import io.alrai.cn.statement.QueryReader;
import io.alrai.cn.statement.Sequences;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.write.LoadDataExecutor;
import io.alrai.executor.operator.OperatorBudget;

/**
 * What a CN's statements go to.
 *
 * @param router values to places
 * @param data data statements over several places
 * @param reader queries whose rows the CN needs
 * @param others DDL, LOAD DATA, EXPLAIN, maintenance
 */
record StatementExecutors(
    Router router, DataExecutor data, QueryReader reader, ForeignStatements others) {
  static StatementExecutors of(
      CnParts parts,
      CollationWeights weights,
      Sequences sequences,
      DdlExecutor ddl,
      AnalyticSelects analytic) {
    Router router = new Router(weights, parts.facts().collations(), sequences);
    ExecutorParts executors =
        new ExecutorParts(
            parts.node(),
            router,
            parts.gms(),
            parts.planner(),
            sequences,
            parts.queries(),
            OperatorBudget.standard(),
            analytic,
            parts.checks());
    PlanExecutor plans = new PlanExecutor(executors);
    plans.recover();
    return new StatementExecutors(
        router,
        plans,
        plans,
        new RoutedStatements(
            parts,
            ddl,
            plans,
            new LoadDataExecutor(executors, parts.facts().collations())::run,
            analytic,
            new RowExplanations(
                router,
                parts.gms(),
                parts.checks(),
                new StatementMeasure(plans, parts.gms()::catalog, System::nanoTime))));
  }
}
