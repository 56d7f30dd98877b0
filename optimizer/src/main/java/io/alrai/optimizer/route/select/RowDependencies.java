package io.alrai.optimizer.route.select;

import io.alrai.executor.fragment.Plan.RowLocks;
import io.alrai.executor.fragment.RowDependency;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Recognises reads whose replies depend on rows of one table only, best by their keys. */
final class RowDependencies {
  private static final Set<String> PLAIN_CALLS =
      Set.of(
          "AVG",
          "CHAR_LENGTH",
          "COALESCE",
          "CONCAT",
          "COUNT",
          "IF",
          "IFNULL",
          "LENGTH",
          "LOWER",
          "MAX",
          "MIN",
          "NULLIF",
          "SUM",
          "UPPER");

  /** Replies to longer statements are not kept, and deep ones have no end. */
  private static final int MOST_PARTS = 1_000;

  private static final Set<String> PLAIN_LITERALS = Set.of("NULL", "TRUE", "FALSE");

  private RowDependencies() {}

  /**
   * What such a query reads; empty for any other.
   *
   * @param query analysed, the whole statement
   */
  static Optional<RowDependency> of(
      Catalog catalog, Query query, Analysis analysis, RowLocks locks) {
    if (locks != RowLocks.NONE
        || query.with().isPresent()
        || !(query.body() instanceof Query.Block block)
        || analysis.blocks().size() != 1
        || analysis.tables().size() != 1
        || analysis.systemTables()) {
      return Optional.empty();
    }
    Relation.Base base = analysis.tables().getFirst();
    return analysis
        .block(block)
        .filter(facts -> readsPlainly(facts, base.table()))
        .map(facts -> slots(facts, base))
        .map(slots ->
            new RowDependency(
                Placements.isBroadcast(base.table())
                    ? catalog.broadcastSchema(base.table()).name()
                    : "",
                base.table().name(),
                List.copyOf(slots.keySet()),
                List.copyOf(slots.values())));
  }

  private static boolean readsPlainly(BlockFacts facts, Table table) {
    return !table.temporary()
        && facts.block().from().size() == 1
        && facts.expressions().stream().allMatch(expr -> isPlain(expr, table));
  }

  /** Whether it is the same for the same row and values; a long one is not looked at. */
  private static boolean isPlain(Expr whole, Table table) {
    Deque<Expr> left = new ArrayDeque<>(List.of(whole));
    for (int seen = 0; !left.isEmpty(); seen++) {
      Expr next = left.pop();
      if (seen > MOST_PARTS || !isPlainPart(next, table)) {
        return false;
      }
      next.children().forEach(left::push);
    }
    return true;
  }

  private static boolean isPlainPart(Expr expr, Table table) {
    return switch (expr) {
      case Expr.Name name -> table.column(name.column()).isPresent();
      case Expr.Star star -> true;
      case Expr.Slot slot -> true;
      case Expr.Literal literal -> PLAIN_LITERALS.contains(literal.text().toUpperCase(Locale.ROOT));
      case Expr.Parenthesised inner -> true;
      case Expr.Row row -> true;
      case Expr.Case cases -> true;
      case Expr.InList list -> true;
      case Expr.Operation operation ->
          switch (operation.operator()) {
            case AND, OR, NOT, EQUAL, IS_NULL, PREDICATE -> true;
            case ASSIGN, ARITHMETIC, TEXT, TEMPORAL_LITERAL, INTERVAL, OTHER -> false;
          };
      case Expr.Variable variable -> false;
      case Expr.InQuery in -> false;
      case Expr.Exists exists -> false;
      case Expr.Subquery subquery -> false;
      case Expr.Call call -> call.window().isEmpty() && PLAIN_CALLS.contains(call.name());
    };
  }

  /** The slot of each key column of whole numbers that is fixed, by the column's name. */
  private static Map<String, Integer> slots(BlockFacts facts, Relation.Base base) {
    Map<String, Integer> slots = new LinkedHashMap<>();
    for (String name : base.table().primaryKey()) {
      Optional<Column> column = base.table().column(name).filter(known -> known.type().isInteger());
      column
          .flatMap(known ->
              facts.equalities().tuples(List.of(List.of(ColumnRef.of(base, known.name())))))
          .filter(tuples -> tuples.size() == 1)
          .ifPresent(tuples -> slots.put(column.get().name(), tuples.iterator().next().getFirst()));
    }
    return slots;
  }
}
