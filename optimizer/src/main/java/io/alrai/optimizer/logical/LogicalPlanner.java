package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.stats.StatisticsSource;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.syntax.SourceText;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.view.ViewTexts;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;

/** From a SELECT's text to its tree, before any rule. Stateless; any thread. */
public final class LogicalPlanner {
  private final StatisticsSource statistics;

  /** Over tables of which so much is known. */
  public LogicalPlanner(StatisticsSource statistics) {
    this.statistics = statistics;
  }

  /**
   * A statement's trees.
   *
   * @param query the statement's own
   * @param subqueries the uncorrelated scalar ones, in the order of their numbers
   */
  public record Bound(BoundQuery query, List<BoundQuery> subqueries) {
    public Bound {
      subqueries = List.copyOf(subqueries);
    }
  }

  /**
   * Binds a statement.
   *
   * @param sent as the client sent it
   * @param values of its slots
   * @param charset of strings in {@code values}
   * @throws NotCovered when it is no SELECT, or one that the executor does not run
   */
  public Bound bind(
      ShapedStatement sent, SlotValues values, Charset charset, Planner.Context names) {
    ShapedStatement statement;
    SourceText text;
    Statement parsed;
    try {
      text = SourceText.of(sent.shape(), names.ansiQuotes(), names.noBackslashEscapes());
      parsed = StatementParser.parse(text);
      statement = ViewTexts.expanded(sent, parsed, names);
      if (statement != sent) {
        text = SourceText.of(statement.shape(), names.ansiQuotes(), names.noBackslashEscapes());
        parsed = StatementParser.parse(text);
      }
    } catch (SyntaxException e) {
      throw new NotCovered("a text that does not parse");
    }
    if (!(parsed instanceof Statement.Select select)) {
      throw new NotCovered("a statement that is no SELECT");
    }
    MysqlTypeFactory factory = new MysqlTypeFactory();
    MysqlRexBuilder builder = new MysqlRexBuilder(factory);
    HepPlanner planner = new HepPlanner(HepProgram.builder().build());
    RelOptCluster cluster = RelOptCluster.create(planner, builder);
    Expressions expressions = new Expressions(builder, new ValueTypes(factory));
    List<BoundQuery> subqueries = new ArrayList<>();
    BindContext context =
        new BindContext(
            statement,
            text,
            values,
            charset,
            names,
            statistics,
            TextCollation.UTF8MB4_0900_AI_CI,
            cluster,
            expressions,
            subqueries);
    BoundQuery query = new QueryBinder(context).bind(select.query(), Optional.empty());
    return new Bound(query, subqueries);
  }
}
