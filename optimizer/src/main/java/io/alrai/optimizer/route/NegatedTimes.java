package io.alrai.optimizer.route;

import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ValueKind;
import io.alrai.optimizer.bind.ValueKinds;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import java.util.ArrayList;
import java.util.List;

/**
 * Dates and times with a minus before them: DOUBLE, with as many digits as the date has. A product
 * has no more for MySQL, and a UNION or a table cuts what is longer.
 */
public final class NegatedTimes {
  private NegatedTimes() {}

  /** Whether a block of a query has one in what it shows, groups by or sorts by. */
  public static boolean in(Query query, Analysis analysis) {
    boolean[] found = {false};
    for (BlockFacts facts : analysis.blocks()) {
      ValueKinds kinds = analysis.kinds(facts.scope());
      for (Expr expr : shown(query, facts.block())) {
        expr.walk(inner -> found[0] |= isNegatedTime(inner, kinds));
      }
    }
    return found[0];
  }

  private static List<Expr> shown(Query query, Query.Block block) {
    List<Expr> shown = new ArrayList<>();
    block.selection().items().forEach(item -> shown.add(item.expr()));
    block
        .grouping()
        .ifPresent(groups -> {
          groups.keys().forEach(key -> shown.add(key.expr()));
          groups.having().ifPresent(shown::add);
        });
    if (query.body() == block) {
      query.orderBy().forEach(item -> shown.add(item.expr()));
    }
    return shown;
  }

  private static boolean isNegatedTime(Expr expr, ValueKinds kinds) {
    return expr instanceof Expr.Operation operation
        && operation.symbol().equals("-")
        && operation.operands().size() == 1
        && kinds.of(operation.operands().getFirst()) == ValueKind.TEMPORAL;
  }
}
