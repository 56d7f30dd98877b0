package io.alrai.optimizer.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.AnalyticalPlanner;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.explain.AnalyticalText;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.text.ParameterSource;
import io.alrai.optimizer.logical.LogicalPlanner;
import io.alrai.optimizer.logical.NotCovered;
import io.alrai.optimizer.lower.FragmentPlanner;
import io.alrai.optimizer.rule.Optimizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.junit.jupiter.api.Test;

/**
 * Analytical plans of the 22 TPC-H queries as text, compared with files. The queries are those of
 * {@code golden/tpch.txt}. Run with {@code -Dgolden.record=true} to write the plans anew.
 */
class AnalyticalGoldenTest {
  private static final Path FOLDER = Path.of("src/test/resources/golden");

  private static List<String> queries() throws IOException {
    String text = Files.readString(FOLDER.resolve("tpch.txt"), StandardCharsets.UTF_8);
    List<String> queries = new ArrayList<>();
    for (String chunk : text.split("\n", 2)[1].split("(?m)^====$")) {
      queries.add(chunk.split("(?m)^----$", 2)[0].strip());
    }
    return queries.subList(0, 22);
  }

  private static void check(String file, Function<String, String> plan) throws IOException {
    StringBuilder actual = new StringBuilder();
    List<String> queries = queries();
    for (int i = 0; i < queries.size(); i++) {
      actual.append("q%02d\n----\n".formatted(i + 1));
      actual.append(plan.apply(queries.get(i)).strip()).append("\n====\n");
    }
    Path path = FOLDER.resolve("analytical").resolve(file);
    if (Boolean.getBoolean("golden.record")) {
      Files.createDirectories(path.getParent());
      Files.writeString(path, actual, StandardCharsets.UTF_8);
    } else {
      assertEquals(Files.readString(path, StandardCharsets.UTF_8), actual.toString());
    }
  }

  private static Planner.Context context() throws IOException {
    Catalog catalog =
        CatalogText.read(Files.readString(FOLDER.resolve("catalog.txt"), StandardCharsets.UTF_8));
    return new Planner.Context(catalog, "tpch", false, false);
  }

  private static void checkTrees(String file, UnaryOperator<RelNode> rewrite) throws IOException {
    Planner.Context context = context();
    LogicalPlanner planner = new LogicalPlanner(TpchStatistics.source());
    check(
        file,
        sql -> {
          ShapedText statement = ShapedText.of(sql);
          try {
            LogicalPlanner.Bound bound =
                planner.bind(
                    statement,
                    new TextSlotValues(statement, ParameterSource.NONE),
                    StandardCharsets.UTF_8,
                    context);
            StringBuilder text = new StringBuilder(text(rewrite.apply(bound.query().rows())));
            bound
                .subqueries()
                .forEach(
                    query -> text.append("subquery\n").append(text(rewrite.apply(query.rows()))));
            return text.toString();
          } catch (NotCovered e) {
            return "not covered: " + e.reason();
          }
        });
  }

  /** Without what all strings have in common. */
  private static String text(RelNode tree) {
    return RelOptUtil.toString(tree)
        .replaceAll(":VARCHAR\\(\\d+\\) CHARACTER SET \"UTF-8\" COLLATE \"[^\"]*\"", "")
        .replace("_UTF-8'", "'");
  }

  @Test
  void statementsBindToTrees() throws IOException {
    checkTrees("tpch-bound.golden", tree -> tree);
  }

  @Test
  void treesAreOptimizedByCost() throws IOException {
    checkTrees("tpch-optimized.golden", tree -> new Optimizer().optimize(tree));
  }

  @Test
  void treesAreLoweredToPlansOfTheExecutor() throws IOException {
    Planner.Context context = context();
    AnalyticalPlanner planner = new FragmentPlanner(TpchStatistics.source());
    check("tpch-physical.golden", sql -> text(planner, sql, context));
  }

  private static String text(AnalyticalPlanner planner, String sql, Planner.Context context) {
    ShapedText statement = ShapedText.of(sql);
    AnalyticalAnswer answer =
        planner.plan(
            statement,
            new TextSlotValues(statement, ParameterSource.NONE),
            StandardCharsets.UTF_8,
            context);
    return switch (answer) {
      case AnalyticalAnswer.NotCovered(String reason) -> "not covered: " + reason;
      case AnalyticalAnswer.Planned planned ->
          String.format(Locale.ROOT, "cost %.0f, rows %.0f%n", planned.cost(), planned.rows())
              + String.join("\n", AnalyticalText.of(planned.plan(), scan -> false));
    };
  }

  @Test
  void viewsAreReadAsTheirQueries() throws IOException {
    AnalyticalPlanner planner = new FragmentPlanner(TpchStatistics.source());
    String ofQueries =
        "(SELECT n_name, SUM(k) FROM (SELECT n_name, n_nationkey + 1 AS k FROM nation WHERE n_name"
            + " <> 'ASIA') AS nations GROUP BY n_name) AS counted (name, total)";
    String of = "SELECT name, total FROM %s WHERE total > 1 ORDER BY name";
    String plan = text(planner, of.formatted("counted"), context());
    assertTrue(plan.startsWith("cost "), plan);
    assertEquals(text(planner, of.formatted(ofQueries), context()), plan);
  }

  @Test
  void whatIsNotCoveredSaysWhy() throws IOException {
    Planner.Context context = context();
    AnalyticalPlanner planner = new FragmentPlanner(TpchStatistics.source());
    Path path = FOLDER.resolve("analytical").resolve("not-covered.golden");
    StringBuilder actual = new StringBuilder();
    for (String line : Files.readAllLines(path, StandardCharsets.UTF_8)) {
      if (!line.startsWith("  ")) {
        actual.append(line).append("\n");
        text(planner, line, context)
            .lines()
            .forEach(answer -> actual.append("  ").append(answer).append("\n"));
      }
    }
    if (Boolean.getBoolean("golden.record")) {
      Files.writeString(path, actual, StandardCharsets.UTF_8);
    } else {
      assertEquals(Files.readString(path, StandardCharsets.UTF_8), actual.toString());
    }
  }

  @Test
  void explainLogicalTellsTheRules() throws IOException {
    ShapedText statement =
        ShapedText.of(
            "SELECT COUNT(*) FROM nation WHERE EXISTS"
                + " (SELECT 1 FROM region WHERE r_regionkey = n_regionkey)");
    AnalyticalAnswer answer =
        new FragmentPlanner(TpchStatistics.source())
            .plan(
                statement,
                new TextSlotValues(statement, ParameterSource.NONE),
                StandardCharsets.UTF_8,
                context());
    List<String> rules =
        ((AnalyticalAnswer.Planned) answer)
            .logical()
            .lines()
            .filter(line -> line.startsWith("by "))
            .toList();
    assertEquals(
        List.of(
            "by TurnMembershipsIntoSemiJoins: EXISTS and IN are one lookup for each row, not one"
                + " query",
            "by OrderJoinsByCost: joins are in the order that costs least by the tables'"
                + " statistics"),
        rules);
  }
}
