package io.alrai.optimizer.route.gather;

import io.alrai.executor.fragment.MergePlan.Aggregation;
import io.alrai.executor.fragment.MergePlan.SortKey;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Functions;
import io.alrai.optimizer.route.Alternative;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.RowColumns.Comparison;
import io.alrai.optimizer.route.SelectList;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import io.alrai.optimizer.syntax.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is made of joined rows. Told of in this order: columns, weights, picks. */
interface JoinedResult {
  /** Adds the columns that it needs. */
  void add(JoinedColumns columns);

  /** Has those weighed, or marked, that must be. */
  void weigh(JoinedColumns columns);

  /** Has those kept that it needs, which have their places now. */
  Picked pick(JoinedColumns columns);

  /**
   * What is done with the columns that are kept.
   *
   * @param visible how many columns the client sees
   */
  record Picked(int visible, Optional<Aggregation> aggregation, List<SortKey> sort) {}

  /**
   * A column of a table by which rows are sorted or distinguished.
   *
   * @param index of the result's column that it is; -1 for none
   */
  record Key(int index, ColumnRef column, boolean descending) {}

  /** What a block shows, if that is columns, or aggregates of columns, and nothing else. */
  static Alternative<JoinedResult> of(
      Planning planning,
      BlockFacts facts,
      Query.Block block,
      SelectList list,
      List<OrderItem> orderBy) {
    boolean groups =
        block.grouping().isPresent()
            || list.entries().stream()
                .anyMatch(entry ->
                    entry.expr().map(expr -> Functions.isAggregate(expr.bare())).orElse(false));
    boolean dedupes = block.selection().distinct().isPresent();
    if (groups && dedupes) {
      return new Alternative.Refused<>("DISTINCT over groups");
    }
    return groups || dedupes
        ? JoinedGroups.of(planning, facts, block, list, orderBy)
        : JoinedRows.of(planning, facts, list, orderBy);
  }

  /** Items of ORDER BY or GROUP BY that are columns; empty where one is something else. */
  static Optional<List<Key>> keys(
      Planning planning,
      BlockFacts facts,
      SelectList list,
      List<OrderItem> items,
      boolean aliasesFirst) {
    List<Key> keys = new ArrayList<>();
    for (OrderItem item : items) {
      if (!planning.literals().isParameter(item.expr())) {
        Optional<Key> key = key(facts, list, item, aliasesFirst);
        if (key.isEmpty()) {
          return Optional.empty();
        }
        keys.add(key.get());
      }
    }
    return Optional.of(keys);
  }

  private static Optional<Key> key(
      BlockFacts facts, SelectList list, OrderItem item, boolean aliasesFirst) {
    Optional<SelectList.Meaning> meaning =
        list.meaning(item.expr(), aliasesFirst).filter(one -> one.comparison() != Comparison.NONE);
    if (meaning.isEmpty()) {
      return Optional.empty();
    }
    int index = meaning.get().index();
    Optional<ColumnRef> column =
        index >= 0
            ? list.entries().get(index).reference()
            : item.expr().bare() instanceof Expr.Name name
                ? facts.scope().resolve(name)
                : Optional.empty();
    return column.map(found -> new Key(index, found, item.descending()));
  }

  /** Rows as they are. */
  record JoinedRows(List<ColumnRef> shown, List<Key> sorted) implements JoinedResult {
    private static Alternative<JoinedResult> of(
        Planning planning, BlockFacts facts, SelectList list, List<OrderItem> orderBy) {
      List<ColumnRef> shown =
          list.entries().stream().flatMap(entry -> entry.reference().stream()).toList();
      if (shown.size() != list.entries().size()) {
        return new Alternative.Refused<>("a column of the result that is no table's");
      }
      return Alternative.of(
          keys(planning, facts, list, orderBy, true).map(keys -> new JoinedRows(shown, keys)),
          "ORDER BY a value that only a mysqld can compare");
    }

    @Override
    public void add(JoinedColumns columns) {
      shown.forEach(columns::add);
      sorted.forEach(key -> columns.add(key.column()));
    }

    @Override
    public void weigh(JoinedColumns columns) {
      sorted.forEach(key -> columns.weigh(key.column()));
    }

    @Override
    public Picked pick(JoinedColumns columns) {
      shown.forEach(columns::pick);
      List<SortKey> sort =
          sorted.stream()
              .map(key -> new SortKey(columns.pickKey(key.column()), key.descending()))
              .toList();
      return new Picked(shown.size(), Optional.empty(), sort);
    }
  }
}
