package io.alrai.optimizer.parse;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.text.Words;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.VariableNames;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * EXPLAIN of a statement, cut in two.
 *
 * @param prefix EXPLAIN and its options, less INTO and comments, with a blank at the end
 * @param into the user variable after INTO, in lower case and without {@code @}
 * @param statement what is explained; its slots have the numbers that they have in the whole
 */
public record ExplainText(String prefix, Optional<String> into, ShapedText statement) {
  private static final Set<String> FORMATS = Set.of("TRADITIONAL", "JSON", "TREE");

  /**
   * Cuts the statement.
   *
   * @return empty when it is no EXPLAIN of a statement
   * @throws AlraiException ER_NOT_SUPPORTED_YET for EXPLAIN FOR CONNECTION; 6006 and 6007 for INTO
   *     with another format than JSON
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
    int into = into(tokens, verb);
    Optional<String> variable = into < 0 ? Optional.empty() : Optional.of(variable(tokens, into));
    String prefix =
        into < 0
            ? words(tokens, 0, verb)
            : words(tokens, 0, into) + " " + words(tokens, into + 2, verb);
    return Optional.of(
        new ExplainText(
            prefix.strip() + " ",
            variable,
            ShapedText.of(inner, context.ansiQuotes(), context.noBackslashEscapes())));
  }

  /** As they are written, but for comments: what reads them looks for words. */
  private static String words(TokenCursor tokens, int from, int to) {
    StringBuilder words = new StringBuilder();
    for (int i = from; i < to; i++) {
      if (i > from && !tokens.touches(i)) {
        words.append(' ');
      }
      words.append(tokens.token(i).text());
    }
    return words.toString();
  }

  /** Index of INTO before the statement, or -1. */
  private static int into(TokenCursor tokens, int verb) {
    for (int i = 1; i < verb; i++) {
      if (tokens.seesAt(i, "INTO")) {
        return i;
      }
    }
    return -1;
  }

  private static String variable(TokenCursor tokens, int into) {
    if (tokens.kindAt(into + 1) != TokenKind.USER_VARIABLE) {
      tokens.moveTo(into + 1);
      throw tokens.syntaxError();
    }
    boolean format = into > 3 && tokens.seesAt(into - 3, "FORMAT");
    if (!format) {
      throw new AlraiException(
          ErrorCode.ER_EXPLAIN_INTO_IMPLICIT_FORMAT_NOT_SUPPORTED,
          "EXPLAIN INTO does not support implicit FORMAT.");
    }
    if (!tokens.seesAt(into - 1, "JSON")) {
      throw new AlraiException(
          ErrorCode.ER_EXPLAIN_INTO_FORMAT_NOT_SUPPORTED,
          "EXPLAIN INTO does not support FORMAT="
              + tokens.token(into - 1).text().toUpperCase(Locale.ROOT)
              + ".");
    }
    return VariableNames.ofUserVariable(tokens.token(into + 1).text());
  }

  private static boolean isExplain(TokenCursor tokens) {
    return tokens.sees("EXPLAIN") || tokens.sees("DESCRIBE") || tokens.sees("DESC");
  }

  /** EXPLAIN SHARDING and DESCRIBE of a table; empty for EXPLAIN of a statement. */
  static Optional<AdminStatement.Parsed> administrative(TokenCursor tokens) {
    requireKnownFormat(tokens);
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

  /** A mysqld looks at the format before it reads on. */
  private static void requireKnownFormat(TokenCursor tokens) {
    tokens.moveTo(1);
    tokens.take("ANALYZE");
    if (tokens.take("FORMAT") && tokens.takeOperator("=")) {
      int written = tokens.position();
      String format = tokens.identifierOrString();
      boolean name = tokens.kindAt(written) != TokenKind.WORD || isName(tokens, written);
      if (!name) {
        tokens.moveTo(written);
        throw tokens.syntaxError();
      }
      if (!FORMATS.contains(format.toUpperCase(Locale.ROOT))) {
        throw new AlraiException(
            ErrorCode.ER_UNKNOWN_EXPLAIN_FORMAT, "Unknown EXPLAIN format name: '" + format + "'");
      }
    }
    tokens.moveTo(0);
  }

  /** Whether a word is neither reserved nor an introducer. */
  private static boolean isName(TokenCursor tokens, int word) {
    String text = tokens.token(word).text();
    boolean introducer = text.startsWith("_") && tokens.kindAt(word + 1) == TokenKind.STRING;
    return !introducer && !Words.reserved(text.toUpperCase(Locale.ROOT));
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
