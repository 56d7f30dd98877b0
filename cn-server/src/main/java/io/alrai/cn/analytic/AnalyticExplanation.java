package io.alrai.cn.analytic;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.executor.exchange.PlanRows;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.explain.AnalyticalExplain;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What EXPLAIN says of a SELECT over column indexes. Stateless. */
public final class AnalyticExplanation {
  /** What is asked for. */
  public enum Detail {
    /** EXPLAIN: where it goes and how it runs. */
    PLAIN,
    /** The tree after all rewrites. */
    LOGICAL,
    /** What the executor runs. */
    PHYSICAL,
    /** What it is expected to cost. */
    COST,
    /** EXPLAIN, and what it took to run it. */
    ANALYZE
  }

  private AnalyticExplanation() {}

  static List<String> of(Examined examined, Detail detail) {
    if (detail != Detail.PLAIN && detail != Detail.ANALYZE) {
      return lines(examined, AnalyticalExplain.Detail.valueOf(detail.name()));
    }
    List<String> lines = new ArrayList<>(lines(examined, AnalyticalExplain.Detail.PHYSICAL));
    if (examined.answer() instanceof AnalyticalAnswer.Planned planned) {
      Set<String> stores = new LinkedHashSet<>();
      for (PlanNode.ColumnScan scan : ScannedTables.scans(planned.plan())) {
        String store = examined.readsRows(scan) ? " from its rows" : " from its column index";
        stores.add(scan.schema() + "." + scan.table() + store);
      }
      lines.add(1, "stores: " + String.join(", ", stores) + "; all at one snapshot");
      lines.addAll(2, lines(examined, AnalyticalExplain.Detail.COST).subList(1, 3));
    }
    return lines;
  }

  /**
   * What EXPLAIN ANALYZE says of a plan that has run.
   *
   * @param took a sentence about times
   */
  static List<String> measured(HlcTimestamp at, String took, PlanRows rows) {
    return List.of(
        "snapshot: " + at,
        took,
        "rows: " + rows.rows(),
        "spilled: " + rows.spilledBytes() + " bytes to disk");
  }

  private static List<String> lines(Examined examined, AnalyticalExplain.Detail detail) {
    return AnalyticalExplain.of(examined.answer(), examined.choice(), detail, examined::readsRows);
  }
}
