package io.alrai.optimizer.api.stats;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a table's rows.
 *
 * @param rows how many, at least 1
 * @param columns by name in lower case; those that nobody looked at are missing
 */
public record TableStatistics(double rows, Map<String, ColumnStatistics> columns) {
  private static final double UNKNOWN_ROWS = 10_000;

  /** The statistics of a table that nobody has looked at. */
  public static final TableStatistics UNKNOWN = new TableStatistics(UNKNOWN_ROWS, Map.of());

  public TableStatistics {
    columns = Map.copyOf(columns);
  }

  /** What is known of a column, whatever the case of its name. */
  public Optional<ColumnStatistics> column(String name) {
    return Optional.ofNullable(columns.get(name.toLowerCase(Locale.ROOT)));
  }
}
