package io.alrai.executor.fragment;

import io.alrai.common.type.MysqlType;
import java.util.List;

/**
 * An analytical statement: what the executor runs over column indexes and shards at one snapshot.
 *
 * @param root delivers the result; its columns are {@code output}
 * @param output how the client sees the columns
 * @param subqueries uncorrelated scalar subqueries, each of one column; one may refer to those
 *     before it. They run before {@code root}
 * @param bloomSlots how many bloom filters the plan has
 */
public record AnalyticPlan(
    PlanNode root, List<OutputColumn> output, List<PlanNode> subqueries, int bloomSlots) {
  public AnalyticPlan {
    output = List.copyOf(output);
    subqueries = List.copyOf(subqueries);
    if (root.columns().size() != output.size()) {
      throw new IllegalArgumentException(
          root.columns().size() + " columns, " + output.size() + " named");
    }
  }

  /** A column of the result: its label and the protocol's type. */
  public record OutputColumn(String label, MysqlType type) {}
}
