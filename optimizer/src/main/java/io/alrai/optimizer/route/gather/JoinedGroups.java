package io.alrai.optimizer.route.gather;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.MergePlan.Aggregation;
import io.alrai.executor.fragment.MergePlan.Output;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.ValueKind;
import io.alrai.optimizer.route.Alternative;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.SelectList;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import io.alrai.optimizer.syntax.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Groups of joined rows, and rows that differ, which are groups by all that they show. Each value
 * that is aggregated is kept for itself: what an operator has no room for, it writes in its place.
 */
final class JoinedGroups implements JoinedResult {
  private static final Set<MysqlType> EXTREMES =
      Set.of(
          MysqlType.DECIMAL, MysqlType.DOUBLE, MysqlType.DATE, MysqlType.DATETIME, MysqlType.TIME);

  private final List<Shown> shown;
  private final List<ColumnRef> keys;
  private final List<Sorted> sorted;

  /** A column of the result. */
  private sealed interface Shown {
    /** A column whose value is equal in all rows of the group. */
    record Plain(ColumnRef column) implements Shown {}

    /** {@code COUNT(*)}. */
    record All() implements Shown {}

    /** An aggregate of a column's values. */
    record Of(String function, ColumnRef column) implements Shown {}
  }

  /** By a column of the result, or a key of the groups. */
  private record Sorted(int index, Optional<ColumnRef> column, boolean descending) {}

  private JoinedGroups(List<Shown> shown, List<ColumnRef> keys, List<Sorted> sorted) {
    this.shown = shown;
    this.keys = keys;
    this.sorted = sorted;
  }

  /** Those of a block with groups, or DISTINCT. */
  static Alternative<JoinedResult> of(
      Planning planning,
      BlockFacts facts,
      Query.Block block,
      SelectList list,
      List<OrderItem> orderBy) {
    List<Shown> shown =
        list.entries().stream().flatMap(entry -> shown(facts, entry).stream()).toList();
    if (shown.size() != list.entries().size()) {
      return new Alternative.Refused<>("a column of the result that only a mysqld can compute");
    }
    if (block.grouping().flatMap(Query.Grouping::having).isPresent()) {
      return new Alternative.Refused<>("HAVING");
    }
    if (block.grouping().map(Query.Grouping::rollup).orElse(false)) {
      return new Alternative.Refused<>("WITH ROLLUP");
    }
    Optional<List<Key>> keys = keys(planning, facts, block, list);
    if (keys.isEmpty()) {
      return new Alternative.Refused<>(
          "GROUP BY or DISTINCT of values that are no table's columns");
    }
    List<ColumnRef> groups = keys.get().stream().map(Key::column).toList();
    return Alternative.of(
        sorted(planning, facts, list, shown, groups, orderBy)
            .map(sorted -> new JoinedGroups(shown, groups, sorted)),
        "ORDER BY a value that only a mysqld can compare");
  }

  private static Optional<List<Key>> keys(
      Planning planning, BlockFacts facts, Query.Block block, SelectList list) {
    if (block.selection().distinct().isPresent()) {
      List<Key> all = new ArrayList<>();
      for (SelectList.Entry entry : list.entries()) {
        Optional<ColumnRef> column =
            entry.reference().filter(any -> entry.kinds().get() != ValueKind.OTHER);
        if (column.isEmpty()) {
          return Optional.empty();
        }
        all.add(new Key(all.size(), column.get(), false));
      }
      return Optional.of(all);
    }
    List<OrderItem> items = block.grouping().map(Query.Grouping::keys).orElse(List.of());
    return JoinedResult.keys(planning, facts, list, items, false)
        .filter(keys -> keys.size() == items.size());
  }

  private static Optional<Shown> shown(BlockFacts facts, SelectList.Entry entry) {
    if (entry.reference().isPresent()) {
      return Optional.of(new Shown.Plain(entry.reference().get()));
    }
    if (!(entry.expr().map(Expr::bare).orElse(null) instanceof Expr.Call call)
        || call.distinct()
        || call.window().isPresent()
        || call.arguments().size() != 1) {
      return Optional.empty();
    }
    Expr argument = call.arguments().getFirst().bare();
    if (argument instanceof Expr.Star) {
      return call.name().equals("COUNT") ? Optional.of(new Shown.All()) : Optional.empty();
    }
    return argument instanceof Expr.Name name
        ? facts
            .scope()
            .resolve(name)
            .filter(any -> isTaken(call.name(), facts.scope().column(name)))
            .map(column -> new Shown.Of(call.name(), column))
        : Optional.empty();
  }

  /**
   * Sums of approximate numbers depend on the order of rows, and the text of some types does not
   * say which value is least or greatest.
   */
  private static boolean isTaken(String function, Optional<Column> column) {
    MysqlType type = column.map(Column::type).orElse(MysqlType.NULL);
    return switch (function) {
      case "COUNT" -> type != MysqlType.NULL;
      case "SUM", "AVG" -> type.isInteger() || type == MysqlType.DECIMAL;
      case "MIN", "MAX" -> type.isInteger() || EXTREMES.contains(type);
      default -> false;
    };
  }

  private static Optional<List<Sorted>> sorted(
      Planning planning,
      BlockFacts facts,
      SelectList list,
      List<Shown> shown,
      List<ColumnRef> groups,
      List<OrderItem> items) {
    List<Sorted> sorted = new ArrayList<>();
    for (OrderItem item : items) {
      if (planning.literals().isParameter(item.expr())) {
        continue;
      }
      int index = list.meaning(item.expr(), true).map(SelectList.Meaning::index).orElse(-1);
      if (index >= 0 && !(shown.get(index) instanceof Shown.Plain)) {
        if (isWide(shown.get(index), facts)) {
          return Optional.empty();
        }
        sorted.add(new Sorted(index, Optional.empty(), item.descending()));
        continue;
      }
      Optional<ColumnRef> key =
          JoinedResult.keys(planning, facts, list, List.of(item), true)
              .map(keys -> keys.getFirst().column())
              .filter(groups::contains);
      if (key.isEmpty()) {
        return Optional.empty();
      }
      sorted.add(new Sorted(-1, key, item.descending()));
    }
    return Optional.of(sorted);
  }

  /** Whether it may have more digits than its operator's column says. */
  private static boolean isWide(Shown shown, BlockFacts facts) {
    return shown instanceof Shown.Of(String function, ColumnRef column)
        && function.equals("SUM")
        && facts.scope().relations().stream()
            .filter(relation -> relation.id() == column.relation())
            .flatMap(relation -> relation.output(column.column()).stream())
            .flatMap(output -> output.column().stream())
            .anyMatch(known -> known.type() == MysqlType.BIGINT);
  }

  @Override
  public void add(JoinedColumns columns) {
    for (Shown one : shown) {
      switch (one) {
        case Shown.Plain plain -> columns.add(plain.column());
        case Shown.Of of -> columns.add(of.column());
        case Shown.All _ -> {}
      }
    }
    keys.forEach(columns::add);
  }

  @Override
  public void weigh(JoinedColumns columns) {
    keys.forEach(columns::weigh);
    for (Shown one : shown) {
      switch (one) {
        case Shown.All _ -> columns.markRows();
        case Shown.Of(String function, ColumnRef column)
            when function.equals("COUNT") || function.equals("AVG") ->
            columns.markKnown(column);
        case Shown.Of _, Shown.Plain _ -> {}
      }
    }
  }

  @Override
  public Picked pick(JoinedColumns columns) {
    List<RowKey> groups = keys.stream().map(columns::pickKey).toList();
    List<Output> outputs = new ArrayList<>();
    shown.forEach(one -> outputs.add(output(one, columns)));
    List<SortKey> sort = new ArrayList<>();
    for (Sorted one : sorted) {
      RowKey key =
          one.column()
              .map(column -> hidden(columns.pickKey(column), outputs))
              .orElseGet(() -> new RowKey(one.index(), -1));
      sort.add(new SortKey(key, one.descending()));
    }
    return new Picked(shown.size(), Optional.of(new Aggregation(groups, outputs)), sort);
  }

  private static Output output(Shown one, JoinedColumns columns) {
    return switch (one) {
      case Shown.Plain plain -> new Output.Any(columns.pick(plain.column()));
      case Shown.All _ -> new Output.Count(columns.pickRows());
      case Shown.Of(String function, ColumnRef column) ->
          switch (function) {
            case "COUNT" -> new Output.Count(columns.pickKnown(column));
            case "SUM" -> new Output.Sum(columns.pick(column));
            case "AVG" -> new Output.Average(columns.pick(column), columns.pickKnown(column));
            case "MIN" -> new Output.Min(new RowKey(columns.pick(column), -1));
            case "MAX" -> new Output.Max(new RowKey(columns.pick(column), -1));
            default -> throw new IllegalArgumentException(function + " is not taken");
          };
    };
  }

  /** The key over outputs after those that the client sees. */
  private static RowKey hidden(RowKey kept, List<Output> outputs) {
    outputs.add(new Output.Any(kept.column()));
    int column = outputs.size() - 1;
    if (kept.weightColumn() < 0) {
      return new RowKey(column, -1, kept.ascii());
    }
    outputs.add(new Output.Any(kept.weightColumn()));
    return new RowKey(column, column + 1, kept.ascii());
  }
}
