package io.alrai.optimizer.syntax;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxException;
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

  /** The clauses that may follow INTO with its variables. */
  private static final String[] AFTER_INTO = {
    "FROM",
    "WHERE",
    "GROUP",
    "HAVING",
    "WINDOW",
    "QUALIFY",
    "ORDER",
    "LIMIT",
    "FOR",
    "LOCK",
    "UNION",
    "EXCEPT",
    "INTERSECT"
  };

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
   * Whether what starts here, up to where the parenthesis around it closes, is a query expression:
   * {@code (SELECT 1) UNION (SELECT 2)}, but not {@code (SELECT 1) * 2}.
   *
   * @throws AlraiException 1436 for more parentheses than any stack would take: to look ahead at
   *     each level takes time to the square of their number
   */
  boolean startsQuery() {
    int open = openHere();
    return wordStartsQuery(open) && closesAsQuery(open, open);
  }

  /** Whether a parenthesis opens here that holds a query expression. */
  boolean opensQuery() {
    int open = openHere();
    return open > 0 && wordStartsQuery(open) && closesAsQuery(open, open - 1);
  }

  private int openHere() {
    int open = 0;
    while (isOpen(cursor.peek(open))) {
      open++;
      if (open > MOST_OPEN) {
        throw AlraiException.tooDeep();
      }
    }
    return open;
  }

  private boolean wordStartsQuery(int ahead) {
    return switch (cursor.peek(ahead).upper()) {
      case "SELECT", "WITH" -> true;
      case "TABLE" -> !isOpen(cursor.peek(ahead + 1));
      case "VALUES" -> cursor.peek(ahead + 1).upper().equals("ROW");
      default -> false;
    };
  }

  /**
   * Whether only what belongs to a query follows the {@code inner} innermost of the {@code open}
   * parentheses that open here, where they close.
   */
  private boolean closesAsQuery(int open, int inner) {
    int depth = open;
    int unclosed = open;
    for (int ahead = open; unclosed > open - inner; ahead++) {
      Token token = cursor.peek(ahead);
      if (token.kind() == Kind.END) {
        return true; // the error is that they do not close
      }
      if (isOpen(token)) {
        depth++;
      } else if (token.kind() == Kind.OPERATOR && token.text().equals(")")) {
        depth--;
        if (depth < unclosed) {
          unclosed = depth;
          if (!followsQuery(cursor.peek(ahead + 1))) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private static boolean isOpen(Token token) {
    return token.kind() == Kind.OPERATOR && token.text().equals("(");
  }

  private static boolean followsQuery(Token token) {
    return switch (token.kind()) {
      case WORD ->
          switch (token.upper()) {
            case "UNION", "EXCEPT", "INTERSECT", "ORDER", "LIMIT", "FOR", "LOCK", "INTO" -> true;
            default -> false;
          };
      case OPERATOR -> token.text().equals(")");
      case END -> true;
      case QUOTED, SLOT, LITERAL, VARIABLE -> false;
    };
  }

  /**
   * A query expression within a statement; the cursor ends after its last clause.
   *
   * @throws AlraiException 3954 where it has INTO
   */
  Query query() {
    Query query = whole();
    if (query.into().isPresent()) {
      throw misplacedInto();
    }
    return query;
  }

  private Query whole() {
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
        into(into);
      } else {
        break;
      }
    }
    if (into.size() > 1) {
      throw new AlraiException(
          ErrorCode.ER_MULTIPLE_INTO_CLAUSES, "Multiple INTO clauses in one query block.");
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
      List<String> columns = tables.optionalNames();
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
      requireNone(into);
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
      requireNone(into);
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
      Query inner = whole();
      inner.into().ifPresent(into::add);
      cursor.expectOperator(")");
      if (endsWithInto(inner) && !closesOrEnds()) {
        throw cursor.failure();
      }
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
      if (!cursor.isOperator(")")) {
        cells.addAll(expressions.list());
      }
      cursor.expectOperator(")");
    } while (cursor.acceptOperator(","));
    return new Query.Values(start.to(cursor.last()), cells);
  }

  private Block block(List<Span> into) {
    Span start = cursor.peek().span();
    Selection selection = selections.selection();
    if (cursor.isWord("INTO")) {
      into(into);
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
        keys = groupItems();
        cursor.expectOperator(")");
      } else {
        keys = groupItems();
      }
      if (cursor.isWord("WITH")) {
        if (!cursor.peek(1).upper().equals("ROLLUP")) {
          throw cursor.failure(); // to a mysqld WITH ROLLUP is one word
        }
        cursor.next();
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
      windows.add(new Query.NamedWindow(name, expressions.windows().definition()));
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

  private List<OrderItem> groupItems() {
    return expressions.list().stream()
        .map(expr -> new OrderItem(expr.span(), expr, false))
        .toList();
  }

  /** The items of ORDER BY. */
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

  /** How many rows: a number or a parameter; a name is a variable's, and none can be meant here. */
  private Expr rows() {
    if (cursor.isIdentifier()) {
      Identifier variable = cursor.identifier();
      throw SyntaxException.undeclared(variable.span().start(), variable.name());
    }
    if (cursor.peek().kind() != Kind.SLOT && cursor.peek().kind() != Kind.LITERAL) {
      throw cursor.failure();
    }
    Token number = cursor.next();
    if (number.kind() == Kind.SLOT) {
      return new Expr.Slot(number.span(), number.slot());
    }
    if (!number.isDigits()) {
      throw new SyntaxException(number.span().start());
    }
    return new Expr.Literal(number.span(), number.text());
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

  private void into(List<Span> into) {
    Span start = cursor.next().span();
    if (cursor.isAnyWord("OUTFILE", "DUMPFILE")) {
      while (!cursor.atEnd() && !cursor.isAnyWord(AFTER_INTO) && !cursor.isOperator(")")) {
        cursor.next();
      }
    } else {
      do {
        if (cursor.peek().kind() == Kind.VARIABLE) {
          cursor.next();
        } else {
          cursor.identifier();
        }
      } while (cursor.acceptOperator(","));
    }
    into.add(start.to(cursor.last()));
  }

  /** Whether INTO is its last clause, after which nothing else may stand. */
  private static boolean endsWithInto(Query query) {
    return query.into().isPresent()
        && (query.into().get().start() >= query.body().span().end()
            || (query.body() instanceof Query.Nested nested && endsWithInto(nested.query())));
  }

  private boolean closesOrEnds() {
    return cursor.atEnd()
        || cursor.isOperator(")")
        || cursor.isOperator(";")
        || cursor.isWord("INTO");
  }

  /** Only the last part of a set operation may have it. */
  private static void requireNone(List<Span> into) {
    if (!into.isEmpty()) {
      throw misplacedInto();
    }
  }

  private static AlraiException misplacedInto() {
    return new AlraiException(
        ErrorCode.ER_MISPLACED_INTO,
        "Misplaced INTO clause, INTO is not allowed inside subqueries, and must be placed at end of"
            + " UNION clauses.");
  }
}
