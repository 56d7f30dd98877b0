package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlShards;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the places of a table answered to ALTER TABLE, added up. Thread-safe. */
final class AlteredRows {
  private final Map<Place, Long> rows = new LinkedHashMap<>();
  private final Set<SqlWarning> warnings = new LinkedHashSet<>();

  synchronized void add(Place place, DdlShards.Executed executed) {
    rows.merge(place, executed.affectedRows(), Math::max);
    warnings.addAll(executed.warnings());
  }

  synchronized void warnings(List<SqlWarning> more) {
    warnings.addAll(more);
  }

  /**
   * The client's answer.
   *
   * @param places all places; the copies of a broadcast table have one schema name and count once
   */
  synchronized DdlOutcome outcome(List<Place> places) {
    Map<String, Long> bySchema = new LinkedHashMap<>();
    for (Place place : places) {
      bySchema.merge(place.schema(), rows.getOrDefault(place, 0L), Math::max);
    }
    long sum = bySchema.values().stream().mapToLong(Long::longValue).sum();
    return DdlOutcome.altered(sum, List.copyOf(warnings));
  }
}
