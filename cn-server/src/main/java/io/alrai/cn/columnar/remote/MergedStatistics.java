package io.alrai.cn.columnar.remote;

import io.alrai.optimizer.api.stats.ColumnStatistics;
import io.alrai.optimizer.api.stats.TableStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Statistics of a table from those of its parts. Stateless. */
final class MergedStatistics {
  private MergedStatistics() {}

  static TableStatistics of(List<TableStatistics> parts) {
    return parts.stream().reduce(MergedStatistics::both).orElse(TableStatistics.UNKNOWN);
  }

  private static TableStatistics both(TableStatistics one, TableStatistics other) {
    Map<String, ColumnStatistics> columns = new HashMap<>();
    Set<String> names = new HashSet<>(one.columns().keySet());
    names.retainAll(other.columns().keySet());
    for (String name : names) {
      columns.put(name, both(one.column(name).orElseThrow(), other.column(name).orElseThrow()));
    }
    return new TableStatistics(one.rows() + other.rows(), columns);
  }

  /**
   * Rows are apart by their key, so values of numbers may be, as far as there is room for them in
   * the range; the words of a text are mostly the same ones everywhere.
   */
  private static ColumnStatistics both(ColumnStatistics one, ColumnStatistics other) {
    double most = Math.max(one.distinct(), other.distinct());
    double nulls = Math.max(one.nullFraction(), other.nullFraction());
    if (one.range().isEmpty() || other.range().isEmpty()) {
      return new ColumnStatistics(most, nulls, Optional.empty(), Optional.empty());
    }
    double low = Math.min(one.range().get().low(), other.range().get().low());
    double high = Math.max(one.range().get().high(), other.range().get().high());
    return new ColumnStatistics(
        Math.min(one.distinct() + other.distinct(), Math.max(most, high - low + 1)),
        nulls,
        Optional.of(new ColumnStatistics.Range(low, high)),
        Optional.empty());
  }
}
