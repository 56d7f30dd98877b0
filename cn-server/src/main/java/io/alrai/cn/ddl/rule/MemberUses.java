package io.alrai.cn.ddl.rule;

import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.text.Words;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.Locale;
import java.util.Set;

/**
 * Where a body names variables of type ENUM and SET. Each value is a text and a number at the same
 * time, and no literal is; a CN knows the text. So it takes bodies in which the text is meant,
 * wherever the names stand.
 */
final class MemberUses {
  private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<=>");

  /** Functions that read their arguments as texts. */
  private static final Set<String> OF_TEXTS =
      Set.of(
          "CONCAT",
          "CONCAT_WS",
          "COALESCE",
          "IFNULL",
          "NULLIF",
          "UPPER",
          "LOWER",
          "LENGTH",
          "CHAR_LENGTH",
          "REPLACE",
          "TRIM",
          "QUOTE",
          "FIND_IN_SET",
          "JSON_OBJECT",
          "JSON_ARRAY",
          "VALUES",
          "VALUE");

  private static final Set<String> BEFORE_A_VALUE =
      Set.of("SELECT", "RETURN", "THEN", "ELSE", "DISTINCT", "DEFAULT");

  private static final Set<String> BEHIND_A_VALUE =
      Set.of("FROM", "AS", "END", "WHERE", "ELSE", "WHEN", "INTO", "LIMIT", "UNION", "ORDER");

  private final TokenCursor tokens;

  MemberUses(TokenCursor tokens) {
    this.tokens = tokens;
  }

  /** Whether the text of a variable is meant wherever its name stands. */
  boolean areTexts(String variable) {
    for (int i = 0; i < tokens.size(); i++) {
      boolean named =
          isVariable(i)
              && tokens.token(i).name().equalsIgnoreCase(variable)
              && tokens.kindAt(i - 1) != TokenKind.DOT
              && tokens.kindAt(i + 1) != TokenKind.DOT;
      if (named && !isTarget(i) && !isCompared(i) && !isWhole(i)) {
        return false;
      }
    }
    return true;
  }

  /** A variable may be called as a statement begins, in quotes. */
  private boolean isVariable(int at) {
    return tokens.kindAt(at) == TokenKind.QUOTED
        || (tokens.kindAt(at) == TokenKind.WORD && !Words.reserved(word(at)));
  }

  /** DECLARE a, b type; SET a = ..; INTO a, b. */
  private boolean isTarget(int at) {
    int first = at;
    while (tokens.kindAt(first - 1) == TokenKind.COMMA && isName(first - 2)) {
      first -= 2;
    }
    String before = word(first - 1);
    return before.equals("DECLARE")
        || before.equals("INTO")
        || (before.equals("SET") && first == at && isComparison(at + 1));
  }

  private boolean isCompared(int at) {
    if (isComparison(at + 1)) {
      return isText(at + 2, at + 3);
    }
    if (isComparison(at - 1)) {
      return tokens.kindAt(at - 2) == TokenKind.STRING || isName(at - 2);
    }
    int next = word(at + 1).equals("NOT") ? at + 2 : at + 1;
    return switch (word(next)) {
      case "IN" -> tokens.kindAt(next + 2) == TokenKind.STRING;
      case "LIKE" -> tokens.kindAt(next + 1) == TokenKind.STRING;
      case "IS" -> true;
      case "WHEN" -> word(at - 1).equals("CASE") && tokens.kindAt(next + 1) == TokenKind.STRING;
      default -> false;
    };
  }

  /** A string, or a name that is not called. */
  private boolean isText(int at, int behind) {
    return tokens.kindAt(at) == TokenKind.STRING
        || (isName(at) && tokens.kindAt(behind) != TokenKind.OPEN);
  }

  /** Neither an operand nor an argument that may be read as a number. */
  private boolean isWhole(int at) {
    boolean ends =
        switch (tokens.kindAt(at + 1)) {
          case COMMA, CLOSE, SEMICOLON, END -> true;
          default -> BEHIND_A_VALUE.contains(word(at + 1));
        };
    if (!ends) {
      return false;
    }
    return switch (tokens.kindAt(at - 1)) {
      case COMMA, OPEN -> isArgumentOfTexts(at);
      default -> BEFORE_A_VALUE.contains(word(at - 1));
    };
  }

  /** Also of CALL, in rows of values, and in lists outside of parentheses. */
  private boolean isArgumentOfTexts(int at) {
    int depth = 0;
    int open = at - 1;
    while (open >= 0 && tokens.kindAt(open) != TokenKind.SEMICOLON) {
      depth += tokens.kindAt(open) == TokenKind.CLOSE ? 1 : 0;
      if (tokens.kindAt(open) == TokenKind.OPEN && --depth < 0) {
        break;
      }
      open--;
    }
    if (tokens.kindAt(open) != TokenKind.OPEN) {
      return true;
    }
    boolean ofRows = tokens.kindAt(open - 1) == TokenKind.COMMA;
    return ofRows
        || OF_TEXTS.contains(word(open - 1))
        || word(open - 2).equals("CALL")
        || word(open - 2).equals("INTO");
  }

  private boolean isComparison(int at) {
    return tokens.kindAt(at) == TokenKind.OPERATOR
        && (COMPARISONS.contains(tokens.token(at).text()) || tokens.token(at).text().equals(":="));
  }

  private boolean isName(int at) {
    return at >= 0 && at < tokens.size() && tokens.token(at).isName();
  }

  private String word(int at) {
    return tokens.kindAt(at) == TokenKind.WORD
        ? tokens.token(at).text().toUpperCase(Locale.ROOT)
        : "";
  }
}
