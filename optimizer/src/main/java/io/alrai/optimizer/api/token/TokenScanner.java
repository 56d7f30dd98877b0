package io.alrai.optimizer.api.token;

import io.alrai.optimizer.api.text.CharacterPairs;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.TokenKind;
import java.util.Arrays;

/**
 * MySQL's lexer over bytes in place: one call of {@link #next} for each token, no object made for
 * any. Comments are skipped; the contents of {@code /*! .. *}{@code /} comments are tokens when
 * their version is not above {@link #VERSION}. Source: the MySQL manual, "Language Structure".
 *
 * <p>Positions are indices of the array. Not thread-safe; an instance is reused for any number of
 * texts.
 */
public final class TokenScanner {
  /** The server version that conditional comments are compared with. */
  public static final int VERSION = 90704;

  private static final byte BLANK = 1;
  private static final byte LETTER = 2;
  private static final byte DIGIT = 3;
  private static final byte[] CLASSES = new byte[256];

  static {
    Arrays.fill(CLASSES, 0x80, 0x100, LETTER);
    Arrays.fill(CLASSES, 'a', 'z' + 1, LETTER);
    Arrays.fill(CLASSES, 'A', 'Z' + 1, LETTER);
    CLASSES['_'] = LETTER;
    CLASSES['$'] = LETTER;
    Arrays.fill(CLASSES, '0', '9' + 1, DIGIT);
    Arrays.fill(CLASSES, 0x09, 0x0e, BLANK);
    CLASSES[' '] = BLANK;
  }

  private byte[] sql = new byte[0];
  private int end;
  private boolean ansiQuotes;
  private boolean noBackslashEscapes;
  private CharacterPairs pairs = CharacterPairs.NONE;

  private int position;
  private int tokenStart;
  private long wordKey;
  private boolean blankBefore;
  private boolean inVersionComment;
  private boolean sawComment;
  private boolean nameFollows;
  private boolean behindName;

  /** Starts a text: the bytes from {@code from} to {@code to}, exclusive. */
  public void reset(byte[] text, int from, int to, LexicalMode mode) {
    this.sql = text;
    this.position = from;
    this.tokenStart = from;
    this.end = to;
    this.ansiQuotes = mode.ansiQuotes();
    this.noBackslashEscapes = mode.noBackslashEscapes();
    this.pairs = CharacterPairs.of(mode.charset());
    this.inVersionComment = false;
    this.sawComment = false;
    this.nameFollows = false;
    this.behindName = false;
  }

  /** Where the last token starts. */
  public int start() {
    return tokenStart;
  }

  /** Where the last token ends, exclusive. */
  public int end() {
    return position;
  }

  /** Whether blanks or comments stand between the last token and the one before. */
  public boolean blankBefore() {
    return blankBefore;
  }

  /** Whether a comment has been skipped. */
  public boolean sawComment() {
    return sawComment;
  }

  /** The last eight bytes of a WORD in upper case, packed; as keywords are compared. */
  public long wordKey() {
    return wordKey;
  }

  /** Steps to the next token. */
  public TokenKind next() {
    boolean behind = behindName;
    int before = position;
    behindName = false;
    if (!skipBlanks()) {
      return TokenKind.BROKEN;
    }
    int at = position;
    tokenStart = at;
    if (at >= end) {
      return atEnd();
    }
    if (nameFollows) {
      nameFollows = false;
      return word(at);
    }
    byte first = sql[at];
    return switch (CLASSES[first & 0xff]) {
      case LETTER -> letter(at, first);
      case DIGIT -> number(at);
      default -> symbol(at, first, behind && before == at);
    };
  }

  /** A conditional comment that is still open is a token without text. */
  private TokenKind atEnd() {
    if (inVersionComment) {
      inVersionComment = false;
      return TokenKind.BROKEN;
    }
    return TokenKind.END;
  }

  private TokenKind letter(int at, byte first) {
    if (at + 1 < end && sql[at + 1] == '\'') {
      switch (first) {
        case 'n', 'N' -> {
          position = at + 1;
          return quoted((byte) '\'', !noBackslashEscapes, TokenKind.NATIONAL_STRING);
        }
        case 'x', 'X' -> {
          return digitsInQuotes(at + 2, TokenKind.HEX);
        }
        case 'b', 'B' -> {
          return digitsInQuotes(at + 2, TokenKind.BIT);
        }
        default -> {}
      }
    }
    return word(at);
  }

  private TokenKind word(int from) {
    byte[] text = sql;
    int at = from;
    long key = 0;
    while (at < end && CLASSES[text[at] & 0xff] >= LETTER) {
      key = key << 8 | (text[at] & 0xdf);
      at += pairs.startsAt(text, at, end) ? 2 : 1;
    }
    wordKey = key;
    position = at;
    behindName = true;
    return TokenKind.WORD;
  }

  private TokenKind digitsInQuotes(int from, TokenKind kind) {
    int at = from;
    while (at < end && (kind == TokenKind.HEX ? isHexDigit(sql[at]) : isBit(sql[at]))) {
      at++;
    }
    if (at >= end || sql[at] != '\'' || (kind == TokenKind.HEX && (at - from) % 2 != 0)) {
      position = end;
      return TokenKind.BROKEN;
    }
    position = at + 1;
    return kind;
  }

  private TokenKind number(int from) {
    int at = from + 1;
    if (sql[from] == '0' && at < end && (sql[at] == 'x' || sql[at] == 'b')) {
      boolean hex = sql[at] == 'x';
      at++;
      while (at < end && (hex ? isHexDigit(sql[at]) : isBit(sql[at]))) {
        at++;
      }
      if (at - from >= 3 && !isNamePart(at)) {
        position = at;
        return hex ? TokenKind.HEX : TokenKind.BIT;
      }
      return word(from);
    }
    at = digits(at);
    if (at < end && sql[at] == '.') {
      return fraction(at + 1);
    }
    if (!isNamePart(at)) {
      position = at;
      return TokenKind.INTEGER;
    }
    if ((sql[at] | 0x20) == 'e') {
      int exponent = at + 1;
      if (exponent < end && (sql[exponent] == '+' || sql[exponent] == '-')) {
        exponent++;
      }
      if (isDigit(exponent)) {
        position = digits(exponent);
        return TokenKind.FLOAT;
      }
    }
    return word(from);
  }

  /** After the point of a number. */
  private TokenKind fraction(int from) {
    int at = digits(from);
    if (at < end && (sql[at] | 0x20) == 'e') {
      int exponent = at + 1;
      if (exponent < end && (sql[exponent] == '+' || sql[exponent] == '-')) {
        exponent++;
      }
      if (!isDigit(exponent)) {
        position = at + 1;
        return TokenKind.OTHER;
      }
      position = digits(exponent);
      return TokenKind.FLOAT;
    }
    position = at;
    return TokenKind.DECIMAL;
  }

  private TokenKind symbol(int at, byte first, boolean rightBehindName) {
    position = at + 1;
    return switch (first) {
      case '(' -> TokenKind.OPEN;
      case ')' -> TokenKind.CLOSE;
      case ',' -> TokenKind.COMMA;
      case ';' -> TokenKind.SEMICOLON;
      case '?' -> TokenKind.PARAMETER;
      case '.' -> dot(at, rightBehindName);
      case '\'' -> inQuotes(at, TokenKind.STRING, !noBackslashEscapes);
      case '"' ->
          ansiQuotes
              ? inQuotes(at, TokenKind.QUOTED, false)
              : inQuotes(at, TokenKind.STRING, !noBackslashEscapes);
      case '`' -> inQuotes(at, TokenKind.QUOTED, false);
      case '@' -> variable(at);
      case '/' -> isAt(at + 1, '*') ? hint(at) : TokenKind.OPERATOR;
      case '-' -> isAt(at + 1, '>') ? arrow(at) : TokenKind.OPERATOR;
      case '<' -> longest(at, "=><");
      case '>' -> longest(at, "=>");
      case '!' -> longest(at, "=");
      case '|' -> longest(at, "|");
      case '&' -> longest(at, "&");
      case ':' -> longest(at, "=");
      case '=', '+', '*', '%', '^', '~' -> TokenKind.OPERATOR;
      default -> TokenKind.OTHER;
    };
  }

  private TokenKind dot(int at, boolean rightBehindName) {
    if (isDigit(at + 1) && !rightBehindName) {
      return fraction(at + 1);
    }
    nameFollows = isNamePart(at + 1);
    return TokenKind.DOT;
  }

  private TokenKind arrow(int at) {
    position = isAt(at + 2, '>') ? at + 3 : at + 2;
    return TokenKind.ARROW;
  }

  /** An operator of one byte or two, or {@code <=>}. */
  private TokenKind longest(int at, String seconds) {
    if (at + 1 < end && seconds.indexOf(sql[at + 1]) >= 0) {
      boolean nullSafe = sql[at] == '<' && sql[at + 1] == '=' && isAt(at + 2, '>');
      position = nullSafe ? at + 3 : at + 2;
    }
    return TokenKind.OPERATOR;
  }

  private TokenKind hint(int at) {
    int close = closeOfComment(at + 3);
    position = close;
    return TokenKind.HINT;
  }

  private TokenKind variable(int at) {
    boolean system = isAt(at + 1, '@');
    int name = system ? at + 2 : at + 1;
    TokenKind kind = system ? TokenKind.SYSTEM_VARIABLE : TokenKind.USER_VARIABLE;
    position = name;
    if (name < end && (sql[name] == '`' || (!system && (sql[name] == '\'' || sql[name] == '"')))) {
      boolean escapes = sql[name] != '`' && !noBackslashEscapes;
      return inQuotes(name, kind, escapes);
    }
    while (isNamePart(name) || (!system && isAt(name, '.'))) {
      name++;
    }
    position = name;
    behindName = system;
    return kind;
  }

  private TokenKind inQuotes(int at, TokenKind kind, boolean escapes) {
    position = at;
    return quoted(sql[at], escapes, kind);
  }

  /** Reads a quoted text whose opening quote is at {@code position}. */
  private TokenKind quoted(byte quote, boolean escapes, TokenKind kind) {
    byte[] text = sql;
    int at = position + 1;
    while (at < end) {
      byte next = text[at];
      if (next == quote) {
        if (at + 1 >= end || text[at + 1] != quote) {
          position = at + 1;
          return kind;
        }
        at++;
      } else if ((next == '\\' && escapes) || pairs.startsAt(text, at, end)) {
        at++;
      }
      at++;
    }
    position = end;
    return TokenKind.BROKEN;
  }

  /**
   * Skips blanks and comments.
   *
   * @return false at a comment that never ends; the position is then the end of the text
   */
  private boolean skipBlanks() {
    blankBefore = false;
    while (position < end) {
      byte next = sql[position];
      if (CLASSES[next & 0xff] == BLANK) {
        position++;
      } else if (next == '#' || (next == '-' && startsDashComment())) {
        skipLine();
      } else if (next == '/' && isAt(position + 1, '*')) {
        if (isAt(position + 2, '+') && closeOfComment(position + 3) > 0) {
          return true;
        }
        if (!skipComment()) {
          return false;
        }
      } else if (next == '*' && inVersionComment && isAt(position + 1, '/')) {
        inVersionComment = false;
        position += 2;
      } else {
        return true;
      }
      blankBefore = true;
    }
    return true;
  }

  private boolean startsDashComment() {
    if (!isAt(position + 1, '-')) {
      return false;
    }
    int third = position + 2;
    return third >= end || (sql[third] >= 0 && sql[third] <= ' ') || sql[third] == 0x7f;
  }

  private void skipLine() {
    sawComment = true;
    while (position < end && sql[position] != '\n') {
      position++;
    }
  }

  private boolean skipComment() {
    int opened = position;
    sawComment = true;
    if (isAt(opened + 2, '!')) {
      int at = opened + 3;
      int digits = Math.min(digits(at), at + 6) - at;
      if (digits < 5) {
        inVersionComment = true;
        position = at;
        return true;
      }
      int version = 0;
      for (int i = at; i < at + digits; i++) {
        version = version * 10 + (sql[i] - '0');
      }
      if (version <= VERSION) {
        inVersionComment = true;
        position = at + digits;
        return true;
      }
      return skipTo(opened, closeOfNestedComment(at));
    }
    return skipTo(opened, closeOfComment(opened + 2));
  }

  private boolean skipTo(int opened, int close) {
    if (close < 0) {
      tokenStart = opened;
      position = end;
      return false;
    }
    position = close;
    return true;
  }

  /** After the next end of a comment, or -1. */
  private int closeOfComment(int from) {
    for (int at = from; at + 1 < end; at++) {
      if (sql[at] == '*' && sql[at + 1] == '/') {
        return at + 2;
      }
    }
    return -1;
  }

  /** The end of a conditional comment that is skipped, stepping over comments inside it. */
  private int closeOfNestedComment(int from) {
    int at = from;
    while (at + 1 < end) {
      if (sql[at] == '/' && sql[at + 1] == '*') {
        at = closeOfComment(at + 2);
        if (at < 0) {
          return -1;
        }
      } else if (sql[at] == '*' && sql[at + 1] == '/') {
        return at + 2;
      } else {
        at++;
      }
    }
    return -1;
  }

  private int digits(int from) {
    int at = from;
    while (isDigit(at)) {
      at++;
    }
    return at;
  }

  private boolean isAt(int at, char expected) {
    return at < end && sql[at] == expected;
  }

  private boolean isDigit(int at) {
    return at < end && CLASSES[sql[at] & 0xff] == DIGIT;
  }

  private boolean isNamePart(int at) {
    return at < end && CLASSES[sql[at] & 0xff] >= LETTER;
  }

  /** Whether the byte may stand in an unquoted identifier. */
  public static boolean isNamePart(byte b) {
    return CLASSES[b & 0xff] >= LETTER;
  }

  private static boolean isHexDigit(byte b) {
    return (b >= '0' && b <= '9') || ((b | 0x20) >= 'a' && (b | 0x20) <= 'f');
  }

  private static boolean isBit(byte b) {
    return b == '0' || b == '1';
  }
}
