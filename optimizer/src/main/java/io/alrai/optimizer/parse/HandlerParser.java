package io.alrai.optimizer.parse;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.HandlerStatement;
import io.alrai.optimizer.api.HandlerStatement.Form;
import io.alrai.optimizer.api.HandlerStatement.KeyValue;
import io.alrai.optimizer.api.HandlerStatement.Step;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.syntax.ExpressionText;
import io.alrai.optimizer.syntax.SourceText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** HANDLER (MySQL Reference Manual, "HANDLER Statement"). */
final class HandlerParser {
  private static final Set<String> OPERATORS = Set.of("=", ">=", "<=", ">", "<");

  private static final Map<String, Step> STEPS =
      Map.of(
          "FIRST", Step.FIRST,
          "NEXT", Step.NEXT,
          "PREV", Step.PREV,
          "LAST", Step.LAST,
          "=", Step.EQUAL,
          ">=", Step.FROM,
          ">", Step.BEHIND,
          "<=", Step.DOWN_FROM,
          "<", Step.BEFORE);

  private final TokenCursor tokens;
  private final Planner.Context context;

  HandlerParser(TokenCursor tokens, Planner.Context context) {
    this.tokens = tokens;
    this.context = context;
  }

  HandlerStatement parse() {
    tokens.expect("HANDLER");
    TableName name = tokens.tableName();
    if (tokens.take("OPEN")) {
      return open(name);
    }
    if (name.schema().isPresent()) {
      throw tokens.syntaxError();
    }
    if (tokens.take("CLOSE")) {
      tokens.expectEnd();
      return new HandlerStatement.Close(name.table());
    }
    tokens.expect("READ");
    return read(name.table());
  }

  private HandlerStatement open(TableName table) {
    boolean named = tokens.take("AS");
    Optional<String> alias =
        named || !tokens.atEnd() ? Optional.of(tokens.identifier()) : Optional.empty();
    tokens.expectEnd();
    return new HandlerStatement.Open(table, alias);
  }

  private HandlerStatement read(String handler) {
    Optional<String> index = Optional.empty();
    if (!isNaturalScan()) {
      if (tokens.sees("PRIMARY")) {
        throw tokens.syntaxError();
      }
      index = Optional.of(tokens.identifier());
    }
    Step step = step();
    List<KeyValue> values = step.compareTo(Step.EQUAL) < 0 ? List.of() : values();
    String where = tokens.take("WHERE") ? condition() : "";
    TokenCursor.Limit limit = tokens.limit(1);
    tokens.expectEnd();
    return new HandlerStatement.Read(
        handler, index, step, values, where, limit.offset(), limit.count());
  }

  /** FIRST or NEXT may also be the name of an index, before what says how to read it. */
  private boolean isNaturalScan() {
    return (tokens.sees("FIRST") || tokens.sees("NEXT")) && !isStep(tokens.position() + 1);
  }

  private boolean isStep(int at) {
    return switch (tokens.kindAt(at)) {
      case WORD -> STEPS.containsKey(tokens.token(at).text().toUpperCase(Locale.ROOT));
      case OPERATOR -> OPERATORS.contains(tokens.token(at).text());
      default -> false;
    };
  }

  private Step step() {
    if (!isStep(tokens.position())) {
      throw tokens.syntaxError();
    }
    String word = tokens.token(tokens.position()).text().toUpperCase(Locale.ROOT);
    tokens.moveTo(tokens.position() + 1);
    return Objects.requireNonNull(STEPS.get(word));
  }

  private List<KeyValue> values() {
    tokens.expect(TokenKind.OPEN);
    List<KeyValue> values = new ArrayList<>();
    do {
      int from = tokens.position();
      int to = tokens.endOfItem(from);
      if (from == to || tokens.sees("DEFAULT")) {
        throw tokens.syntaxError();
      }
      requireSimple(from, to);
      values.add(new KeyValue(form(from, to), tokens.slice(from, to)));
      tokens.moveTo(to);
    } while (tokens.take(TokenKind.COMMA));
    tokens.expect(TokenKind.CLOSE);
    return values;
  }

  private Form form(int from, int to) {
    for (int i = from; i < to; i++) {
      TokenKind kind = tokens.kindAt(i);
      if (kind == TokenKind.USER_VARIABLE || kind == TokenKind.SYSTEM_VARIABLE) {
        return Form.VARIABLE;
      }
    }
    if (to > from + 1) {
      return Form.EXPRESSION;
    }
    return switch (tokens.kindAt(from)) {
      case INTEGER -> Form.INTEGER;
      case STRING -> Form.STRING;
      default -> tokens.token(from).isWord("NULL") ? Form.NULL : Form.EXPRESSION;
    };
  }

  /** From the first token of the condition to the one after it. */
  private String condition() {
    int from = tokens.position();
    if (tokens.atEnd()) {
      throw tokens.syntaxError();
    }
    requireSimple(from, tokens.size());
    String rest = tokens.slice(from, tokens.size());
    try {
      SourceText text = SourceText.of(rest, context.ansiQuotes(), context.noBackslashEscapes());
      String condition = rest.substring(0, ExpressionText.end(text));
      tokens.moveAfter(from, condition);
      return condition;
    } catch (SyntaxException e) {
      tokens.moveAfter(from, rest.substring(0, Math.min(e.position(), rest.length())));
      throw tokens.syntaxError();
    }
  }

  /**
   * Neither subqueries nor parameters are expressions here.
   *
   * @throws AlraiException 1064, or 1235 for a stored function
   */
  private void requireSimple(int from, int to) {
    for (int i = from; i < to; i++) {
      boolean query =
          tokens.kindAt(i) == TokenKind.OPEN
              && (tokens.seesAt(i + 1, "SELECT") || tokens.seesAt(i + 1, "WITH"));
      if (query || tokens.kindAt(i) == TokenKind.PARAMETER) {
        tokens.moveTo(i);
        throw tokens.syntaxError();
      }
    }
    if (!FunctionCalls.in(tokens, context).isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_NOT_SUPPORTED_YET,
          "This version of MySQL doesn't yet support 'stored functions in HANDLER ... READ'");
    }
  }
}
