package io.alrai.optimizer.logical;

import com.google.common.collect.ImmutableSet;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import io.alrai.optimizer.syntax.Query;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/** One SELECT with the ORDER BY and LIMIT after it. One thread. */
final class BlockBinder {
  private final BindContext context;
  private final QueryBinder queries;
  private final Optional<Scope> outer;
  private final QueryUse use;

  BlockBinder(BindContext context, QueryBinder queries, Optional<Scope> outer, QueryUse use) {
    this.use = use;
    this.context = context;
    this.queries = queries;
    this.outer = outer;
  }

  /**
   * The columns of a block and what sorts its rows.
   *
   * @param rows before the list is computed
   * @param columns over {@code rows}: the items, then the sort keys that are none of them
   * @param keys indexes in {@code columns}
   * @param digits which columns of {@code rows} have more of them than their types
   */
  private record Listed(
      RelNode rows, List<RexNode> columns, List<RelFieldCollation> keys, FreeDigits digits) {}

  BoundQuery bind(Query.Block block, List<OrderItem> order, Optional<Query.Limit> limit) {
    refuse(block);
    Scope scope = new FromBinder(context, queries, outer).bind(block.from());
    ExpressionBinder rows = new ExpressionBinder(context, scope, queries);
    RelNode input = where(block, scope, rows);
    SelectList list = SelectList.of(block.selection().items(), scope, context);
    int width = list.items().size();
    Listed listed =
        fitted(
            isGrouped(block, list, order)
                ? grouped(block, list, order, input, rows)
                : plain(list, order, input, rows),
            width);
    if (block.selection().distinct().isPresent() && listed.columns().size() > width) {
      throw new NotCovered("DISTINCT ordered by what is not in the list");
    }
    boolean asks =
        listed.columns().stream().anyMatch(node -> RexUtil.SubQueryFinder.find(node) != null);
    Set<CorrelationId> used = asks && scope.correlated() ? Set.of(scope.id()) : Set.of();
    RelNode result =
        LogicalProject.create(
            listed.rows(),
            List.of(),
            listed.columns(),
            GroupBinder.names(listed.columns().size()),
            used);
    if (block.selection().distinct().isPresent()) {
      result =
          LogicalAggregate.create(result, List.of(), ImmutableBitSet.range(width), null, List.of());
    }
    return new BoundQuery(
        sorted(result, listed.keys(), limit, width),
        list.items().stream().map(SelectList.Item::name).toList());
  }

  /** Columns get the digits of their types; what sorts rows keeps those that it has. */
  private Listed fitted(Listed listed, int width) {
    List<RexNode> columns = new ArrayList<>(listed.columns());
    List<RelFieldCollation> keys = new ArrayList<>();
    for (RelFieldCollation key : listed.keys()) {
      RexNode value = listed.columns().get(key.getFieldIndex());
      boolean free = listed.digits().in(value);
      if (free && key != listed.keys().getLast()) {
        // those that are equal in their first digits are sorted by the next key
        throw new NotCovered("an order by an average and more");
      }
      keys.add(free && key.getFieldIndex() < width ? key.withFieldIndex(columns.size()) : key);
      if (free && key.getFieldIndex() < width) {
        columns.add(value);
      }
    }
    Coverage coverage = new Coverage(context.expressions());
    for (int i = 0; i < width; i++) {
      coverage.checkColumn(columns.get(i));
      columns.set(i, listed.digits().fitted(columns.get(i), use));
    }
    return new Listed(listed.rows(), columns, keys, listed.digits());
  }

  private static void refuse(Query.Block block) {
    if (!block.windows().isEmpty() || block.qualify().isPresent()) {
      throw new NotCovered("a window");
    }
    if (block.selection().calcFoundRows().isPresent()) {
      throw new NotCovered("SQL_CALC_FOUND_ROWS");
    }
    if (block.grouping().isPresent() && block.grouping().get().rollup()) {
      throw new NotCovered("ROLLUP");
    }
  }

  private RelNode where(Query.Block block, Scope scope, ExpressionBinder rows) {
    if (block.where().isEmpty()) {
      return scope.rows();
    }
    RexNode condition = rows.condition(block.where().get());
    return LogicalFilter.create(
        scope.rows(),
        context.expressions().and(List.of(condition)),
        scope.correlated() ? ImmutableSet.of(scope.id()) : ImmutableSet.of());
  }

  private static boolean isGrouped(Query.Block block, SelectList list, List<OrderItem> order) {
    boolean aggregates =
        list.items().stream().anyMatch(item -> GroupBinder.hasAggregate(item.expr()))
            || order.stream().anyMatch(item -> GroupBinder.hasAggregate(item.expr()))
            || block
                .grouping()
                .flatMap(Query.Grouping::having)
                .filter(GroupBinder::hasAggregate)
                .isPresent();
    if (block.grouping().isPresent() && block.grouping().get().keys().isEmpty() && !aggregates) {
      throw new NotCovered("HAVING without groups");
    }
    return block.grouping().isPresent() || aggregates;
  }

  private Listed plain(
      SelectList list, List<OrderItem> order, RelNode input, ExpressionBinder rows) {
    List<RexNode> columns = new ArrayList<>();
    list.items().forEach(item -> columns.add(rows.bind(item.expr())));
    FreeDigits digits = new FreeDigits(context.expressions(), index -> false);
    return new Listed(input, columns, keys(list, order, columns, rows), digits);
  }

  private Listed grouped(
      Query.Block block,
      SelectList list,
      List<OrderItem> order,
      RelNode input,
      ExpressionBinder rows) {
    List<RexNode> keys = new ArrayList<>();
    block
        .grouping()
        .ifPresent(grouping ->
            grouping
                .keys()
                .forEach(item -> {
                  RexNode key = rows.bind(key(item.expr(), list, rows.scope()));
                  if (!keys.contains(key)) {
                    keys.add(key);
                  }
                }));
    rows.scope().group();
    GroupBinder groups = new GroupBinder(context, queries, rows, list, keys);
    List<RexNode> columns = new ArrayList<>();
    list.items().forEach(item -> columns.add(groups.column(item.expr())));
    Optional<RexNode> having =
        block.grouping().flatMap(Query.Grouping::having).map(groups::condition);
    List<RelFieldCollation> sort = keys(list, order, columns, groups);
    RelNode aggregation = groups.aggregation(input);
    RelNode filtered =
        having.isPresent()
            ? LogicalFilter.create(aggregation, context.expressions().and(List.of(having.get())))
            : aggregation;
    return new Listed(filtered, columns, sort, groups.digits());
  }

  /** In GROUP BY a column goes before an alias of the same name. */
  private static Expr key(Expr expr, SelectList list, Scope scope) {
    Optional<Integer> item = list.position(expr);
    if (item.isEmpty() && expr.bare() instanceof Expr.Name name && scope.own(name).isEmpty()) {
      item = list.alias(expr);
    }
    Expr key = item.map(index -> list.items().get(index).expr()).orElse(expr);
    if (key.bare() instanceof Expr.Slot || key.bare() instanceof Expr.Literal) {
      throw new NotCovered("groups by a constant");
    }
    return key;
  }

  /** In ORDER BY an alias goes before a column of the same name. */
  private static List<RelFieldCollation> keys(
      SelectList list, List<OrderItem> order, List<RexNode> columns, ExpressionBinder binder) {
    List<RelFieldCollation> keys = new ArrayList<>();
    for (OrderItem item : order) {
      int index =
          list.position(item.expr())
              .or(() -> list.alias(item.expr()))
              .orElseGet(() -> column(columns, binder.bind(item.expr())));
      if (keys.stream().anyMatch(key -> key.getFieldIndex() == index)) {
        continue;
      }
      keys.add(
          item.descending()
              ? new RelFieldCollation(
                  index,
                  RelFieldCollation.Direction.DESCENDING,
                  RelFieldCollation.NullDirection.LAST)
              : new RelFieldCollation(
                  index,
                  RelFieldCollation.Direction.ASCENDING,
                  RelFieldCollation.NullDirection.FIRST));
    }
    return keys;
  }

  private static int column(List<RexNode> columns, RexNode key) {
    int at = columns.indexOf(key);
    if (at < 0) {
      at = columns.size();
      columns.add(key);
    }
    return at;
  }

  private RelNode sorted(
      RelNode rows, List<RelFieldCollation> keys, Optional<Query.Limit> limit, int width) {
    if (keys.isEmpty() && limit.isEmpty()) {
      return rows;
    }
    RelNode sorted =
        LogicalSort.create(
            rows,
            RelCollations.of(keys),
            limit.flatMap(Query.Limit::offset).map(this::number).orElse(null),
            limit.map(found -> number(found.count())).orElse(null));
    if (rows.getRowType().getFieldCount() == width) {
      return sorted;
    }
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(Expressions.column(sorted.getRowType(), i));
    }
    return LogicalProject.create(sorted, List.of(), columns, GroupBinder.names(width), Set.of());
  }

  private RexNode number(Expr expr) {
    SlotValues values = context.values();
    if (expr.bare() instanceof Expr.Slot slot
        && values.kind(slot.index()) == SlotValues.Kind.INTEGER
        && values.fitsLong(slot.index())) {
      return context.expressions().whole(values.longValue(slot.index()));
    }
    if (expr.bare() instanceof Expr.Literal literal && literal.text().matches("[0-9]{1,18}")) {
      return context.expressions().whole(new BigDecimal(literal.text()).longValueExact());
    }
    throw new NotCovered("a LIMIT that is no whole number");
  }
}
