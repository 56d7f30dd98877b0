package io.alrai.optimizer.syntax;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.TableRef.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** FROM lists. */
final class TableParser {
  private final Cursor cursor;
  private final ExpressionParser expressions;
  private final QueryParser queries;

  /** What looking ahead has found, by the cursor's index: nested joins are read more than once. */
  private final Map<Integer, Boolean> conditionsAhead = new HashMap<>();

  TableParser(Cursor cursor, ExpressionParser expressions, QueryParser queries) {
    this.cursor = cursor;
    this.expressions = expressions;
    this.queries = queries;
  }

  /** Table references with commas between them. */
  List<TableRef> list() {
    List<TableRef> list = new ArrayList<>();
    do {
      list.add(joined());
    } while (cursor.acceptOperator(","));
    return list;
  }

  private TableRef joined() {
    TableRef left = factor();
    while (true) {
      Optional<Kind> kind = joinWords();
      if (kind.isEmpty()) {
        return left;
      }
      left = join(left, kind.get());
    }
  }

  /**
   * An inner join's right side may itself hold joins whose ON comes first: {@code a JOIN b JOIN c
   * ON .. ON ..}.
   */
  private TableRef join(TableRef left, Kind kind) {
    TableRef right = factor();
    while (!kind.natural() && !cursor.isAnyWord("ON", "USING")) {
      int mark = cursor.index();
      Optional<Kind> inner = joinWords();
      if (inner.isEmpty()) {
        break;
      }
      if (kind == Kind.INNER && !conditionsAhead()) {
        cursor.back(mark);
        break;
      }
      right = join(right, inner.get());
    }
    Optional<Expr> on = Optional.empty();
    List<String> using = List.of();
    if (!kind.natural()) {
      boolean duplicateKey = cursor.isWord("ON") && cursor.peek(1).upper().equals("DUPLICATE");
      if (!duplicateKey && cursor.acceptWord("ON")) {
        on = Optional.of(expressions.expression());
      } else if (cursor.acceptWord("USING")) {
        using = names();
      }
    }
    return new TableRef.Join(left.span().to(cursor.last()), kind, left, right, on, using);
  }

  /**
   * Whether more ON and USING clauses than joins follow, so that one of them belongs to the join
   * before the cursor: a look ahead without effect. Done once at each place: else it would take
   * time to the power of the depth.
   */
  private boolean conditionsAhead() {
    int mark = cursor.index();
    Boolean known = conditionsAhead.get(mark);
    if (known == null) {
      try {
        known = moreConditionsThanJoins();
      } finally {
        cursor.back(mark);
      }
      conditionsAhead.put(mark, known);
    }
    return known;
  }

  private boolean moreConditionsThanJoins() {
    int open = 2;
    while (true) {
      factor();
      while (cursor.isAnyWord("ON", "USING")) {
        open--;
        if (cursor.next().upper().equals("ON")) {
          expressions.expression();
        } else {
          names();
        }
      }
      Optional<Kind> kind = joinWords();
      if (kind.isEmpty() || open <= 0) {
        return open <= 0;
      }
      open += kind.get().natural() ? 0 : 1;
    }
  }

  private Optional<Kind> joinWords() {
    if (cursor.acceptWord("STRAIGHT_JOIN")) {
      return Optional.of(Kind.INNER);
    }
    if (cursor.acceptWord("NATURAL")) {
      if (cursor.acceptWord("LEFT")) {
        return outer(Kind.NATURAL_LEFT);
      }
      if (cursor.acceptWord("RIGHT")) {
        return outer(Kind.NATURAL_RIGHT);
      }
      cursor.acceptWord("INNER");
      cursor.expectWord("JOIN");
      return Optional.of(Kind.NATURAL);
    }
    if (cursor.isWord("LEFT")) {
      cursor.next();
      return outer(Kind.LEFT);
    }
    if (cursor.isWord("RIGHT")) {
      cursor.next();
      return outer(Kind.RIGHT);
    }
    if (cursor.acceptWord("INNER") || cursor.acceptWord("CROSS")) {
      cursor.expectWord("JOIN");
      return Optional.of(Kind.INNER);
    }
    return cursor.acceptWord("JOIN") ? Optional.of(Kind.INNER) : Optional.empty();
  }

  private Optional<Kind> outer(Kind kind) {
    cursor.acceptWord("OUTER");
    cursor.expectWord("JOIN");
    return Optional.of(kind);
  }

  private TableRef factor() {
    Span start = cursor.peek().span();
    if (cursor.acceptWord("LATERAL")) {
      return derived(start, true);
    }
    if (cursor.isWord("JSON_TABLE")) {
      return function(start);
    }
    if (cursor.acceptOperator("{")) {
      cursor.expectWord("OJ");
      TableRef inner = joined();
      cursor.expectOperator("}");
      return new TableRef.Group(start.to(cursor.last()), List.of(inner));
    }
    if (cursor.isOperator("(")) {
      if (queries.opensQuery()) {
        return derived(start, false);
      }
      cursor.next(); // a group, such as ((SELECT ..) AS a JOIN b)
      List<TableRef> items = list();
      cursor.expectOperator(")");
      return new TableRef.Group(start.to(cursor.last()), items);
    }
    return named();
  }

  private TableRef derived(Span start, boolean lateral) {
    cursor.expectOperator("(");
    Query query = queries.query();
    cursor.expectOperator(")");
    if (!cursor.acceptWord("AS") && !cursor.isIdentifier()) {
      throw new AlraiException(
          ErrorCode.ER_DERIVED_MUST_HAVE_ALIAS, "Every derived table must have its own alias");
    }
    String alias = cursor.identifier().name();
    List<String> columns = optionalNames();
    return new TableRef.Derived(start.to(cursor.last()), query, alias, columns, lateral);
  }

  private TableRef function(Span start) {
    cursor.next();
    cursor.expectOperator("(");
    Expr document = expressions.expression();
    cursor.skipToClosing();
    cursor.acceptWord("AS");
    String alias = cursor.identifier().name();
    return new TableRef.Function(start.to(cursor.last()), List.of(document), alias);
  }

  private TableRef.Named named() {
    TableRef.Named bare = nameOnly();
    boolean partitions = partitions();
    Optional<Identifier> alias = alias();
    return reference(bare, alias, partitions, indexHints());
  }

  /** The table of a DELETE that names no others: the partitions stand after the alias. */
  TableRef.Named deleted() {
    TableRef.Named bare = nameOnly();
    Optional<Identifier> alias = alias();
    return reference(bare, alias, partitions(), Optional.empty());
  }

  private TableRef.Named reference(
      TableRef.Named bare,
      Optional<Identifier> alias,
      boolean partitions,
      Optional<Span> indexHints) {
    return new TableRef.Named(
        bare.span().to(cursor.last()),
        bare.nameSpan(),
        bare.schema(),
        bare.name(),
        alias,
        partitions,
        indexHints);
  }

  private boolean partitions() {
    if (!cursor.isWord("PARTITION") || !cursor.peek(1).text().equals("(")) {
      return false;
    }
    cursor.next();
    names();
    return true;
  }

  private Optional<Identifier> alias() {
    return cursor.acceptWord("AS") || cursor.isIdentifier()
        ? Optional.of(cursor.identifier())
        : Optional.empty();
  }

  /** {@code t} or {@code s.t}. */
  TableRef.Named nameOnly() {
    Identifier first = cursor.identifier();
    Optional<Identifier> schema = Optional.empty();
    Identifier name = first;
    if (cursor.acceptOperator(".")) {
      schema = Optional.of(first);
      name = cursor.identifierAfterDot();
    }
    return TableRef.Named.of(first.span().to(cursor.last()), schema, name);
  }

  private Optional<Span> indexHints() {
    Span start = cursor.peek().span();
    int first = cursor.index();
    while (cursor.isAnyWord("USE", "FORCE", "IGNORE")
        && (cursor.peek(1).upper().equals("INDEX") || cursor.peek(1).upper().equals("KEY"))) {
      cursor.next();
      cursor.next();
      if (cursor.acceptWord("FOR")) {
        if (!cursor.acceptWord("JOIN")) {
          cursor.next();
          cursor.expectWord("BY");
        }
      }
      cursor.expectOperator("(");
      while (!cursor.acceptOperator(")")) {
        if (!cursor.acceptWord("PRIMARY")) {
          cursor.identifier();
        }
        if (!cursor.isOperator(")")) {
          cursor.expectOperator(",");
        }
      }
    }
    return cursor.index() == first ? Optional.empty() : Optional.of(start.to(cursor.last()));
  }

  /** {@code (a, b)} or nothing. */
  List<String> optionalNames() {
    return cursor.isOperator("(") ? names() : List.of();
  }

  /** {@code (a, b)}. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    cursor.expectOperator("(");
    do {
      names.add(cursor.identifier().name());
    } while (cursor.acceptOperator(","));
    cursor.expectOperator(")");
    return names;
  }
}
