package io.alrai.optimizer.route.insert;

import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.route.insert.InsertText.Alias;
import io.alrai.optimizer.route.insert.InsertText.Assigned;
import io.alrai.optimizer.route.insert.InsertText.ColumnName;
import io.alrai.optimizer.route.insert.InsertText.Range;
import io.alrai.optimizer.route.insert.InsertText.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Tokens to {@link InsertText}. Expressions are not looked into: whether they are right is for the
 * mysqld to say that gets them.
 */
public final class InsertTextParser {
  private static final Set<String> PRIORITIES = Set.of("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY");

  private final TokenCursor tokens;

  public InsertTextParser(TokenCursor tokens) {
    this.tokens = tokens;
  }

  /**
   * Parses the statement.
   *
   * @throws io.alrai.common.error.AlraiException ER_PARSE_ERROR
   */
  public InsertText parse() {
    boolean replace = tokens.take("REPLACE");
    if (!replace) {
      tokens.expect("INSERT");
    }
    String modifiers = modifiers();
    tokens.take("INTO");
    TableName table = tokens.tableName();
    if (tokens.sees("PARTITION") && tokens.kindAt(tokens.position() + 1) == TokenKind.OPEN) {
      throw InsertErrors.notSupported(
          "INSERT ... PARTITION (..)", "the row's key says where it goes");
    }
    List<ColumnName> columns = new ArrayList<>();
    if (tokens.kind() == TokenKind.OPEN && !queryIn(tokens.position())) {
      columns = columnList();
    }
    Source source = source(columns);
    int tailFrom = tokens.position();
    boolean rows = !(source instanceof Source.Query);
    Optional<Alias> alias = rows && !replace ? alias() : Optional.empty();
    List<Assigned> onDuplicate = replace ? List.of() : onDuplicate();
    tokens.expectEnd();
    Range tail = new Range(tailFrom, tokens.size());
    return new InsertText(replace, modifiers, table, columns, source, alias, onDuplicate, tail);
  }

  private String modifiers() {
    int from = tokens.position();
    if (PRIORITIES.contains(word(from))) {
      tokens.moveTo(from + 1);
    }
    tokens.take("IGNORE");
    return tokens.slice(from, tokens.position());
  }

  private String word(int index) {
    return tokens.kindAt(index) == TokenKind.WORD
        ? tokens.token(index).text().toUpperCase(Locale.ROOT)
        : "";
  }

  /** Whether the parentheses that open at an index hold a query. */
  private boolean queryIn(int open) {
    int at = open;
    while (tokens.kindAt(at) == TokenKind.OPEN) {
      at++;
    }
    return isQueryWord(word(at)) && tokens.kindAt(at + 1) != TokenKind.COMMA;
  }

  private static boolean isQueryWord(String word) {
    return word.equals("SELECT") || word.equals("WITH") || word.equals("TABLE");
  }

  private List<ColumnName> columnList() {
    List<ColumnName> columns = new ArrayList<>();
    tokens.expect(TokenKind.OPEN);
    if (tokens.take(TokenKind.CLOSE)) {
      return columns;
    }
    do {
      columns.add(column());
    } while (tokens.take(TokenKind.COMMA));
    tokens.expect(TokenKind.CLOSE);
    return columns;
  }

  private ColumnName column() {
    List<String> parts = new ArrayList<>();
    parts.add(tokens.identifier());
    while (tokens.take(TokenKind.DOT)) {
      parts.add(tokens.identifier());
    }
    if (parts.size() > 3) {
      throw tokens.syntaxError();
    }
    int last = parts.size() - 1;
    return new ColumnName(parts.subList(0, last), parts.get(last));
  }

  private Source source(List<ColumnName> columns) {
    if (tokens.take("VALUES") || tokens.take("VALUE")) {
      return new Source.Rows(rows());
    }
    if (columns.isEmpty() && tokens.take("SET")) {
      List<Range> values = new ArrayList<>();
      for (Assigned assigned : assignments()) {
        columns.add(assigned.column());
        values.add(assigned.value());
      }
      return new Source.Set(values);
    }
    int from = tokens.position();
    if (!isQueryWord(word(from)) && !(tokens.kind() == TokenKind.OPEN && queryIn(from))) {
      throw tokens.syntaxError();
    }
    int to = onDuplicateStart(from);
    tokens.moveTo(to);
    return new Source.Query(new Range(from, to));
  }

  /** Where ON DUPLICATE stands outside parentheses, or the end. */
  private int onDuplicateStart(int from) {
    int at = from;
    while (at < tokens.size()) {
      if (tokens.seesAt(at, "ON", "DUPLICATE", "KEY", "UPDATE")) {
        return at;
      }
      at = tokens.kindAt(at) == TokenKind.OPEN ? tokens.behindParentheses(at) : at + 1;
    }
    return at;
  }

  private List<List<Range>> rows() {
    List<List<Range>> rows = new ArrayList<>();
    do {
      if (rows.isEmpty() || tokens.sees("ROW")) {
        tokens.take("ROW");
      }
      rows.add(row());
    } while (tokens.take(TokenKind.COMMA));
    return rows;
  }

  private List<Range> row() {
    List<Range> cells = new ArrayList<>();
    tokens.expect(TokenKind.OPEN);
    if (tokens.take(TokenKind.CLOSE)) {
      return cells;
    }
    do {
      cells.add(expression());
    } while (tokens.take(TokenKind.COMMA));
    tokens.expect(TokenKind.CLOSE);
    return cells;
  }

  private Range expression() {
    int from = tokens.position();
    int to = tokens.endOfItem(from);
    if (to == from) {
      throw tokens.syntaxError();
    }
    tokens.moveTo(to);
    return new Range(from, to);
  }

  private List<Assigned> assignments() {
    List<Assigned> assignments = new ArrayList<>();
    do {
      ColumnName column = column();
      if (!tokens.takeOperator("=") && !tokens.takeOperator(":=")) {
        throw tokens.syntaxError();
      }
      int from = tokens.position();
      int end = tokens.endOfItem(from);
      int to = tailStart(from, end);
      if (to == from) {
        throw tokens.syntaxError();
      }
      tokens.moveTo(to);
      assignments.add(new Assigned(column, new Range(from, to)));
    } while (tokens.take(TokenKind.COMMA));
    return assignments;
  }

  /** Where the last value of SET ends: at an alias or ON DUPLICATE KEY. */
  private int tailStart(int from, int end) {
    int at = from;
    while (at < end) {
      if (tokens.seesAt(at, "ON", "DUPLICATE") || tokens.seesAt(at, "AS")) {
        return at;
      }
      at = tokens.kindAt(at) == TokenKind.OPEN ? tokens.behindParentheses(at) : at + 1;
    }
    return end;
  }

  private Optional<Alias> alias() {
    if (!tokens.take("AS")) {
      return Optional.empty();
    }
    String name = tokens.identifier();
    List<String> columns = new ArrayList<>();
    int closing = -1;
    if (tokens.take(TokenKind.OPEN)) {
      do {
        columns.add(tokens.identifier());
      } while (tokens.take(TokenKind.COMMA));
      closing = tokens.position();
      tokens.expect(TokenKind.CLOSE);
    }
    return Optional.of(new Alias(name, columns, closing));
  }

  private List<Assigned> onDuplicate() {
    if (tokens.atEnd()) {
      return List.of();
    }
    tokens.expect("ON", "DUPLICATE", "KEY", "UPDATE");
    return assignments();
  }
}
