package io.alrai.optimizer.api.stats;

import io.alrai.gms.api.Table;

/** Gives what is known of tables; any thread, without waiting. */
public interface StatisticsSource {
  /** Nothing is known of any table. */
  StatisticsSource NONE = table -> TableStatistics.UNKNOWN;

  /** What is known now; {@link TableStatistics#UNKNOWN} of a table that nobody looked at. */
  TableStatistics of(Table table);
}
