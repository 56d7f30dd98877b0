package io.alrai.optimizer.privilege;

import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.bind.ColumnUses;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What INSERT and REPLACE with rows of values need: there is no tree of them. One thread. */
final class InsertNeeds {
  private static final Set<String> WORDS =
      Set.of("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE", "INTO");

  private final NeedList needs;
  private final TokenCursor tokens;
  private final List<int[]> values = new ArrayList<>();
  private final List<String> assigned = new ArrayList<>();

  /** The needs of the statement with these tokens. */
  InsertNeeds(NeedList needs, TokenCursor tokens) {
    this.needs = needs;
    this.tokens = tokens;
  }

  void find() {
    boolean replaces = tokens.identifier().equalsIgnoreCase("REPLACE");
    while (WORDS.stream().anyMatch(tokens::take)) {
      continue;
    }
    TableName table = tokens.tableName();
    int tail = tail(tokens.position());
    rows(tail);
    List<String> filled = List.copyOf(assigned);
    assigned.clear();
    boolean updates = tail < tokens.size();
    if (updates) {
      assigned(tail + 4, tokens.size());
    }
    DataNeeds data = new DataNeeds(needs);
    data.write(needs.schema(table), table.table(), DataNeeds.inserting(replaces, updates));
    List<TableRef.Named> targets = new ArrayList<>(List.of(target(table, Optional.empty())));
    alias(tail).ifPresent(alias -> targets.add(target(table, Optional.of(alias))));
    List<Expr> read = new ArrayList<>();
    values.forEach(value -> read.addAll(expressions(value[0], value[1])));
    read.forEach(data::value);
    ColumnUses columns = needs.columnUses();
    columns.inserted(targets.getFirst(), filled);
    columns.assigned(targets.getFirst(), assigned);
    columns.values(read, targets, Optional.empty());
    needs.columns(columns, targets, false);
  }

  /** The name of the new row after VALUES. */
  private Optional<String> alias(int end) {
    for (int i = end - 1; i > 0; i--) {
      boolean name = tokens.token(i).isName();
      if (name && tokens.seesAt(i - 1, "AS") && tokens.kindAt(i - 2) == TokenKind.CLOSE) {
        return Optional.of(tokens.token(i).name());
      }
    }
    return Optional.empty();
  }

  static TableRef.Named target(TableName table, Optional<String> alias) {
    Span none = new Span(0, 0);
    return new TableRef.Named(
        none,
        none,
        table.schema().map(schema -> new Identifier(schema, none)),
        new Identifier(table.table(), none),
        alias.map(name -> new Identifier(name, none)),
        false,
        Optional.empty());
  }

  /** Where ON DUPLICATE KEY UPDATE stands outside of parentheses, or the end. */
  private int tail(int from) {
    int depth = 0;
    for (int i = from; i < tokens.size(); i++) {
      if (tokens.kindAt(i) == TokenKind.OPEN) {
        depth++;
      } else if (tokens.kindAt(i) == TokenKind.CLOSE) {
        depth--;
      } else if (depth == 0 && tokens.seesAt(i, "ON", "DUPLICATE", "KEY", "UPDATE")) {
        return i;
      }
    }
    return tokens.size();
  }

  /** The cells after VALUES, or the assignments after SET. */
  private void rows(int end) {
    int at = tokens.position();
    while (at < end) {
      if (tokens.seesAt(at, "SET")) {
        assigned(at + 1, end);
        return;
      }
      if (tokens.seesAt(at, "VALUES") || tokens.seesAt(at, "VALUE")) {
        cells(at + 1, end);
        return;
      }
      boolean list = tokens.kindAt(at) == TokenKind.OPEN;
      if (list) {
        listed(at + 1, tokens.behindParentheses(at) - 1);
      }
      at = list ? tokens.behindParentheses(at) : at + 1;
    }
  }

  /** The column list: of each item the last name. */
  private void listed(int from, int end) {
    int at = from;
    while (at < end) {
      int next = Math.min(tokens.endOfItem(at), end);
      assigned.add(tokens.token(next - 1).name());
      at = next + 1;
    }
  }

  private void cells(int from, int end) {
    int at = from;
    while (at < end && !tokens.seesAt(at, "AS")) {
      if (tokens.kindAt(at) == TokenKind.OPEN) {
        int close = tokens.behindParentheses(at) - 1;
        items(at + 1, close);
        at = close;
      }
      at++;
    }
  }

  private void items(int from, int end) {
    int at = from;
    while (at < end) {
      int next = Math.min(tokens.endOfItem(at), end);
      values.add(new int[] {at, next});
      at = next + 1;
    }
  }

  /** {@code column = value, ..}. */
  private void assigned(int from, int end) {
    int at = from;
    while (at < end) {
      int next = Math.min(tokens.endOfItem(at), end);
      for (int i = at; i < next; i++) {
        if (tokens.kindAt(i) == TokenKind.OPERATOR) {
          assigned.add(tokens.token(i - 1).name());
          values.add(new int[] {i + 1, next});
          break;
        }
      }
      at = next + 1;
    }
  }

  /** The expression of a value that is more than a literal. */
  private List<Expr> expressions(int from, int to) {
    boolean named = false;
    for (int i = from; i < to; i++) {
      named |= tokens.kindAt(i) == TokenKind.WORD || tokens.kindAt(i) == TokenKind.QUOTED;
    }
    if (!named || (to == from + 1 && tokens.seesAt(from, "DEFAULT"))) {
      return List.of();
    }
    String select = "SELECT " + tokens.slice(from, to);
    Statement parsed =
        StatementParser.parse(
            select, needs.context().ansiQuotes(), needs.context().noBackslashEscapes());
    return parsed instanceof Statement.Select(Query query)
            && query.body() instanceof Query.Block block
        ? block.selection().items().stream().map(Query.SelectItem::expr).toList()
        : List.of();
  }
}
