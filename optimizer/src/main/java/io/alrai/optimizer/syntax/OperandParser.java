package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.Words;
import io.alrai.optimizer.syntax.Expr.Operator;
import io.alrai.optimizer.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What stands between operators: names, slots, calls, subqueries, CASE, INTERVAL and so on. */
final class OperandParser {
  private final Cursor cursor;
  private final ExpressionParser expressions;
  private final QueryParser queries;
  private final CallParser calls;

  OperandParser(Cursor cursor, ExpressionParser expressions, QueryParser queries) {
    this.cursor = cursor;
    this.expressions = expressions;
    this.queries = queries;
    this.calls = new CallParser(cursor, expressions, this);
  }

  /** One operand with its prefixes and suffixes. */
  Expr operand() {
    Token token = cursor.peek();
    if (token.kind() == Kind.OPERATOR && "+-~!".contains(token.text())) {
      cursor.next();
      return prefixed(token, operand());
    }
    // NOT binds so closely under HIGH_NOT_PRECEDENCE; elsewhere a mysqld refuses it
    if (token.upper().equals("BINARY") || token.upper().equals("NOT")) {
      cursor.next();
      return prefixed(token, operand());
    }
    return suffixed(primary());
  }

  private static Expr prefixed(Token prefix, Expr inner) {
    Operator operator = prefix.kind() == Kind.OPERATOR ? Operator.ARITHMETIC : Operator.TEXT;
    String symbol = prefix.kind() == Kind.OPERATOR ? prefix.text() : prefix.upper();
    return new Expr.Operation(prefix.span().to(inner.span()), operator, symbol, List.of(inner));
  }

  private Expr suffixed(Expr start) {
    Expr expr = start;
    while (true) {
      Operator operator = Operator.TEXT;
      String symbol = cursor.peek().text();
      if (cursor.acceptWord("COLLATE")) {
        symbol = "COLLATE " + cursor.next().text();
      } else if (cursor.isOperator("->") || cursor.isOperator("->>")) {
        operator = cursor.next().text().equals("->>") ? Operator.TEXT : Operator.OTHER;
        cursor.next();
      } else if (cursor.isWord("AT") && cursor.peek(1).upper().equals("TIME")) {
        cursor.next();
        cursor.next();
        cursor.expectWord("ZONE");
        cursor.acceptWord("INTERVAL");
        cursor.next();
        operator = Operator.OTHER;
      } else {
        return expr;
      }
      expr = new Expr.Operation(expr.span().to(cursor.last()), operator, symbol, List.of(expr));
    }
  }

  private Expr primary() {
    Token token = cursor.peek();
    return switch (token.kind()) {
      case SLOT -> slot();
      case LITERAL -> literal();
      case VARIABLE -> new Expr.Variable(cursor.next().span(), token.text());
      case QUOTED -> name();
      case WORD -> word(token);
      case OPERATOR -> punctuation(token);
      case END -> throw cursor.failure();
    };
  }

  /** A slot; several strings in a row are one value. */
  private Expr slot() {
    Token first = cursor.next();
    if (cursor.peek().kind() != Kind.SLOT) {
      return new Expr.Slot(first.span(), first.slot());
    }
    List<Expr> parts = new ArrayList<>();
    parts.add(new Expr.Slot(first.span(), first.slot()));
    while (cursor.peek().kind() == Kind.SLOT) {
      Token next = cursor.next();
      parts.add(new Expr.Slot(next.span(), next.slot()));
    }
    return new Expr.Operation(first.span().to(cursor.last()), Operator.OTHER, "", parts);
  }

  private Expr literal() {
    Token first = cursor.next();
    while (first.isString() && cursor.peek().isString()) {
      cursor.next();
    }
    return new Expr.Literal(first.span().to(cursor.last()), first.text());
  }

  private Expr punctuation(Token token) {
    return switch (token.text()) {
      case "(" -> parenthesis();
      case "*" -> new Expr.Star(cursor.next().span(), List.of());
      case "{" -> odbc();
      default -> throw cursor.failure();
    };
  }

  /** {@code {d '2020-01-01'}} and the like. */
  private Expr odbc() {
    Span open = cursor.next().span();
    cursor.next();
    Expr inner = expressions.expression();
    cursor.expectOperator("}");
    return new Expr.Operation(open.to(cursor.last()), Operator.OTHER, "{", List.of(inner));
  }

  private Expr parenthesis() {
    Span open = cursor.next().span();
    if (queries.startsQuery()) {
      Query query = queries.query();
      cursor.expectOperator(")");
      return new Expr.Subquery(open.to(cursor.last()), query);
    }
    List<Expr> list = expressions.list();
    cursor.expectOperator(")");
    Span span = open.to(cursor.last());
    return list.size() == 1
        ? new Expr.Parenthesised(span, list.getFirst())
        : new Expr.Row(span, list);
  }

  private Expr word(Token token) {
    boolean call = cursor.peek(1).text().equals("(") && cursor.peek(1).kind() == Kind.OPERATOR;
    Optional<Expr> special =
        switch (token.upper()) {
          case "CASE" -> Optional.of(caseWhen());
          case "INTERVAL" -> Optional.of(interval());
          case "MATCH" -> Optional.of(match());
          case "EXISTS" -> call ? Optional.of(exists()) : Optional.empty();
          case "ROW" -> call ? Optional.of(row()) : Optional.empty();
          case "NULL", "TRUE", "FALSE" ->
              Optional.of(new Expr.Literal(cursor.next().span(), token.upper()));
          case "DEFAULT" ->
              call
                  ? Optional.empty()
                  : Optional.of(new Expr.Literal(cursor.next().span(), token.upper()));
          default -> Optional.empty();
        };
    if (special.isPresent()) {
      return special.get();
    }
    if (call) {
      return calls.call();
    }
    if (Words.callsWithoutParentheses(token.upper())) {
      cursor.next();
      return new Expr.Call(
          token.span(), token.upper(), token.span(), List.of(), false, "", Optional.empty());
    }
    if (introducesLiteral(token)) {
      cursor.next();
      Expr inner = primary();
      boolean temporal =
          switch (token.upper()) {
            case "DATE", "TIME", "TIMESTAMP" -> true;
            default -> false;
          };
      Operator operator = temporal ? Operator.TEMPORAL_LITERAL : Operator.TEXT;
      return new Expr.Operation(
          token.span().to(inner.span()), operator, token.upper(), List.of(inner));
    }
    return name();
  }

  private boolean introducesLiteral(Token token) {
    Token next = cursor.peek(1);
    if (token.text().startsWith("_") && isBinaryPrefix(next, cursor.peek(2))) {
      return true;
    }
    if (next.kind() != Kind.SLOT && next.kind() != Kind.LITERAL) {
      return false;
    }
    boolean adjacent = next.span().start() == token.span().end();
    return switch (token.upper()) {
      case "DATE", "TIME", "TIMESTAMP" -> true;
      case "N", "X", "B" -> adjacent;
      default -> token.text().startsWith("_");
    };
  }

  /** The X of {@code X'E9'}, the B of {@code B'01'}. */
  private static boolean isBinaryPrefix(Token prefix, Token digits) {
    return (prefix.upper().equals("X") || prefix.upper().equals("B"))
        && (digits.kind() == Kind.SLOT || digits.kind() == Kind.LITERAL)
        && digits.span().start() == prefix.span().end();
  }

  private Expr exists() {
    Span start = cursor.next().span();
    cursor.expectOperator("(");
    Query query = queries.query();
    cursor.expectOperator(")");
    return new Expr.Exists(start.to(cursor.last()), query);
  }

  private Expr row() {
    Span start = cursor.next().span();
    cursor.expectOperator("(");
    List<Expr> cells = expressions.list();
    cursor.expectOperator(")");
    return new Expr.Row(start.to(cursor.last()), cells);
  }

  private Expr caseWhen() {
    Span start = cursor.next().span();
    List<Expr> conditions = new ArrayList<>();
    List<Expr> results = new ArrayList<>();
    boolean compared = !cursor.isWord("WHEN");
    if (compared) {
      conditions.add(expressions.expression());
    }
    while (cursor.acceptWord("WHEN")) {
      conditions.add(expressions.expression());
      cursor.expectWord("THEN");
      results.add(expressions.expression());
    }
    if (cursor.acceptWord("ELSE")) {
      results.add(expressions.expression());
    }
    cursor.expectWord("END");
    return new Expr.Case(start.to(cursor.last()), compared, conditions, results);
  }

  /** INTERVAL expr unit, or the function INTERVAL(a, b, ...). */
  private Expr interval() {
    Span start = cursor.next().span();
    if (cursor.isOperator("(") && !queries.opensQuery() && cursor.listInParentheses()) {
      Expr arguments = parenthesis();
      return new Expr.Operation(
          start.to(cursor.last()), Operator.ARITHMETIC, "INTERVAL", List.of(arguments));
    }
    return period(start);
  }

  /** At INTERVAL, which is no function here, whatever follows. */
  Expr period() {
    return period(cursor.next().span());
  }

  private Expr period(Span start) {
    Expr inner = expressions.expression();
    String unit = cursor.peek().upper();
    if (!Words.intervalUnit(unit)) {
      throw cursor.failure();
    }
    cursor.next();
    return new Expr.Operation(start.to(cursor.last()), Operator.INTERVAL, unit, List.of(inner));
  }

  private Expr match() {
    Span start = cursor.next().span();
    List<Expr> parts = new ArrayList<>();
    boolean parenthesised = cursor.acceptOperator("(");
    do {
      parts.add(name());
    } while (cursor.acceptOperator(","));
    if (parenthesised) {
      cursor.expectOperator(")");
    }
    cursor.expectWord("AGAINST");
    cursor.expectOperator("(");
    parts.add(expressions.bits());
    cursor.skipToClosing();
    return new Expr.Operation(start.to(cursor.last()), Operator.ARITHMETIC, "MATCH", parts);
  }

  /** A column name, {@code t.*}, or a call of a function in a schema. */
  private Expr name() {
    List<Identifier> parts = new ArrayList<>();
    parts.add(cursor.identifier());
    while (cursor.isOperator(".") && parts.size() < 3) {
      cursor.next();
      if (cursor.isOperator("*")) {
        Span span = parts.getFirst().span().to(cursor.next().span());
        return new Expr.Star(span, parts);
      }
      parts.add(cursor.identifierAfterDot());
    }
    Span span = parts.getFirst().span().to(cursor.last());
    if (parts.size() <= 2 && cursor.isOperator("(")) {
      String function = parts.getLast().name();
      return calls.arguments(
          parts.size() == 1 ? function : Expr.Call.qualified(parts.getFirst().name(), function),
          span);
    }
    return new Expr.Name(span, parts);
  }
}
