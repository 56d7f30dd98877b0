package io.alrai.optimizer.cost;

import io.alrai.optimizer.api.stats.ColumnStatistics;
import java.util.List;

/**
 * What a tree is expected to give.
 *
 * @param rows how many, at least 1
 * @param columns what is expected of each column's values
 */
public record Estimate(double rows, List<ColumnStatistics> columns) {
  /** Copies the list; less than a row counts as one. */
  public Estimate {
    rows = Math.max(1, rows);
    columns = List.copyOf(columns);
  }

  /** A copy for fewer rows. */
  public Estimate scaled(double selectivity) {
    double left = Math.max(1, rows * selectivity);
    return new Estimate(left, columns.stream().map(column -> column.atMost(left)).toList());
  }
}
