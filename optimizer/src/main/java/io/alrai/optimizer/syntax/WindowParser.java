package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import io.alrai.optimizer.syntax.Token.Kind;
import java.util.List;
import java.util.Optional;

/** What follows OVER, and the definitions of WINDOW. */
final class WindowParser {
  private final Cursor cursor;
  private final ExpressionParser expressions;
  private final QueryParser queries;

  WindowParser(Cursor cursor, ExpressionParser expressions, QueryParser queries) {
    this.cursor = cursor;
    this.expressions = expressions;
    this.queries = queries;
  }

  /** A window by name or in parentheses. */
  Expr.Window window() {
    if (cursor.isIdentifier()) {
      Identifier name = cursor.identifier();
      return new Expr.Window(name.span(), Optional.of(name.name()), List.of(), List.of());
    }
    return definition();
  }

  /** A window in parentheses. */
  Expr.Window definition() {
    Span open = cursor.peek().span();
    cursor.expectOperator("(");
    Optional<String> base = Optional.empty();
    List<Expr> partitionBy = List.of();
    List<OrderItem> orderBy = List.of();
    if (cursor.isIdentifier()) {
      base = Optional.of(cursor.identifier().name());
    }
    if (cursor.acceptWord("PARTITION")) {
      cursor.expectWord("BY");
      partitionBy = expressions.list();
    }
    if (cursor.acceptWord("ORDER")) {
      cursor.expectWord("BY");
      orderBy = queries.orderItems();
    }
    if (cursor.isAnyWord("ROWS", "RANGE", "GROUPS")) {
      frame();
    }
    cursor.expectOperator(")");
    return new Expr.Window(open.to(cursor.last()), base, partitionBy, orderBy);
  }

  private void frame() {
    cursor.next();
    if (cursor.acceptWord("BETWEEN")) {
      bound();
      cursor.expectWord("AND");
      bound();
    } else if (bound()) {
      throw cursor.failure();
    }
    if (cursor.acceptWord("EXCLUDE")) {
      while (!cursor.atEnd() && !cursor.isOperator(")")) {
        cursor.next(); // a mysqld reads it and does not have it
      }
    }
  }

  /** One end of a frame; true where it follows the row. */
  private boolean bound() {
    if (cursor.acceptWord("CURRENT")) {
      cursor.expectWord("ROW");
      return false;
    }
    if (cursor.isWord("INTERVAL")) {
      expressions.bits();
    } else if (cursor.peek().kind() == Kind.SLOT || cursor.peek().kind() == Kind.LITERAL) {
      cursor.next();
    } else {
      cursor.expectWord("UNBOUNDED");
    }
    boolean follows = cursor.acceptWord("FOLLOWING");
    if (!follows) {
      cursor.expectWord("PRECEDING");
    }
    return follows;
  }
}
