package io.alrai.cn.analytic;

import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.stats.ColumnStatistics;
import io.alrai.optimizer.api.stats.StatisticsSource;
import io.alrai.optimizer.api.stats.TableStatistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds the statements that the row store answers out of its keys: each of their tables is asked
 * for few rows whose primary or unique key, or the first columns of it, are given. Stateless.
 */
final class PointReads {
  /** Up to how many rows are few. */
  static final double FEW = 1_000;

  private PointReads() {}

  /** Whether a plan's tables are all asked for few rows by their keys. */
  static boolean is(AnalyticPlan plan, Catalog catalog, StatisticsSource statistics) {
    double all = 0;
    for (PlanNode.ColumnScan scan : ScannedTables.scans(plan)) {
      all +=
          catalog
              .table(scan.schema(), scan.table())
              .map(table -> rows(scan, table, statistics.of(table)))
              .orElse(Double.MAX_VALUE);
    }
    return all <= FEW;
  }

  private static double rows(PlanNode.ColumnScan scan, Table table, TableStatistics known) {
    Map<String, Integer> given = new HashMap<>();
    scan.predicate().ifPresent(predicate -> collect(predicate, scan.names(), given));
    List<List<String>> keys = new ArrayList<>(table.uniqueKeys());
    keys.add(table.primaryKey());
    double least = Double.MAX_VALUE;
    for (List<String> key : keys) {
      least = Math.min(least, rows(key, given, known));
    }
    return least;
  }

  /** Rows of a key's given first columns; too many to count where there are none. */
  private static double rows(List<String> key, Map<String, Integer> given, TableStatistics known) {
    double rows = known.rows();
    double values = 1;
    int found = 0;
    for (String column : key) {
      Integer count = given.get(column.toLowerCase(Locale.ROOT));
      if (count == null) {
        break;
      }
      found++;
      values *= count;
      rows /= known.column(column).map(ColumnStatistics::distinct).orElse(1.0);
    }
    if (found == 0) {
      return Double.MAX_VALUE;
    }
    return found == key.size() ? values : Math.max(1, rows) * values;
  }

  /** The columns that are compared with known values: with how many. */
  private static void collect(Scalar condition, List<String> names, Map<String, Integer> given) {
    switch (condition) {
      case Scalar.Call call when call.function() == ScalarFunction.AND ->
          call.arguments().forEach(part -> collect(part, names, given));
      case Scalar.Call call when call.function() == ScalarFunction.EQUAL -> {
        equality(call.arguments().get(0), call.arguments().get(1), names, given);
        equality(call.arguments().get(1), call.arguments().get(0), names, given);
      }
      case Scalar.InList(Scalar.Column column, List<Scalar> values, var type) ->
          given.put(names.get(column.index()).toLowerCase(Locale.ROOT), values.size());
      case Scalar.Call _,
          Scalar.Case _,
          Scalar.Cast _,
          Scalar.InList _,
          Scalar.Like _,
          Scalar.Extract _,
          Scalar.DateAdd _,
          Scalar.Leaf _ -> {
        // says nothing of keys
      }
    }
  }

  private static void equality(
      Scalar one, Scalar other, List<String> names, Map<String, Integer> given) {
    boolean known = other instanceof Scalar.Literal || other instanceof Scalar.Parameter;
    if (one instanceof Scalar.Column column && known) {
      given.put(names.get(column.index()).toLowerCase(Locale.ROOT), 1);
    }
  }
}
