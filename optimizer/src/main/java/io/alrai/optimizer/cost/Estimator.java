package io.alrai.optimizer.cost;

import io.alrai.optimizer.api.stats.ColumnStatistics;
import io.alrai.optimizer.api.stats.TableStatistics;
import io.alrai.optimizer.logical.CatalogTable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * How many rows trees give, by the statistics of their tables. One thread; remembers its answers.
 */
public final class Estimator {
  private static final double DISTINCT_OF_ROWS = 0.1;
  private static final double HALF = 0.5;

  private final Map<RelNode, Estimate> known = new IdentityHashMap<>();

  /** What a tree gives. */
  public Estimate of(RelNode node) {
    Estimate found = known.get(node);
    if (found == null) {
      found = estimate(node);
      known.put(node, found);
    }
    return found;
  }

  /** The part of rows of such columns that a condition lets through. */
  public double selectivity(List<ColumnStatistics> columns, RexNode condition) {
    return new Selectivity(columns).of(condition);
  }

  private Estimate estimate(RelNode node) {
    return switch (node) {
      case TableScan scan -> scan(scan);
      case Filter filter -> {
        Estimate input = of(filter.getInput());
        yield input.scaled(new Selectivity(input.columns()).of(filter.getCondition()));
      }
      case Project project -> project(project);
      case Join join -> join(join);
      case Aggregate aggregate -> aggregate(aggregate);
      case Sort sort -> {
        Estimate input = of(sort.getInput());
        yield limited(input, Optional.ofNullable(sort.fetch));
      }
      default -> {
        double rows = 1;
        for (RelNode input : node.getInputs()) {
          rows += of(input).rows();
        }
        yield new Estimate(rows, unknown(node, rows));
      }
    };
  }

  private static Estimate limited(Estimate input, Optional<RexNode> fetch) {
    if (fetch.isPresent()
        && fetch.get() instanceof RexLiteral literal
        && literal.getValueAs(BigDecimal.class) instanceof BigDecimal most) {
      return input.scaled(Math.min(1, most.doubleValue() / input.rows()));
    }
    return input;
  }

  private static Estimate scan(TableScan scan) {
    TableStatistics statistics = CatalogTable.of(scan).statistics();
    List<ColumnStatistics> columns = new ArrayList<>();
    for (RelDataTypeField field : scan.getRowType().getFieldList()) {
      columns.add(
          statistics
              .column(field.getName())
              .orElseGet(() -> ColumnStatistics.ofDistinct(guess(statistics.rows()))));
    }
    return new Estimate(statistics.rows(), columns);
  }

  private static double guess(double rows) {
    return Math.max(1, rows * DISTINCT_OF_ROWS);
  }

  private static List<ColumnStatistics> unknown(RelNode node, double rows) {
    return node.getRowType().getFieldList().stream()
        .map(field -> ColumnStatistics.ofDistinct(guess(rows)))
        .toList();
  }

  private Estimate project(Project project) {
    Estimate input = of(project.getInput());
    List<ColumnStatistics> columns = new ArrayList<>();
    for (RexNode node : project.getProjects()) {
      columns.add(
          node instanceof RexInputRef ref
              ? input.columns().get(ref.getIndex())
              : ColumnStatistics.ofDistinct(node instanceof RexLiteral ? 1 : guess(input.rows())));
    }
    return new Estimate(input.rows(), columns);
  }

  private Estimate join(Join join) {
    Estimate left = of(join.getLeft());
    Estimate right = of(join.getRight());
    List<ColumnStatistics> both = new ArrayList<>(left.columns());
    both.addAll(right.columns());
    double matches = left.rows() * right.rows() * new Selectivity(both).of(join.getCondition());
    JoinRelType type = join.getJoinType();
    if (type == JoinRelType.SEMI || type == JoinRelType.ANTI) {
      double part = Math.min(1, matches / left.rows());
      double kept = type == JoinRelType.SEMI ? part : Math.max(1 - part, DISTINCT_OF_ROWS);
      return left.scaled(part >= 1 ? HALF : kept);
    }
    double rows = type == JoinRelType.LEFT ? Math.max(matches, left.rows()) : matches;
    double known = Math.max(1, rows);
    return new Estimate(known, both.stream().map(column -> column.atMost(known)).toList());
  }

  private Estimate aggregate(Aggregate aggregate) {
    Estimate input = of(aggregate.getInput());
    double groups = 1;
    List<ColumnStatistics> columns = new ArrayList<>();
    for (int key : aggregate.getGroupSet()) {
      ColumnStatistics column = input.columns().get(key);
      groups *= column.distinct();
      columns.add(column);
    }
    double rows = Math.max(1, Math.min(groups, input.rows()));
    aggregate
        .getAggCallList()
        .forEach(call -> columns.add(ColumnStatistics.ofDistinct(guess(rows))));
    return new Estimate(rows, columns);
  }
}
