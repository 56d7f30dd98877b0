package io.alrai.optimizer.lower;

import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.Aggregate;
import io.alrai.executor.fragment.PlanNode.BloomUse;
import io.alrai.executor.fragment.PlanNode.ColumnScan;
import io.alrai.executor.fragment.PlanNode.Filter;
import io.alrai.executor.fragment.PlanNode.HashJoin;
import io.alrai.executor.fragment.PlanNode.Project;
import io.alrai.executor.fragment.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Brings a bloom filter of a join's keys down to the scan that the keys of the probe side come
 * from, along probe sides, and through aggregations whose keys they are. Stateless.
 */
final class BloomFilters {
  private BloomFilters() {}

  /** The probe side with the filter at its scan; empty when the keys do not come from one scan. */
  static Optional<PlanNode> push(PlanNode probe, List<Scalar> keys, int slot) {
    return columns(keys).flatMap(columns -> at(probe, columns, slot));
  }

  private static Optional<List<Integer>> columns(List<Scalar> keys) {
    List<Integer> columns = new ArrayList<>();
    for (Scalar key : keys) {
      if (!(key instanceof Scalar.Column column)) {
        return Optional.empty();
      }
      columns.add(column.index());
    }
    return Optional.of(columns);
  }

  private static Optional<PlanNode> at(PlanNode node, List<Integer> columns, int slot) {
    return switch (node) {
      case ColumnScan scan -> {
        List<BloomUse> blooms = new ArrayList<>(scan.blooms());
        blooms.add(new BloomUse(slot, columns));
        yield Optional.of(
            new ColumnScan(
                scan.schema(),
                scan.table(),
                scan.names(),
                scan.columns(),
                scan.predicate(),
                blooms));
      }
      case Filter filter ->
          at(filter.input(), columns, slot).map(input -> new Filter(input, filter.predicate()));
      case Project project ->
          columns(columns.stream().map(project.expressions()::get).toList())
              .flatMap(below -> at(project.input(), below, slot))
              .map(input -> new Project(input, project.expressions()));
      case Aggregate aggregate -> aggregate(aggregate, columns, slot);
      case HashJoin join -> {
        int width = join.probe().columns().size();
        yield columns.stream().anyMatch(column -> column >= width)
            ? Optional.empty()
            : at(join.probe(), columns, slot)
                .map(probe ->
                    new HashJoin(
                        join.kind(),
                        probe,
                        join.build(),
                        join.probeKeys(),
                        join.buildKeys(),
                        join.residual(),
                        join.bloomSlot()));
      }
      case PlanNode.RowStoreScan _,
          PlanNode.Values _,
          PlanNode.Sort _,
          PlanNode.TopN _,
          PlanNode.Limit _,
          PlanNode.Window _,
          PlanNode.SetOperation _,
          PlanNode.Exchange _ ->
          Optional.empty();
    };
  }

  private static Optional<PlanNode> aggregate(
      Aggregate aggregate, List<Integer> columns, int slot) {
    int keys = aggregate.keys().size();
    if (aggregate.rollup() || columns.stream().anyMatch(column -> column >= keys)) {
      return Optional.empty();
    }
    return columns(columns.stream().map(aggregate.keys()::get).toList())
        .flatMap(below -> at(aggregate.input(), below, slot))
        .map(input -> new Aggregate(input, aggregate.keys(), aggregate.calls(), false));
  }
}
