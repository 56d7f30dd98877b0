package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.Query.Alias;
import io.alrai.optimizer.syntax.Query.SelectItem;
import io.alrai.optimizer.syntax.Query.Selection;
import io.alrai.optimizer.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** SELECT up to the end of its list. */
final class SelectionParser {
  private final Cursor cursor;
  private final ExpressionParser expressions;

  SelectionParser(Cursor cursor, ExpressionParser expressions) {
    this.cursor = cursor;
    this.expressions = expressions;
  }

  Selection selection() {
    Span start = cursor.peek().span();
    cursor.expectWord("SELECT");
    Optional<Span> distinct = Optional.empty();
    Optional<Span> calcFoundRows = Optional.empty();
    while (isOption()) {
      Token option = cursor.next();
      if (option.upper().startsWith("DISTINCT")) {
        distinct = Optional.of(option.span());
      }
      if (option.upper().equals("SQL_CALC_FOUND_ROWS")) {
        calcFoundRows = Optional.of(option.span());
      }
    }
    List<SelectItem> items = new ArrayList<>();
    do {
      items.add(item());
    } while (cursor.acceptOperator(","));
    return new Selection(start.to(cursor.last()), distinct, calcFoundRows, items);
  }

  private boolean isOption() {
    return switch (cursor.peek().upper()) {
      case "ALL",
          "DISTINCT",
          "DISTINCTROW",
          "HIGH_PRIORITY",
          "STRAIGHT_JOIN",
          "SQL_SMALL_RESULT",
          "SQL_BIG_RESULT",
          "SQL_CALC_FOUND_ROWS" ->
          true;
      case "SQL_BUFFER_RESULT", "SQL_NO_CACHE" -> !cursor.peek(1).text().equals(".");
      default -> false;
    };
  }

  private SelectItem item() {
    Expr expr = expressions.expression();
    int end = cursor.index();
    Optional<Alias> alias = Optional.empty();
    Token token = cursor.peek();
    if (cursor.acceptWord("AS")) {
      alias = Optional.of(alias(cursor.peek()));
    } else if (cursor.isIdentifier() || token.kind() == Kind.SLOT || token.isString()) {
      alias = Optional.of(alias(token));
    }
    if (alias.isEmpty() && cursor.index() != end) {
      throw cursor.failure();
    }
    return new SelectItem(expr.span().to(cursor.last()), expr, alias);
  }

  private Alias alias(Token token) {
    if (token.kind() == Kind.SLOT) {
      cursor.next();
      return new Alias(token.span(), "", token.slot());
    }
    if (token.isString()) {
      cursor.next();
      return new Alias(token.span(), token.text().substring(1, token.text().length() - 1), -1);
    }
    Identifier name = cursor.identifier();
    return new Alias(name.span(), name.name(), -1);
  }
}
