package io.alrai.executor.fragment;

import io.alrai.executor.fragment.MergePlan.Aggregation;
import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import java.util.List;
import java.util.Optional;

/**
 * How a CN joins rows that it holds, where they are few: tables that are joined by equal columns. A
 * joined row has the columns of all members one after the other.
 *
 * @param members the tables in the order in which they are joined
 * @param missing columns of the joined row that must be NULL
 * @param picked columns of the joined row that are kept, the client's first, then what sorting
 *     needs
 * @param visibleColumns how many of them the client sees
 * @param sort keys over the kept columns; empty for no order
 * @param limit present where the statement has LIMIT
 */
public record JoinPlan(
    List<Member> members,
    List<Integer> missing,
    List<Integer> picked,
    int visibleColumns,
    Optional<Aggregation> aggregation,
    List<SortKey> sort,
    Optional<Limit> limit) {
  public JoinPlan {
    members = List.copyOf(members);
    missing = List.copyOf(missing);
    picked = List.copyOf(picked);
    sort = List.copyOf(sort);
  }

  /** A copy with another div_precision_increment. */
  public JoinPlan withDivisionDigits(int digits) {
    return new JoinPlan(
        members,
        missing,
        picked,
        visibleColumns,
        aggregation.map(known -> known.withDivisionDigits(digits)),
        sort,
        limit);
  }

  /**
   * A table.
   *
   * @param source its rows as the client sees their values, with hidden columns after
   * @param width how many columns they have
   * @param outer whether a row before it without a partner stays, beside NULLs
   * @param keys what must be equal; none for all pairs
   */
  public record Member(GatherPlan.Source source, int width, boolean outer, List<KeyPair> keys) {
    public Member {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Two columns of one family of types.
   *
   * @param own over the member's row
   * @param before over the joined row of the members before it
   */
  public record KeyPair(RowKey own, RowKey before) {}
}
