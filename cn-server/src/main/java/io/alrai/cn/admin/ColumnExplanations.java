package io.alrai.cn.admin;

import io.alrai.cn.analytic.AnalyticExplanation.Detail;
import io.alrai.cn.analytic.AnalyticSelects;
import io.alrai.cn.analytic.AskedSelect;
import io.alrai.cn.explain.StatementMeasure;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.statement.StatementRun;
import io.alrai.executor.fragment.Plan;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.inspect.ExplainedStatement;
import io.alrai.optimizer.api.text.LexicalMode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * EXPLAIN of SELECTs that column indexes answer, as one column of lines; EXPLAIN LOGICAL, PHYSICAL
 * and COST also say why a SELECT goes to the row store.
 */
final class ColumnExplanations {
  private static final int LINE = 4096;

  private final Supplier<Catalog> catalog;
  private final AnalyticSelects analytic;
  private final StatementMeasure measure;

  ColumnExplanations(
      Supplier<Catalog> catalog, AnalyticSelects analytic, StatementMeasure measure) {
    this.catalog = catalog;
    this.analytic = analytic;
    this.measure = measure;
  }

  /** Answers, unless the mysqld is to explain the statement. */
  boolean answer(StatementRun run, AdminStatement.ExplainOnShard statement) {
    if (!(statement.explained() instanceof Work.Data data)
        || !(data.plan() instanceof Plan.Select select)) {
      return false;
    }
    LexicalMode mode = run.session().variables().lexicalMode();
    Planner.Context context = StatementPlanner.context(catalog.get(), run.session().schema(), mode);
    Optional<ExplainedStatement> text = ExplainedStatement.of(run.statement(), context);
    Optional<Detail> detail = text.flatMap(explain -> detail(explain.prefix()));
    if (detail.isEmpty()) {
      return false;
    }
    Supplier<Optional<List<String>>> explained =
        () ->
            run.shards()
                .ownWork()
                .run(cancellation ->
                    analytic.explain(
                        new AskedSelect(
                            run.session(),
                            run.shards(),
                            text.get().statement(),
                            run.values(),
                            select,
                            cancellation),
                        detail.get()));
    Optional<List<String>> lines =
        detail.get() == Detail.ANALYZE
            ? measure.lines(run, new LogicalNames(catalog), explained)
            : explained.get();
    lines.ifPresent(all -> {
      ResultTable table = new ResultTable().text("EXPLAIN", LINE);
      all.forEach(table::row);
      table.writeTo(run.writer(), run.statusFlags());
    });
    return lines.isPresent();
  }

  private static Optional<Detail> detail(String prefix) {
    String[] words = prefix.strip().toUpperCase(Locale.ROOT).split("\\s+", -1);
    if (words.length == 1) {
      return Optional.of(Detail.PLAIN);
    }
    return words.length == 2
        ? switch (words[1]) {
          case "LOGICAL", "PHYSICAL", "COST", "ANALYZE" -> Optional.of(Detail.valueOf(words[1]));
          default -> Optional.empty();
        }
        : Optional.empty();
  }
}
