package io.alrai.optimizer.parse;

import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import java.util.Locale;
import java.util.Optional;

/**
 * EXPLAIN of a statement, cut in two.
 *
 * @param prefix EXPLAIN and its options, with a blank at the end
 * @param statement what is explained; its slots have the numbers that they have in the whole
 */
public record ExplainText(String prefix, ShapedText statement) {
  /**
   * Cuts the statement.
   *
   * @return empty when it is no EXPLAIN of a statement
   * @throws io.alrai.common.error.AlraiException ER_NOT_SUPPORTED_YET for EXPLAIN FOR CONNECTION
   */
  public static Optional<ExplainText> of(ShapedStatement explain, Planner.Context context) {
    String text = explain.text();
    TokenCursor tokens = AdminParser.cursor(text.contains("/*!") ? explain.shape() : text, context);
    if (tokens.atEnd() || !isExplain(tokens)) {
      return Optional.empty();
    }
    int verb = verb(tokens);
    if (verb < 0) {
      return Optional.empty();
    }
    String inner = tokens.slice(verb, tokens.size());
    return Optional.of(
        new ExplainText(
            tokens.slice(0, verb) + " ",
            ShapedText.of(inner, context.ansiQuotes(), context.noBackslashEscapes())));
  }

  private static boolean isExplain(TokenCursor tokens) {
    return tokens.sees("EXPLAIN") || tokens.sees("DESCRIBE") || tokens.sees("DESC");
  }

  /** EXPLAIN SHARDING and DESCRIBE of a table; empty for EXPLAIN of a statement. */
  static Optional<AdminStatement> administrative(TokenCursor tokens) {
    int verb = verb(tokens);
    if (verb >= 0) {
      if (verb == 2 && tokens.seesAt(1, "SHARDING")) {
        return Optional.of(new AdminStatement.ExplainSharding(tokens.slice(verb, tokens.size())));
      }
      return Optional.empty();
    }
    tokens.moveTo(1);
    if (tokens.atEnd()) {
      throw tokens.syntaxError();
    }
    if (hasConnection(tokens)) {
      throw AdminParser.notSupported(
          "EXPLAIN FOR CONNECTION",
          "; SHOW FULL PROCESSLIST shows its statement, which EXPLAIN explains");
    }
    tokens.tableName();
    if (!tokens.atEnd()) {
      tokens.identifierOrString();
    }
    tokens.expectEnd();
    return Optional.of(new AdminStatement.FromShadow(tokens.template()));
  }

  private static boolean hasConnection(TokenCursor tokens) {
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.seesAt(i, "FOR", "CONNECTION")) {
        return true;
      }
    }
    return false;
  }

  /** Index of the explained statement's first token, or -1. */
  private static int verb(TokenCursor tokens) {
    for (int i = 1; i < tokens.size(); i++) {
      boolean word = tokens.kindAt(i) == TokenKind.WORD;
      if (tokens.kindAt(i) == TokenKind.OPEN) {
        return i;
      }
      if (word && AdminParser.DATA.contains(tokens.token(i).text().toUpperCase(Locale.ROOT))) {
        return i;
      }
      if (tokens.kindAt(i) == TokenKind.DOT) {
        return -1;
      }
    }
    return -1;
  }
}
