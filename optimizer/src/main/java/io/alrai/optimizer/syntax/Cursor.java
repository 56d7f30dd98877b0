package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.api.text.Words;
import io.alrai.optimizer.syntax.Token.Kind;
import java.util.List;

/** A place in a list of tokens; moved by the parsers. One thread. */
final class Cursor {
  private final List<Token> tokens;
  private int index;

  Cursor(List<Token> tokens) {
    this.tokens = tokens;
  }

  Token peek() {
    return tokens.get(index);
  }

  Token peek(int ahead) {
    return tokens.get(Math.min(index + ahead, tokens.size() - 1));
  }

  Token next() {
    Token token = peek();
    if (token.kind() != Kind.END) {
      index++;
    }
    return token;
  }

  int index() {
    return index;
  }

  void back(int to) {
    index = to;
  }

  /** Span of the token before the cursor. */
  Span last() {
    return tokens.get(Math.max(0, index - 1)).span();
  }

  boolean atEnd() {
    return peek().kind() == Kind.END;
  }

  boolean isWord(String upper) {
    return peek().upper().equals(upper);
  }

  boolean isAnyWord(String... uppers) {
    for (String upper : uppers) {
      if (isWord(upper)) {
        return true;
      }
    }
    return false;
  }

  boolean isOperator(String text) {
    return peek().kind() == Kind.OPERATOR && peek().text().equals(text);
  }

  boolean acceptWord(String upper) {
    if (isWord(upper)) {
      index++;
      return true;
    }
    return false;
  }

  boolean acceptOperator(String text) {
    if (isOperator(text)) {
      index++;
      return true;
    }
    return false;
  }

  void expectWord(String upper) {
    if (!acceptWord(upper)) {
      throw failure();
    }
  }

  void expectOperator(String text) {
    if (!acceptOperator(text)) {
      throw failure();
    }
  }

  SyntaxException failure() {
    return new SyntaxException(peek().span().start());
  }

  /** A name: quoted, or a word that is not reserved. */
  Identifier identifier() {
    Token token = peek();
    if (token.kind() == Kind.QUOTED
        || (token.kind() == Kind.WORD && !Words.reserved(token.upper()))) {
      index++;
      return new Identifier(token.text(), token.span());
    }
    throw failure();
  }

  boolean isIdentifier() {
    Token token = peek();
    return token.kind() == Kind.QUOTED
        || (token.kind() == Kind.WORD && !Words.reserved(token.upper()));
  }

  /** A name after a point, where reserved words are names too. */
  Identifier identifierAfterDot() {
    Token token = peek();
    if (token.kind() == Kind.QUOTED || token.kind() == Kind.WORD) {
      index++;
      return new Identifier(token.text(), token.span());
    }
    throw failure();
  }

  /** Whether a comma stands in the parentheses that open here, not within others. */
  boolean listInParentheses() {
    int depth = 0;
    for (int ahead = 0; peek(ahead).kind() != Kind.END; ahead++) {
      Token token = peek(ahead);
      if (token.kind() != Kind.OPERATOR) {
        continue;
      }
      switch (token.text()) {
        case "(" -> depth++;
        case ")" -> depth--;
        case "," -> {
          if (depth == 1) {
            return true;
          }
        }
        default -> {}
      }
      if (depth == 0) {
        return false;
      }
    }
    return false;
  }

  /** Moves past the parenthesis that closes the one before the cursor. */
  void skipToClosing() {
    int depth = 1;
    while (depth > 0) {
      if (atEnd()) {
        throw failure();
      }
      Token token = next();
      if (token.kind() == Kind.OPERATOR) {
        if (token.text().equals("(")) {
          depth++;
        } else if (token.text().equals(")")) {
          depth--;
        }
      }
    }
  }
}
