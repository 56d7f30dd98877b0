package io.alrai.optimizer.route;

import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import java.util.Optional;

/** LIMIT as numbers or slots. */
public final class RowLimit {
  private RowLimit() {}

  /** The limit, or none where it is something else than numbers and slots. */
  public static Optional<Limit> of(Query.Limit limit) {
    Optional<long[]> count = number(limit.count());
    Optional<long[]> offset =
        limit.offset().isPresent() ? number(limit.offset().get()) : Optional.of(new long[] {-1, 0});
    if (count.isEmpty() || offset.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Limit((int) offset.get()[0], offset.get()[1], (int) count.get()[0], count.get()[1]));
  }

  private static Optional<long[]> number(Expr expr) {
    if (expr.bare() instanceof Expr.Slot slot) {
      return Optional.of(new long[] {slot.index(), 0});
    }
    if (expr.bare() instanceof Expr.Literal literal && literal.text().matches("[0-9]{1,18}")) {
      return Optional.of(new long[] {-1, Long.parseLong(literal.text())});
    }
    return Optional.empty();
  }

  /** Appends what each shard must give: the rows before the offset too. */
  public static void append(SqlBuilder sql, Limit limit) {
    boolean slots = limit.offsetSlot() >= 0 && limit.countSlot() >= 0;
    boolean numbers = limit.offsetSlot() < 0 && limit.countSlot() < 0;
    if (slots) {
      sql.text(" LIMIT ").piece(new Piece.Sum(limit.offsetSlot(), limit.countSlot()));
    } else if (numbers) {
      sql.text(" LIMIT " + (limit.offset() + limit.count()));
    } else if (limit.offsetSlot() < 0 && limit.offset() == 0) {
      sql.text(" LIMIT ").piece(new Piece.Slot(limit.countSlot()));
    }
  }
}
