package io.alrai.cn.analytic;

import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.explain.AnalyticalExplain;
import java.util.ArrayList;
import java.util.List;

/** What EXPLAIN says of a SELECT over column indexes. Stateless. */
public final class AnalyticExplanation {
  /** What is asked for. */
  public enum Detail {
    /** EXPLAIN: where it goes and how it runs. */
    PLAIN,
    /** The tree behind all rewrites. */
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
      return AnalyticalExplain.of(
          examined.answer(), examined.choice(), AnalyticalExplain.Detail.valueOf(detail.name()));
    }
    List<String> lines = new ArrayList<>();
    lines.addAll(
        AnalyticalExplain.of(
            examined.answer(), examined.choice(), AnalyticalExplain.Detail.PHYSICAL));
    if (examined.answer() instanceof AnalyticalAnswer.Planned planned) {
      List<String> stores = new ArrayList<>();
      for (ScannedTables.Name name : ScannedTables.of(planned.plan())) {
        stores.add(name + " from its column index");
      }
      lines.add(1, "stores: " + String.join(", ", stores) + "; all at one snapshot");
      lines.addAll(
          2,
          AnalyticalExplain.of(examined.answer(), examined.choice(), AnalyticalExplain.Detail.COST)
              .subList(1, 3));
    }
    return lines;
  }
}
