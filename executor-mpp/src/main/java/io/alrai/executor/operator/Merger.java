package io.alrai.executor.operator;

import io.alrai.executor.fragment.JoinPlan;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.SlotValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds the chain of operators that makes one result of the shards' rows. The keys of {@link
 * MergePlan#sort} and {@link MergePlan#distinct} index the shard's row; where the plan aggregates
 * they index the aggregated row, that is its outputs. Strings of a PAD SPACE collation need weights
 * of padded or trimmed values.
 */
public final class Merger {
  private final OperatorBudget budget;

  /** A merger whose operators each stay within the budget. */
  public Merger(OperatorBudget budget) {
    this.budget = budget;
  }

  /**
   * The statement's rows. Closing the result closes the shards' sources, all of them, also after an
   * error.
   *
   * @param plan what to do
   * @param slots give LIMIT's numbers
   * @param shards one or more; each in the plan's order where the plan sorts without aggregation
   */
  public RowSource merge(MergePlan plan, SlotValues slots, List<RowSource> shards) {
    return mergePlanned(plan, slots, asPlanned(plan, shards));
  }

  private static List<RowSource> asPlanned(MergePlan plan, List<RowSource> shards) {
    return plan.shardColumns() < 0
        ? shards
        : shards.stream()
            .<RowSource>map(rows -> new PlannedColumns(rows, plan.shardColumns()))
            .toList();
  }

  private RowSource mergePlanned(MergePlan plan, SlotValues slots, List<RowSource> shards) {
    boolean ordered = !plan.sort().isEmpty();
    boolean aggregated = plan.aggregation().isPresent();
    RowSource rows =
        ordered && !aggregated && shards.size() > 1
            ? new MergeSort(shards, plan.sort())
            : concat(shards);
    if (aggregated) {
      rows = new Aggregate(rows, plan.aggregation().get(), budget);
    }
    if (!plan.distinct().isEmpty()) {
      rows = new Distinct(rows, plan.distinct(), aggregated ? List.of() : plan.sort(), budget);
    }
    if (ordered && aggregated) {
      rows = new Sort(rows, plan.sort(), budget);
    }
    return cut(rows, plan.limit(), plan.visibleColumns(), slots);
  }

  /**
   * Joined rows.
   *
   * @param members the rows of each of the plan's
   * @param check run for each row; ends the join by what it throws
   */
  public RowSource join(JoinPlan plan, SlotValues slots, List<HeldRows> members, Runnable check) {
    RowSource rows = members.getFirst().all();
    for (int i = 1; i < members.size(); i++) {
      rows = new RowJoin(rows, plan.members().get(i), members.get(i), check);
    }
    rows = new PickedColumns(rows, plan.missing(), plan.picked());
    if (plan.aggregation().isPresent()) {
      rows = new Aggregate(rows, plan.aggregation().get(), budget);
    }
    if (!plan.sort().isEmpty()) {
      rows = new Sort(rows, plan.sort(), budget);
    }
    return cut(rows, plan.limit(), plan.visibleColumns(), slots);
  }

  private static RowSource cut(
      RowSource all, Optional<MergePlan.Limit> limit, int visible, SlotValues slots) {
    RowSource rows = all;
    if (limit.isPresent()) {
      MergePlan.Limit found = limit.get();
      rows =
          new Limit(
              rows,
              number(found.offsetSlot(), found.offset(), slots),
              number(found.countSlot(), found.count(), slots));
    }
    return rows.columns().size() > visible ? new CutColumns(rows, visible) : rows;
  }

  private static RowSource concat(List<RowSource> shards) {
    return shards.size() == 1 ? shards.getFirst() : new Concat(new ArrayList<>(shards));
  }

  /** A count beyond 63 bits is as good as no limit. */
  private static long number(int slot, long constant, SlotValues slots) {
    if (slot < 0) {
      return constant < 0 ? Long.MAX_VALUE : constant;
    }
    if (slots.kind(slot) == SlotValues.Kind.INTEGER) {
      return slots.fitsLong(slot) ? slots.longValue(slot) : Long.MAX_VALUE;
    }
    byte[] digits = slots.bytes(slot);
    return KeyEncoder.integer(digits, 0, digits.length);
  }
}
