package io.alrai.optimizer.syntax;

import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import io.alrai.optimizer.syntax.Query.Block;
import io.alrai.optimizer.syntax.Query.Body;
import io.alrai.optimizer.syntax.Query.Grouping;
import io.alrai.optimizer.syntax.Query.Limit;
import io.alrai.optimizer.syntax.Query.Selection;
import io.alrai.optimizer.syntax.Query.SetOperator;
import io.alrai.optimizer.syntax.Query.With;
import io.alrai.optimizer.syntax.RowLock.OnLocked;
import io.alrai.optimizer.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Query expressions. */
final class QueryParser {
  private static final int MOST_OPEN = 20_000;

  private final Cursor cursor;
  private final ExpressionParser expressions;
  private final TableParser tables;
  private final SelectionParser selections;

  QueryParser(Cursor cursor) {
    this.cursor = cursor;
    this.expressions = new ExpressionParser(cursor, this);
    this.tables = new TableParser(cursor, expressions, this);
    this.selections = new SelectionParser(cursor, expressions);
  }

  ExpressionParser expressions() {
    return expressions;
  }

  TableParser tables() {
    return tables;
  }

  /**
   * Whether a query expression starts here, behind any number of parentheses.
   *
   * @throws AlraiException 1436 for more than any stack would take: to look ahead at each level
   *     takes time to the square of their number
   */
  boolean startsQuery() {
    int ahead = 0;
    while (cursor.peek(ahead).kind() == Kind.OPERATOR && cursor.peek(ahead).text().equals("(")) {
      ahead++;
      if (ahead > MOST_OPEN) {
        throw AlraiException.tooDeep();
      }
    }
    return switch (cursor.peek(ahead).upper()) {
      case "SELECT", "WITH" -> true;
      case "TABLE" -> !cursor.peek(ahead + 1).text().equals("(");
      case "VALUES" -> cursor.peek(ahead + 1).upper().equals("ROW");
      default -> false;
    };
  }

  /** A query expression; the cursor ends behind its last clause. */
  Query query() {
    Span start = cursor.peek().span();
    Optional<With> with = with();
    return query(start, with);
  }

  /** What follows WITH. */
  Query query(Span start, Optional<With> with) {
    List<Span> into = new ArrayList<>();
    Body body = unions(into);
    List<OrderItem> orderBy = orderBy();
    Optional<Limit> limit = limit();
    List<RowLock> locking = new ArrayList<>();
    while (true) {
      Optional<RowLock> lock = rowLock();
      if (lock.isPresent()) {
        locking.add(lock.get());
      } else if (cursor.isWord("INTO")) {
        skipInto(into);
      } else {
        break;
      }
    }
    Span span = start.to(cursor.last());
    return new Query(span, with, body, orderBy, limit, locking, into.stream().findFirst());
  }

  Optional<With> with() {
    if (!cursor.isWord("WITH")) {
      return Optional.empty();
    }
    Span start = cursor.next().span();
    boolean recursive = cursor.acceptWord("RECURSIVE");
    List<Query.CommonTable> common = new ArrayList<>();
    do {
      Identifier name = cursor.identifier();
      List<String> columns = tables.optionalColumnNames();
      cursor.expectWord("AS");
      cursor.expectOperator("(");
      Query query = query();
      cursor.expectOperator(")");
      common.add(new Query.CommonTable(name, columns, query));
    } while (cursor.acceptOperator(","));
    return Optional.of(new With(start.to(cursor.last()), recursive, common));
  }

  private Body unions(List<Span> into) {
    Body left = intersections(into);
    while (cursor.isAnyWord("UNION", "EXCEPT")) {
      SetOperator operator = SetOperator.valueOf(cursor.next().upper());
      boolean all = allRows();
      Body right = intersections(into);
      left = new Query.SetOperation(left.span().to(right.span()), operator, all, left, right);
    }
    return left;
  }

  private Body intersections(List<Span> into) {
    Body left = primary(into);
    while (cursor.acceptWord("INTERSECT")) {
      boolean all = allRows();
      Body right = primary(into);
      left =
          new Query.SetOperation(
              left.span().to(right.span()), SetOperator.INTERSECT, all, left, right);
    }
    return left;
  }

  private boolean allRows() {
    return !cursor.acceptWord("DISTINCT") && cursor.acceptWord("ALL");
  }

  private Body primary(List<Span> into) {
    Span start = cursor.peek().span();
    if (cursor.acceptOperator("(")) {
      Query inner = query();
      cursor.expectOperator(")");
      return new Query.Nested(start.to(cursor.last()), inner);
    }
    if (cursor.acceptWord("TABLE")) {
      TableRef.Named table = tables.nameOnly();
      return new Query.WholeTable(start.to(cursor.last()), table);
    }
    if (cursor.isWord("VALUES")) {
      return values(start);
    }
    return block(into);
  }

  private Body values(Span start) {
    cursor.next();
    List<Expr> cells = new ArrayList<>();
    do {
      cursor.expectWord("ROW");
      cursor.expectOperator("(");
      cells.addAll(expressions.list());
      cursor.expectOperator(")");
    } while (cursor.acceptOperator(","));
    return new Query.Values(start.to(cursor.last()), cells);
  }

  private Block block(List<Span> into) {
    Span start = cursor.peek().span();
    Selection selection = selections.selection();
    if (cursor.isWord("INTO")) {
      skipInto(into);
    }
    List<TableRef> from = List.of();
    if (cursor.acceptWord("FROM") && !cursor.acceptWord("DUAL")) {
      from = tables.list();
    }
    Optional<Expr> where = optional("WHERE");
    Optional<Grouping> grouping = grouping();
    List<Query.NamedWindow> windows = windows();
    Optional<Expr> qualify = optional("QUALIFY");
    Span span = start.to(cursor.last());
    return new Block(span, selection, from, where, grouping, windows, qualify);
  }

  private Optional<Expr> optional(String word) {
    return cursor.acceptWord(word) ? Optional.of(expressions.expression()) : Optional.empty();
  }

  private Optional<Grouping> grouping() {
    List<OrderItem> keys = List.of();
    boolean rollup = false;
    if (cursor.acceptWord("GROUP")) {
      cursor.expectWord("BY");
      if (cursor.isAnyWord("ROLLUP", "CUBE") && cursor.peek(1).text().equals("(")) {
        cursor.next();
        cursor.next();
        rollup = true;
        keys = orderItems();
        cursor.expectOperator(")");
      } else {
        keys = orderItems();
      }
      if (cursor.acceptWord("WITH")) {
        cursor.next();
        rollup = true;
      }
    }
    Optional<Expr> having = optional("HAVING");
    return keys.isEmpty() && having.isEmpty()
        ? Optional.empty()
        : Optional.of(new Grouping(keys, rollup, having));
  }

  private List<Query.NamedWindow> windows() {
    if (!cursor.acceptWord("WINDOW")) {
      return List.of();
    }
    List<Query.NamedWindow> windows = new ArrayList<>();
    do {
      String name = cursor.identifier().name();
      cursor.expectWord("AS");
      windows.add(new Query.NamedWindow(name, expressions.window()));
    } while (cursor.acceptOperator(","));
    return windows;
  }

  /** ORDER BY, if it stands here. */
  List<OrderItem> orderBy() {
    if (!cursor.acceptWord("ORDER")) {
      return List.of();
    }
    cursor.expectWord("BY");
    return orderItems();
  }

  /** The items of ORDER BY or GROUP BY. */
  List<OrderItem> orderItems() {
    List<OrderItem> items = new ArrayList<>();
    do {
      Expr expr = expressions.expression();
      boolean descending = false;
      if (!cursor.acceptWord("ASC")) {
        descending = cursor.acceptWord("DESC");
      }
      items.add(new OrderItem(expr.span().to(cursor.last()), expr, descending));
    } while (cursor.acceptOperator(","));
    return items;
  }

  /** LIMIT, if it stands here. */
  Optional<Limit> limit() {
    if (!cursor.isWord("LIMIT")) {
      return Optional.empty();
    }
    Span start = cursor.next().span();
    Expr first = rows();
    Optional<Expr> offset = Optional.empty();
    Expr count = first;
    if (cursor.acceptOperator(",")) {
      offset = Optional.of(first);
      count = rows();
    } else if (cursor.acceptWord("OFFSET")) {
      offset = Optional.of(rows());
    }
    return Optional.of(new Limit(start.to(cursor.last()), offset, count));
  }

  /** LIMIT of an UPDATE or DELETE, which has no offset. */
  Optional<Limit> limitOfWrite() {
    if (!cursor.isWord("LIMIT")) {
      return Optional.empty();
    }
    Span start = cursor.next().span();
    Expr count = rows();
    return Optional.of(new Limit(start.to(cursor.last()), Optional.empty(), count));
  }

  /** How many rows: a number or a parameter. */
  private Expr rows() {
    if (cursor.peek().kind() != Kind.SLOT && cursor.peek().kind() != Kind.LITERAL) {
      throw cursor.failure();
    }
    return expressions.expression();
  }

  private Optional<RowLock> rowLock() {
    Span start = cursor.peek().span();
    if (cursor.isWord("FOR") && isAnyOf(cursor.peek(1).upper(), "UPDATE", "SHARE")) {
      cursor.next();
      boolean shared = cursor.next().upper().equals("SHARE");
      List<String> names = new ArrayList<>();
      if (cursor.acceptWord("OF")) {
        do {
          Identifier name = cursor.identifier();
          names.add((cursor.acceptOperator(".") ? cursor.identifierAfterDot() : name).name());
        } while (cursor.acceptOperator(","));
      }
      OnLocked onLocked = onLocked();
      return Optional.of(new RowLock(start.to(cursor.last()), shared, names, onLocked));
    }
    if (cursor.isWord("LOCK") && cursor.peek(1).upper().equals("IN")) {
      cursor.next();
      cursor.next();
      cursor.expectWord("SHARE");
      cursor.expectWord("MODE");
      return Optional.of(new RowLock(start.to(cursor.last()), true, List.of(), OnLocked.WAIT));
    }
    return Optional.empty();
  }

  private OnLocked onLocked() {
    if (cursor.acceptWord("SKIP")) {
      cursor.expectWord("LOCKED");
      return OnLocked.SKIP;
    }
    return cursor.acceptWord("NOWAIT") ? OnLocked.FAIL : OnLocked.WAIT;
  }

  private static boolean isAnyOf(String word, String first, String second) {
    return word.equals(first) || word.equals(second);
  }

  private void skipInto(List<Span> into) {
    Span start = cursor.next().span();
    while (!cursor.atEnd()
        && !cursor.isAnyWord("FROM", "FOR", "LOCK", "UNION")
        && !cursor.isOperator(")")) {
      cursor.next();
    }
    into.add(start.to(cursor.last()));
  }
}
