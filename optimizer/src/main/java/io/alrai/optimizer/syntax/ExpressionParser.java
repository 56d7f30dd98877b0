package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.Expr.Operator;
import io.alrai.optimizer.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Expressions, by the precedence of the manual's page "Operator Precedence". {@code ||} may be OR
 * or a concatenation, depending on sql_mode: it ends up as an operation of no known meaning, so
 * that nothing is concluded from it.
 */
final class ExpressionParser {
  private static final Set<String> COMPARISONS =
      Set.of("=", "<=>", "<", "<=", ">", ">=", "<>", "!=");

  private final Cursor cursor;
  private final QueryParser queries;
  private final OperandParser operands;
  private final WindowParser windows;

  ExpressionParser(Cursor cursor, QueryParser queries) {
    this.cursor = cursor;
    this.queries = queries;
    this.operands = new OperandParser(cursor, this, queries);
    this.windows = new WindowParser(cursor, this, queries);
  }

  /** A whole expression. */
  Expr expression() {
    Expr left = exclusiveOr();
    while (cursor.isWord("OR") || cursor.isOperator("||")) {
      boolean word = cursor.next().kind() == Kind.WORD;
      Expr right = exclusiveOr();
      left = operation(word ? Operator.OR : Operator.OTHER, word ? "OR" : "||", left, right);
    }
    return left;
  }

  private Expr exclusiveOr() {
    Expr left = and();
    while (cursor.acceptWord("XOR")) {
      left = operation(Operator.PREDICATE, "XOR", left, and());
    }
    return left;
  }

  private Expr and() {
    Expr left = not();
    while (cursor.isWord("AND") || cursor.isOperator("&&")) {
      cursor.next();
      left = operation(Operator.AND, "AND", left, not());
    }
    return left;
  }

  private Expr not() {
    if (cursor.isWord("NOT")) {
      Span start = cursor.next().span();
      Expr inner = not();
      return new Expr.Operation(start.to(inner.span()), Operator.NOT, "NOT", List.of(inner));
    }
    return predicate();
  }

  private Expr predicate() {
    Expr left = bits();
    while (true) {
      Token token = cursor.peek();
      if (token.kind() == Kind.OPERATOR && COMPARISONS.contains(token.text())) {
        cursor.next();
        left = comparison(left, token.text());
      } else if (token.kind() == Kind.OPERATOR && token.text().equals(":=")) {
        cursor.next();
        left = operation(Operator.ASSIGN, ":=", left, expression());
      } else if (token.kind() == Kind.WORD) {
        Optional<Expr> extended = wordPredicate(left);
        if (extended.isEmpty()) {
          return left;
        }
        left = extended.get();
      } else {
        return left;
      }
    }
  }

  private Expr comparison(Expr left, String operator) {
    if (cursor.isAnyWord("ANY", "ALL", "SOME") && cursor.peek(1).text().equals("(")) {
      String quantifier = cursor.next().upper().equals("ALL") ? " ALL" : " ANY";
      Span open = cursor.peek().span();
      cursor.expectOperator("(");
      Query query = queries.query();
      cursor.expectOperator(")");
      Expr right = new Expr.Subquery(open.to(cursor.last()), query);
      return operation(Operator.PREDICATE, operator + quantifier, left, right);
    }
    Expr right = bits();
    Operator kind = operator.equals("=") ? Operator.EQUAL : Operator.PREDICATE;
    return operation(kind, operator, left, right);
  }

  private Optional<Expr> wordPredicate(Expr left) {
    int mark = cursor.index();
    boolean negated = cursor.acceptWord("NOT");
    String not = negated ? "NOT " : "";
    if (cursor.acceptWord("IN")) {
      return Optional.of(in(left, negated));
    }
    if (cursor.acceptWord("BETWEEN")) {
      Expr low = bits();
      cursor.expectWord("AND");
      Expr high = bits();
      return Optional.of(operation(Operator.PREDICATE, not + "BETWEEN", left, low, high));
    }
    if (cursor.acceptWord("LIKE")) {
      Expr pattern = bits();
      if (cursor.acceptWord("ESCAPE")) {
        Expr escape = operands.operand();
        return Optional.of(operation(Operator.PREDICATE, not + "LIKE", left, pattern, escape));
      }
      return Optional.of(operation(Operator.PREDICATE, not + "LIKE", left, pattern));
    }
    if (cursor.acceptWord("REGEXP") || cursor.acceptWord("RLIKE")) {
      return Optional.of(operation(Operator.PREDICATE, not + "REGEXP", left, bits()));
    }
    if (negated) {
      cursor.back(mark);
      return Optional.empty();
    }
    if (cursor.acceptWord("IS")) {
      return Optional.of(is(left));
    }
    if (cursor.isWord("SOUNDS") && cursor.peek(1).upper().equals("LIKE")) {
      cursor.next();
      cursor.next();
      return Optional.of(operation(Operator.PREDICATE, "SOUNDS LIKE", left, bits()));
    }
    if (cursor.isWord("MEMBER") && startsMemberOf()) {
      cursor.next();
      cursor.acceptWord("OF");
      return Optional.of(operation(Operator.PREDICATE, "MEMBER OF", left, operands.operand()));
    }
    return Optional.empty();
  }

  private boolean startsMemberOf() {
    return cursor.peek(1).upper().equals("OF") || cursor.peek(1).text().equals("(");
  }

  private Expr is(Expr left) {
    boolean negated = cursor.acceptWord("NOT");
    if (!cursor.isAnyWord("NULL", "TRUE", "FALSE", "UNKNOWN")) {
      throw cursor.failure();
    }
    Token what = cursor.next();
    boolean isNull = what.upper().equals("NULL") && !negated;
    String symbol = (negated ? "IS NOT " : "IS ") + what.upper();
    return new Expr.Operation(
        left.span().to(what.span()),
        isNull ? Operator.IS_NULL : Operator.PREDICATE,
        symbol,
        List.of(left));
  }

  private Expr in(Expr left, boolean negated) {
    cursor.expectOperator("(");
    if (queries.startsQuery()) {
      Query query = queries.query();
      cursor.expectOperator(")");
      return new Expr.InQuery(left.span().to(cursor.last()), left, query, negated);
    }
    List<Expr> list = list();
    cursor.expectOperator(")");
    return new Expr.InList(left.span().to(cursor.last()), left, list, negated);
  }

  /** One or more expressions with commas between them. */
  List<Expr> list() {
    List<Expr> list = new ArrayList<>();
    do {
      list.add(expression());
    } while (cursor.acceptOperator(","));
    return list;
  }

  /** What binds closer than comparisons. */
  Expr bits() {
    return binary(0);
  }

  private Expr binary(int level) {
    if (level == LEVELS.size()) {
      return operands.operand();
    }
    Expr left = binary(level + 1);
    while (isOperatorOf(level)) {
      Token operator = cursor.next();
      String symbol = operator.kind() == Kind.WORD ? operator.upper() : operator.text();
      left = operation(Operator.ARITHMETIC, symbol, left, binary(level + 1));
    }
    return left;
  }

  private static final List<Set<String>> LEVELS =
      List.of(
          Set.of("|"),
          Set.of("&"),
          Set.of("<<", ">>"),
          Set.of("+", "-"),
          Set.of("*", "/", "%", "DIV", "MOD"),
          Set.of("^"));

  private boolean isOperatorOf(int level) {
    Token token = cursor.peek();
    return (token.kind() == Kind.OPERATOR && LEVELS.get(level).contains(token.text()))
        || (token.kind() == Kind.WORD && LEVELS.get(level).contains(token.upper()));
  }

  WindowParser windows() {
    return windows;
  }

  private static Expr operation(Operator operator, String symbol, Expr... operands) {
    Span span = operands[0].span().to(operands[operands.length - 1].span());
    return new Expr.Operation(span, operator, symbol, List.of(operands));
  }
}
