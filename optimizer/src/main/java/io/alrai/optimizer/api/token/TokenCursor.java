package io.alrai.optimizer.api.token;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.StringContent;
import io.alrai.optimizer.api.text.SyntaxError;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.syntax.ExpressionText;
import io.alrai.optimizer.syntax.SourceText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A place in a statement's tokens; hints are left out. For texts that are read once, not for every
 * execution. Not thread-safe.
 */
public final class TokenCursor {
  /**
   * One token.
   *
   * @param kind never END
   * @param text as written
   * @param start index of its first byte in the text's UTF-8 form
   * @param end index after its last byte
   */
  public record Token(TokenKind kind, String text, int start, int end) {
    /** Whether it is this unquoted word, in any case. */
    public boolean isWord(String word) {
      return kind == TokenKind.WORD && text.equalsIgnoreCase(word);
    }

    /** Whether it is a word or a quoted identifier. */
    public boolean isName() {
      return kind == TokenKind.WORD || kind == TokenKind.QUOTED;
    }

    /** The current name, without its quotes. */
    public String name() {
      return kind == TokenKind.QUOTED ? unquoted(text, true) : text;
    }
  }

  /** Each is an object; what has more of them is no statement that anybody reads. */
  private static final int MOST = 1 << 21;

  private final String sql;
  private final byte[] bytes;
  private final boolean ansiQuotes;
  private final boolean noBackslashEscapes;
  private final List<Token> tokens = new ArrayList<>();
  private int[] slots = new int[0];
  private int at;

  /** At the first token of the text; a semicolon at its end is left out. */
  public TokenCursor(String sql, boolean ansiQuotes, boolean noBackslashEscapes) {
    this(sql, ansiQuotes, noBackslashEscapes, false);
  }

  /**
   * At the first token of a stored program's text.
   *
   * @return with the semicolons between its statements
   */
  public static TokenCursor ofProgram(String sql, boolean ansiQuotes, boolean noBackslashEscapes) {
    return new TokenCursor(sql, ansiQuotes, noBackslashEscapes, true);
  }

  private TokenCursor(
      String sql, boolean ansiQuotes, boolean noBackslashEscapes, boolean wholeProgram) {
    this.sql = sql;
    this.bytes = sql.getBytes(StandardCharsets.UTF_8);
    this.ansiQuotes = ansiQuotes;
    this.noBackslashEscapes = noBackslashEscapes;
    TokenScanner scanner = new TokenScanner();
    scanner.reset(
        bytes,
        0,
        bytes.length,
        new LexicalMode(StandardCharsets.UTF_8, ansiQuotes, noBackslashEscapes));
    TokenKind kind = scanner.next();
    while (kind != TokenKind.END && (wholeProgram || kind != TokenKind.SEMICOLON)) {
      if (kind != TokenKind.HINT) {
        if (tokens.size() == MOST) {
          throw new AlraiException(
              ErrorCode.ER_OUT_OF_RESOURCES,
              "Out of memory: the statement has more than " + MOST + " words");
        }
        int length = scanner.end() - scanner.start();
        String text = new String(bytes, scanner.start(), length, StandardCharsets.UTF_8);
        tokens.add(new Token(kind, text, scanner.start(), scanner.end()));
      }
      kind = scanner.next();
    }
  }

  /** The content of a quoted text. */
  public static String unquoted(String quoted, boolean noBackslashEscapes) {
    byte[] bytes = quoted.getBytes(StandardCharsets.UTF_8);
    LexicalMode mode = new LexicalMode(StandardCharsets.UTF_8, false, noBackslashEscapes);
    byte[] content = StringContent.unquote(bytes, 0, bytes.length, mode);
    return new String(content, StandardCharsets.UTF_8);
  }

  /** Whether nothing stands between this token and the one before. */
  public boolean touches(int index) {
    return index > 0 && tokens.get(index - 1).end() == tokens.get(index).start();
  }

  /** How many tokens there are. */
  public int size() {
    return tokens.size();
  }

  /** Index of the current token. */
  public int position() {
    return at;
  }

  /** Goes to the token of that index. */
  public void moveTo(int index) {
    at = index;
  }

  /** Whether all tokens are read. */
  public boolean atEnd() {
    return at >= tokens.size();
  }

  /** The token of that index. */
  public Token token(int index) {
    return tokens.get(index);
  }

  /** What the token of that index is; END after the last. */
  public TokenKind kindAt(int index) {
    return index >= 0 && index < tokens.size() ? tokens.get(index).kind() : TokenKind.END;
  }

  /** What the current token is; END after the last. */
  public TokenKind kind() {
    return kindAt(at);
  }

  /** Whether these unquoted words come next. */
  public boolean sees(String... words) {
    return seesAt(at, words);
  }

  /** Whether these unquoted words stand at an index. */
  public boolean seesAt(int index, String... words) {
    if (index + words.length > tokens.size()) {
      return false;
    }
    for (int i = 0; i < words.length; i++) {
      if (!tokens.get(index + i).isWord(words[i])) {
        return false;
      }
    }
    return true;
  }

  /** Steps over these words if they come next. */
  public boolean take(String... words) {
    if (!sees(words)) {
      return false;
    }
    at += words.length;
    return true;
  }

  /** Steps over a token of that kind if it comes next. */
  public boolean take(TokenKind kind) {
    if (kind() != kind) {
      return false;
    }
    at++;
    return true;
  }

  /** Whether this operator comes next. */
  public boolean seesOperator(String operator) {
    return kind() == TokenKind.OPERATOR && tokens.get(at).text().equals(operator);
  }

  /** Steps over this operator if it comes next. */
  public boolean takeOperator(String operator) {
    if (!seesOperator(operator)) {
      return false;
    }
    at++;
    return true;
  }

  /** Steps over the words, which must come next. */
  public void expect(String... words) {
    for (String word : words) {
      if (!take(word)) {
        throw syntaxError();
      }
    }
  }

  /** Steps over a token of that kind, which must come next. */
  public void expect(TokenKind kind) {
    if (!take(kind)) {
      throw syntaxError();
    }
  }

  /** Nothing may come next. */
  public void expectEnd() {
    if (!atEnd()) {
      throw syntaxError();
    }
  }

  /** An identifier, without quotes. */
  public String identifier() {
    if (atEnd() || !tokens.get(at).isName()) {
      throw syntaxError();
    }
    return tokens.get(at++).name();
  }

  /** A string's content; adjacent strings are one. */
  public String string() {
    if (kind() != TokenKind.STRING) {
      throw syntaxError();
    }
    StringBuilder content = new StringBuilder();
    while (kind() == TokenKind.STRING) {
      content.append(unquoted(tokens.get(at++).text(), noBackslashEscapes));
    }
    return content.toString();
  }

  /** An identifier or a string. */
  public String identifierOrString() {
    return kind() == TokenKind.STRING ? string() : identifier();
  }

  /**
   * A LIMIT clause.
   *
   * @param offset how many rows are left out
   * @param count how many of the others there are at most
   */
  public record Limit(long offset, long count) {}

  /** Reads one; none stands for so many rows from the first on. */
  public Limit limit(long otherwise) {
    if (!take("LIMIT")) {
      return new Limit(0, otherwise);
    }
    long first = rows();
    if (take(TokenKind.COMMA)) {
      return new Limit(first, rows());
    }
    return new Limit(take("OFFSET") ? rows() : 0, first);
  }

  /** A number of up to 64 bits; there are never more rows than a long can count. */
  private long rows() {
    if (kind() != TokenKind.INTEGER) {
      throw syntaxError();
    }
    try {
      long rows = Long.parseUnsignedLong(tokens.get(at).text());
      at++;
      return rows < 0 ? Long.MAX_VALUE : rows;
    } catch (NumberFormatException e) {
      throw syntaxError();
    }
  }

  /** A whole number. */
  public long number() {
    if (kind() != TokenKind.INTEGER || tokens.get(at).text().length() > 18) {
      throw syntaxError();
    }
    return Long.parseLong(tokens.get(at++).text());
  }

  /** {@code [schema.]table}. */
  public TableName tableName() {
    String first = identifier();
    return take(TokenKind.DOT)
        ? new TableName(Optional.of(first), identifier())
        : new TableName(Optional.empty(), first);
  }

  /** At an opening parenthesis: the index after the one that closes it. */
  public int behindParentheses(int open) {
    int depth = 0;
    for (int i = open; i < tokens.size(); i++) {
      switch (tokens.get(i).kind()) {
        case OPEN -> depth++;
        case CLOSE -> {
          depth--;
          if (depth == 0) {
            return i + 1;
          }
        }
        case BROKEN -> at = i;
        default -> {}
      }
    }
    if (tokens.getLast().kind() != TokenKind.BROKEN) {
      at = tokens.size();
    }
    throw syntaxError();
  }

  /**
   * The index of the first comma outside parentheses, or of the parenthesis that closes the list
   * around {@code from}, or the size.
   */
  public int endOfItem(int from) {
    int depth = 0;
    for (int i = from; i < tokens.size(); i++) {
      switch (tokens.get(i).kind()) {
        case OPEN -> depth++;
        case CLOSE -> {
          if (depth == 0) {
            return i;
          }
          depth--;
        }
        case COMMA -> {
          if (depth == 0) {
            return i;
          }
        }
        case BROKEN -> {
          at = i;
          throw syntaxError();
        }
        default -> {}
      }
    }
    return tokens.size();
  }

  /** To the first token after a text that begins with a token. */
  public void moveAfter(int from, String text) {
    int end = tokens.get(from).start() + text.getBytes(StandardCharsets.UTF_8).length;
    at = from;
    while (at < tokens.size() && tokens.get(at).start() < end) {
      at++;
    }
  }

  /**
   * Checks that an expression stands from one token up to another one, exclusive, and nothing more.
   *
   * @throws AlraiException ER_PARSE_ERROR
   */
  public void requireExpression(int from, int to) {
    if (from >= to) {
      at = from;
      throw syntaxError();
    }
    String text = slice(from, to);
    int end;
    try {
      end = ExpressionText.end(SourceText.of(text, ansiQuotes, noBackslashEscapes));
    } catch (SyntaxException e) {
      moveAfter(from, text.substring(0, Math.min(e.position(), text.length())));
      throw syntaxError();
    }
    if (end < text.length()) {
      moveAfter(from, text.substring(0, end));
      throw syntaxError();
    }
  }

  /** The text from one token up to another one, exclusive. */
  public String slice(int from, int to) {
    if (from >= to) {
      return "";
    }
    return bytes(tokens.get(from).start(), tokens.get(to - 1).end());
  }

  /** The text from one byte up to another one, exclusive. */
  String bytes(int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }

  /** The number of the parameter marker at an index, or of the next one after it. */
  public int slot(int index) {
    if (slots.length == 0) {
      slots = new int[tokens.size() + 1];
      for (int i = 0; i < tokens.size(); i++) {
        slots[i + 1] = slots[i] + (tokens.get(i).kind() == TokenKind.PARAMETER ? 1 : 0);
      }
    }
    return slots[index];
  }

  /** The text with holes for slots and for what only the session knows. */
  public SqlTemplate template(int from, int to) {
    return new TemplateWriter(this).add(from, to).template();
  }

  /** The whole text as a template. */
  public SqlTemplate template() {
    return template(0, tokens.size());
  }

  /** MySQL's error for the current token. */
  public AlraiException syntaxError() {
    int start = atEnd() ? bytes.length : tokens.get(at).start();
    int position = new String(bytes, 0, start, StandardCharsets.UTF_8).length();
    return SyntaxError.at(sql, position);
  }
}
