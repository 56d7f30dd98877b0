package io.alrai.optimizer.parse.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.text.Words;
import io.alrai.optimizer.api.token.HexText;
import io.alrai.optimizer.parse.ddl.DdlTokens.Kind;
import io.alrai.optimizer.parse.ddl.DdlTokens.Quotes;
import io.alrai.optimizer.parse.ddl.DdlTokens.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A place in a DDL statement's tokens. Not thread-safe. */
public final class DdlCursor {
  private static final int NEAR_LENGTH = 80;
  private static final int LONGEST_NAME = 64;

  /** How much of a name is in MySQL's sentence about it. */
  private static final int SHOWN_NAME = 100;

  private final String sql;
  private final String text;
  private final Quotes quotes;
  private final List<Token> tokens;
  private int at;

  /**
   * At the first token.
   *
   * @param sql the statement; one semicolon at its end is left out
   */
  public DdlCursor(String sql, Quotes quotes) {
    this.sql = sql;
    this.quotes = quotes;
    this.text = DdlTokens.unwrap(sql, quotes);
    List<Token> all = DdlTokens.of(text, quotes);
    int end = all.size();
    while (end > 0 && isSymbol(all.get(end - 1), ";")) {
      end--;
    }
    this.tokens = List.copyOf(all.subList(0, end));
  }

  /** Refuses a semicolon with more after it: a mysqld would run that as well. */
  void requireOneStatement() {
    for (int i = 0; i < tokens.size(); i++) {
      if (isSymbol(tokens.get(i), ";")) {
        at = i;
        throw syntaxError();
      }
    }
  }

  /** The statement as it was given. */
  String sql() {
    return sql;
  }

  /** What quotes mean in it. */
  Quotes quotes() {
    return quotes;
  }

  boolean atEnd() {
    return at >= tokens.size();
  }

  int position() {
    return at;
  }

  void moveTo(int position) {
    at = position;
  }

  int size() {
    return tokens.size();
  }

  Token token(int index) {
    return tokens.get(index);
  }

  /** In upper case; empty for what is no bare word. */
  String word(int index) {
    return index >= 0 && index < tokens.size() && tokens.get(index).kind() == Kind.WORD
        ? tokens.get(index).value().toUpperCase(Locale.ROOT)
        : "";
  }

  /** Whether a bare word or a quoted identifier stands at a token's index. */
  boolean isNameAt(int index) {
    return index < tokens.size()
        && (tokens.get(index).kind() == Kind.WORD || tokens.get(index).kind() == Kind.QUOTED);
  }

  /** Whether these bare words come next. */
  boolean sees(String... words) {
    return seesAt(at, words);
  }

  /** Whether these bare words stand at a token's index. */
  boolean seesAt(int index, String... words) {
    if (index + words.length > tokens.size()) {
      return false;
    }
    for (int i = 0; i < words.length; i++) {
      if (!isWord(tokens.get(index + i), words[i])) {
        return false;
      }
    }
    return true;
  }

  /** Moves after these bare words if they come next. */
  boolean take(String... words) {
    if (!sees(words)) {
      return false;
    }
    at += words.length;
    return true;
  }

  boolean seesSymbol(String symbol) {
    return seesSymbolAt(at, symbol);
  }

  boolean seesSymbolAt(int index, String symbol) {
    return index < tokens.size() && isSymbol(tokens.get(index), symbol);
  }

  boolean takeSymbol(String symbol) {
    if (!seesSymbol(symbol)) {
      return false;
    }
    at++;
    return true;
  }

  void expect(String word) {
    if (!take(word)) {
      throw syntaxError();
    }
  }

  void expectSymbol(String symbol) {
    if (!takeSymbol(symbol)) {
      throw syntaxError();
    }
  }

  void expectEnd() {
    if (!atEnd()) {
      throw syntaxError();
    }
  }

  /**
   * A word or quoted identifier.
   *
   * @throws AlraiException 1059 for one that is longer than any name of MySQL's may be
   */
  String identifier() {
    if (atEnd()) {
      throw syntaxError();
    }
    Token token = tokens.get(at);
    if (token.kind() != Kind.WORD && token.kind() != Kind.QUOTED) {
      throw syntaxError();
    }
    if (token.value().length() > LONGEST_NAME
        && token.value().codePointCount(0, token.value().length()) > LONGEST_NAME) {
      throw new AlraiException(
          ErrorCode.ER_TOO_LONG_IDENT,
          "Identifier name '" + shortened(token.value()) + "' is too long");
    }
    at++;
    return token.value();
  }

  private static String shortened(String name) {
    return name.substring(
        0, name.offsetByCodePoints(0, Math.min(name.codePointCount(0, name.length()), SHOWN_NAME)));
  }

  /** A word, identifier or string. */
  String nameOrString() {
    if (!atEnd() && tokens.get(at).kind() == Kind.STRING) {
      return tokens.get(at++).value();
    }
    return identifier();
  }

  /** A string. */
  String string() {
    if (atEnd() || tokens.get(at).kind() != Kind.STRING) {
      throw syntaxError();
    }
    return tokens.get(at++).value();
  }

  /** A string, or the bytes of {@code 0x..}. */
  String stringOrHex() {
    if (!atEnd()
        && tokens.get(at).kind() == Kind.WORD
        && tokens.get(at).value().matches("0x[0-9a-fA-F]+")) {
      return HexText.latin1(tokens.get(at++).value());
    }
    return string();
  }

  /** A whole number between 1 and 8192, the most partitions a table can have. */
  int count() {
    if (atEnd() || tokens.get(at).kind() != Kind.NUMBER) {
      throw syntaxError();
    }
    String digits = tokens.get(at).value();
    if (digits.length() > 9 || Integer.parseInt(digits) > 8192) {
      throw new AlraiException(
          ErrorCode.ER_TOO_MANY_PARTITIONS_ERROR,
          "Too many partitions (including subpartitions) were defined");
    }
    int number = Integer.parseInt(digits);
    if (number == 0) {
      throw new AlraiException(
          ErrorCode.ER_NO_PARTS_ERROR, "Number of partitions = 0 is not an allowed value");
    }
    at++;
    return number;
  }

  /** {@code [schema.]table}; reserved words are names in quotes or after the point only. */
  TableName tableName() {
    if (Words.reserved(word(at))) {
      throw syntaxError();
    }
    String first = identifier();
    if (!takeSymbol(".")) {
      return new TableName(Optional.empty(), first);
    }
    if (!atEnd() && tokens.get(at).kind() == Kind.NUMBER) {
      return new TableName(Optional.of(first), tokens.get(at++).value());
    }
    return new TableName(Optional.of(first), identifier());
  }

  /** {@code (a, b)}: one identifier or more. */
  List<String> identifiers() {
    List<String> names = new ArrayList<>();
    expectSymbol("(");
    do {
      names.add(identifier());
    } while (takeSymbol(","));
    expectSymbol(")");
    return names;
  }

  /** Names with commas between them. */
  List<TableName> tableNames() {
    List<TableName> names = new ArrayList<>();
    do {
      names.add(tableName());
    } while (takeSymbol(","));
    return names;
  }

  /** At an opening parenthesis: moves after the one that closes it. */
  void skipParentheses() {
    expectSymbol("(");
    int depth = 1;
    while (depth > 0) {
      if (atEnd()) {
        throw syntaxError();
      }
      if (seesSymbol("(")) {
        depth++;
      } else if (seesSymbol(")")) {
        depth--;
      }
      at++;
    }
  }

  /** The text from the current token to the end. */
  String rest() {
    return atEnd() ? "" : slice(at, tokens.size());
  }

  /** The text of the tokens from one index to another, exclusive; spaces between are kept. */
  String slice(int from, int to) {
    return from >= to ? "" : text.substring(tokens.get(from).start(), tokens.get(to - 1).end());
  }

  /** MySQL's sentence for an error at the current token. */
  AlraiException syntaxError() {
    int start = atEnd() ? text.length() : tokens.get(at).start();
    String near = atEnd() ? "" : sql.substring(start).strip();
    if (near.length() > NEAR_LENGTH) {
      near = near.substring(0, NEAR_LENGTH);
    }
    long line =
        1 + sql.substring(0, Math.min(start, sql.length())).chars().filter(c -> c == '\n').count();
    return new AlraiException(
        ErrorCode.ER_PARSE_ERROR,
        "You have an error in your SQL syntax; check the manual that corresponds to your MySQL"
            + " server version for the right syntax to use near '"
            + near
            + "' at line "
            + line);
  }

  private static boolean isWord(Token token, String word) {
    return token.kind() == Kind.WORD && token.value().equalsIgnoreCase(word);
  }

  private static boolean isSymbol(Token token, String symbol) {
    return token.kind() == Kind.SYMBOL && token.value().equals(symbol);
  }
}
