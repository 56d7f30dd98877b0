package io.alrai.cn.digest;

import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenScanner;

/**
 * A statement for which a mysqld is asked its digest: one that it can parse, without comments, and
 * with short literals where it does not matter what they say.
 *
 * @param sql the statement
 * @param shape what it is called by where no mysqld knows such a statement
 */
record DigestQuestion(String sql, ShapedText shape) {
  /** Longer statements are cut, and so named by Alrai. */
  static final int MOST_LENGTH = 256 << 10;

  /** Literals beyond that are not sent. */
  private static final int MOST_LITERAL = 64;

  /** Digests say no more than that there are several. */
  private static final int MOST_ROWS = 2;

  /** The question for a shape, by a statement of it. */
  static DigestQuestion of(ShapedText text, ShapedText shape) {
    String sql = shortened(text);
    return new DigestQuestion(sql.substring(0, Math.min(sql.length(), MOST_LENGTH)), shape);
  }

  /** How the statement is read. */
  LexicalMode mode() {
    return shape.mode();
  }

  private static String shortened(ShapedText text) {
    byte[] bytes = text.textBytes().length == 0 ? text.shapeBytes() : text.textBytes();
    int rows = text.foldedRows();
    int leftOut = rows > MOST_ROWS ? text.rowEnd(MOST_ROWS - 1) : Integer.MAX_VALUE;
    StringBuilder sql = new StringBuilder();
    TokenScanner tokens = new TokenScanner();
    tokens.reset(bytes, 0, bytes.length, text.mode());
    boolean marker = false; // a number in its place would touch the words beside it
    TokenKind kind = tokens.next();
    while (kind != TokenKind.END && sql.length() < MOST_LENGTH) {
      if (tokens.start() >= leftOut) {
        tokens.reset(bytes, text.rowEnd(rows - 1), bytes.length, text.mode());
        leftOut = Integer.MAX_VALUE;
      } else {
        boolean apart = marker || kind == TokenKind.PARAMETER || tokens.blankBefore();
        if (apart && !sql.isEmpty()) {
          sql.append(' ');
        }
        marker = kind == TokenKind.PARAMETER;
        int length = tokens.end() - tokens.start();
        sql.append(
            isSent(kind, length)
                ? new String(bytes, tokens.start(), length, text.mode().charset())
                : shortForm(kind));
      }
      kind = tokens.next();
    }
    return sql.toString();
  }

  private static boolean isSent(TokenKind kind, int length) {
    return switch (kind) {
      case PARAMETER -> false;
      case INTEGER, DECIMAL, FLOAT, STRING, NATIONAL_STRING, HEX, BIT -> length <= MOST_LITERAL;
      case BROKEN -> length > 0 && length <= MOST_LITERAL;
      default -> true;
    };
  }

  /** A literal of the same kind, which has the same digest; what is broken stays so. */
  private static String shortForm(TokenKind kind) {
    return switch (kind) {
      case STRING -> "'x'";
      case NATIONAL_STRING -> "N'x'";
      case HEX -> "x'41'";
      case BIT -> "b'1'";
      case BROKEN -> "'";
      default -> "0";
    };
  }
}
