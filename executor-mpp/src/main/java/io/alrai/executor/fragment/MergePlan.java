package io.alrai.executor.fragment;

import io.alrai.common.type.AsciiWeights;
import java.util.List;
import java.util.Optional;

/**
 * How the rows of several partition groups become one result. The operators run in this order:
 * merge by {@code sort} where shards deliver sorted rows (no aggregation), else concatenate;
 * aggregate; distinct; sort the aggregated rows; limit; cut to the visible columns.
 *
 * @param shardSql runs at each place; its first {@code visibleColumns} result columns carry the
 *     client's names, hidden ones (sort keys, weight strings, counts) follow
 * @param sortedShardSql the same with a hidden-key ORDER BY for a UNION ALL over the partition
 *     groups of one DN; equal to {@code shardSql} where there is no sort
 * @param visibleColumns how many columns the client sees
 * @param shardColumns how many columns the shards give in all, or -1 for any number; another number
 *     means that the table has changed since
 * @param sort by what the rows are ordered; empty for no order
 * @param aggregation present where groups cross shards
 * @param distinct columns that must differ; empty for no DISTINCT
 * @param limit present where the statement has LIMIT
 */
public record MergePlan(
    SqlTemplate shardSql,
    SqlTemplate sortedShardSql,
    int visibleColumns,
    int shardColumns,
    List<SortKey> sort,
    Optional<Aggregation> aggregation,
    List<RowKey> distinct,
    Optional<Limit> limit) {
  public MergePlan {
    sort = List.copyOf(sort);
    distinct = List.copyOf(distinct);
  }

  /** A copy with another div_precision_increment. */
  public MergePlan withDivisionDigits(int digits) {
    Optional<Aggregation> other = aggregation.map(known -> known.withDivisionDigits(digits));
    return new MergePlan(
        shardSql, sortedShardSql, visibleColumns, shardColumns, sort, other, distinct, limit);
  }

  /**
   * A column that is compared. Strings compare by their WEIGHT_STRING column; other types by value,
   * also where the planner did not know that they are no strings.
   *
   * @param column index in the shard's row
   * @param weightColumn index of WEIGHT_STRING of the same value, or -1 where the type needs none
   * @param ascii where present, the weight column is NULL for a value that has ASCII characters
   *     only, whose weights are these
   */
  public record RowKey(int column, int weightColumn, Optional<AsciiWeights> ascii) {
    /** A key whose weights are all in the weight column. */
    public RowKey(int column, int weightColumn) {
      this(column, weightColumn, Optional.empty());
    }
  }

  /** A key with a direction; NULLs come first ascending, last descending. */
  public record SortKey(RowKey key, boolean descending) {}

  /**
   * Groups that are put together from partial groups.
   *
   * @param groupBy keys of a group; empty for one group over all
   * @param outputs how each visible column comes to be, then the hidden ones that sorting needs
   */
  public record Aggregation(List<RowKey> groupBy, List<Output> outputs) {
    public Aggregation {
      groupBy = List.copyOf(groupBy);
      outputs = List.copyOf(outputs);
    }

    Aggregation withDivisionDigits(int digits) {
      return new Aggregation(
          groupBy,
          outputs.stream()
              .map(output ->
                  output instanceof Output.Average average
                      ? new Output.Average(average.sumColumn(), average.countColumn(), digits)
                      : output)
              .toList());
    }
  }

  /** A column of an aggregated row, made of columns of the partial rows. */
  public sealed interface Output {
    /** The value of any row of the group: group keys and what depends on them. */
    record Any(int column) implements Output {}

    /** The sum of partial COUNTs; 0 for no rows. */
    record Count(int column) implements Output {}

    /** The sum of partial SUMs; NULL for no non-NULL value. */
    record Sum(int column) implements Output {}

    /** The least value. */
    record Min(RowKey key) implements Output {}

    /** The greatest value. */
    record Max(RowKey key) implements Output {}

    /**
     * Sum divided by count.
     *
     * @param divisionDigits div_precision_increment: what the scale has more than the sum's
     */
    record Average(int sumColumn, int countColumn, int divisionDigits) implements Output {
      private static final int DEFAULT_DIGITS = 4;

      /** With MySQL's default of div_precision_increment. */
      public Average(int sumColumn, int countColumn) {
        this(sumColumn, countColumn, DEFAULT_DIGITS);
      }
    }
  }

  /**
   * LIMIT: each number is a slot, or a constant where the slot is -1.
   *
   * @param offsetSlot slot of the offset, or -1
   * @param offset used when {@code offsetSlot} is -1
   * @param countSlot slot of the row count, or -1
   * @param count used when {@code countSlot} is -1
   */
  public record Limit(int offsetSlot, long offset, int countSlot, long count) {}
}
