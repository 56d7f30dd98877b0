package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Function calls. The words that some built-in functions have between their arguments are skipped:
 * whether they fit is for the mysqld to say.
 */
final class CallParser {
  private final Cursor cursor;
  private final ExpressionParser expressions;
  private final OperandParser operands;
  private String type = "";

  CallParser(Cursor cursor, ExpressionParser expressions, OperandParser operands) {
    this.cursor = cursor;
    this.expressions = expressions;
    this.operands = operands;
  }

  /** At the function's name, before its parenthesis. */
  Expr call() {
    Token name = cursor.next();
    return arguments(name.upper(), name.span());
  }

  /** At the parenthesis. */
  Expr arguments(String name, Span nameSpan) {
    cursor.expectOperator("(");
    String outerType = type;
    type = "";
    switch (name) {
      case "EXTRACT", "TIMESTAMPADD", "TIMESTAMPDIFF", "GET_FORMAT" -> {
        type = cursor.next().upper();
        cursor.acceptOperator(",");
      }
      default -> {}
    }
    boolean distinct = false;
    while (cursor.isAnyWord(
        "DISTINCT", "DISTINCTROW", "ALL", "BOTH", "LEADING", "TRAILING", "FROM")) {
      distinct |= cursor.next().upper().startsWith("DISTINCT");
    }
    List<Expr> list = new ArrayList<>();
    boolean closed = false;
    if (isOfPeriod(name)) {
      list.addAll(timeAndPeriod(name));
      closed = true;
    }
    while (!closed && !cursor.acceptOperator(")")) {
      list.add(argument(name));
      closed = separator(name);
    }
    String callType = type;
    type = outerType;
    Optional<Expr.Window> window = window();
    return new Expr.Call(
        nameSpan.to(cursor.last()), name, nameSpan, list, distinct, callType, window);
  }

  private static boolean isOfPeriod(String name) {
    return switch (name) {
      case "ADDDATE", "SUBDATE", "DATE_ADD", "DATE_SUB" -> true;
      default -> false;
    };
  }

  /** The two arguments of such a function; ADDDATE and SUBDATE may have a number of days. */
  private List<Expr> timeAndPeriod(String name) {
    Expr time = expressions.expression();
    cursor.expectOperator(",");
    if (name.startsWith("DATE_") && !cursor.isWord("INTERVAL")) {
      throw cursor.failure();
    }
    Expr period = name.startsWith("DATE_") ? operands.period() : expressions.expression();
    cursor.expectOperator(")");
    return List.of(time, period);
  }

  private Expr argument(String name) {
    return name.equals("POSITION") ? expressions.bits() : expressions.expression();
  }

  /** Skips what stands between two arguments; true when that closes the call. */
  private boolean separator(String name) {
    if (cursor.acceptOperator(",")) {
      if (name.equals("CONVERT")) {
        type = cursor.peek().upper();
        cursor.skipToClosing();
        return true;
      }
      return false;
    }
    if (cursor.isOperator(")")) {
      return false;
    }
    if (!Words.argumentWord(cursor.peek().upper())) {
      if (!cursor.isIdentifier() && !cursor.peek().isString()) {
        throw cursor.failure();
      }
      cursor.next(); // an alias, which a loadable function's arguments may have
      cursor.acceptOperator(",");
      return false;
    }
    while (Words.argumentWord(cursor.peek().upper())) {
      String word = cursor.next().upper();
      switch (word) {
        case "AS", "USING", "RETURNING" -> {
          type = word.equals("USING") ? word : cursor.peek().upper();
          cursor.skipToClosing();
          return true;
        }
        default -> {}
      }
    }
    cursor.acceptOperator(",");
    return false;
  }

  private Optional<Expr.Window> window() {
    if (cursor.isAnyWord("RESPECT", "IGNORE") && cursor.peek(1).upper().equals("NULLS")) {
      cursor.next();
      cursor.next();
    }
    if (cursor.isWord("FROM") && cursor.peek(1).upper().equals("FIRST")) {
      cursor.next();
      cursor.next();
      if (cursor.isAnyWord("RESPECT", "IGNORE")) {
        cursor.next();
        cursor.expectWord("NULLS");
      }
    }
    if (!cursor.isWord("OVER")) {
      return Optional.empty();
    }
    cursor.next();
    return Optional.of(expressions.windows().window());
  }
}
