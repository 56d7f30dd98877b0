package io.alrai.optimizer.rule;

import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.stats.TableStatistics;
import io.alrai.optimizer.api.text.ParameterSource;
import io.alrai.optimizer.golden.CatalogText;
import io.alrai.optimizer.logical.LogicalPlanner;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;

/** Small trees over the tables {@code few} of 10 rows and {@code many} of 1000. */
final class Trees {
  private static final String CATALOG =
      """
      t.few key(id)/4; pk(id); id int, x int, y int null
      t.many key(id)/4; pk(id); id int, x int, z int null
      """;

  private Trees() {}

  /** The tree of a SELECT as it is written. */
  static RelNode of(String sql) {
    ShapedText statement = ShapedText.of(sql);
    LogicalPlanner planner =
        new LogicalPlanner(
            table -> new TableStatistics(table.name().equals("few") ? 10 : 1000, Map.of()));
    return planner
        .bind(
            statement,
            new TextSlotValues(statement, ParameterSource.NONE),
            StandardCharsets.UTF_8,
            new Planner.Context(CatalogText.read(CATALOG), "t", false, false))
        .query()
        .rows();
  }

  /** The tree after one rule, wherever it is for a node; the same node if it is for none. */
  static RelNode after(Rule<?> rule, RuleWalk.Order order, RelNode tree) {
    return new RuleWalk(order, List.of(rule)).rewrite(tree);
  }

  static String text(RelNode tree) {
    return RelOptUtil.toString(tree).replace("Logical", "");
  }
}
