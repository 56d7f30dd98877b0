package io.alrai.optimizer.route.insert;

import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.TemplateWriter;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.bind.Functions;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.route.Refusals;
import io.alrai.optimizer.route.insert.InsertText.Alias;
import io.alrai.optimizer.route.insert.InsertText.Assigned;
import io.alrai.optimizer.route.insert.InsertText.ColumnName;
import io.alrai.optimizer.route.insert.InsertText.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What follows the rows: the new row's alias and ON DUPLICATE KEY UPDATE. */
final class InsertTail {
  private final TokenCursor tokens;
  private final InsertText text;
  private final Planner.Context context;
  private final Map<Integer, String> functions;
  private final InsertTarget target;
  private final String stored;
  private boolean rewritten;

  /** {@code stored} is the name of what gets the rows at their places. */
  InsertTail(
      TokenCursor tokens,
      InsertText text,
      InsertTarget target,
      String stored,
      Planner.Context context) {
    this.stored = stored;
    this.functions = FunctionCalls.names(tokens, context);
    this.context = context;
    this.tokens = tokens;
    this.text = text;
    this.target = target;
  }

  /** Whether the template is not what the client wrote. */
  boolean isRewritten() {
    return rewritten;
  }

  /**
   * Checks the assignments.
   *
   * @param values in place of names and subqueries, by their first tokens
   * @throws io.alrai.common.error.AlraiException 1054 for an unknown column, 1235 where a row would
   *     have to move to another place, a subquery would have to see all places, or the copies of a
   *     broadcast table would differ
   */
  void check(List<Column> columns, Map<Integer, Value> values) {
    if (Placements.isBroadcast(target.table()) && isUnrepeatable()) {
      throw Refusals.unrepeatableCopies();
    }
    refuseHidden();
    for (Assigned assigned : text.onDuplicate()) {
      Column column = target.columns(List.of(assigned.column())).get(0);
      boolean key = target.keyColumns().stream().anyMatch(column.name()::equalsIgnoreCase);
      if (key && !keepsValue(assigned, column, columns)) {
        throw InsertErrors.notSupported(
            "ON DUPLICATE KEY UPDATE " + column.name() + " = ..",
            "the column decides where the row is stored");
      }
      int end = 0;
      for (int i = assigned.value().from(); i < assigned.value().to(); i++) {
        end = values.containsKey(i) ? Objects.requireNonNull(values.get(i)).end() : end;
        if (tokens.token(i).start() >= end
            && tokens.seesAt(i, "SELECT")
            && tokens.kindAt(i - 1) == TokenKind.OPEN) {
          throw InsertErrors.notSupported(
              "a subquery in ON DUPLICATE KEY UPDATE", "read the value in a statement before");
        }
      }
    }
  }

  /** Whether a column gets a value that it need not have. */
  boolean changes(Column changed, List<Column> columns) {
    return text.onDuplicate().stream()
        .anyMatch(assigned ->
            target.columns(List.of(assigned.column())).getFirst().equals(changed)
                && !keepsValue(assigned, changed, columns));
  }

  /** What a view does not show must not be read through it. */
  private void refuseHidden() {
    for (int at = text.tail().from(); at < text.tail().to(); at++) {
      TokenKind kind = tokens.kindAt(at);
      boolean name = kind == TokenKind.WORD || kind == TokenKind.QUOTED;
      if (name
          && tokens.kindAt(at + 1) != TokenKind.OPEN
          && target.hides(tokens.token(at).name())) {
        throw InsertErrors.unknownColumn(tokens.token(at).name());
      }
    }
  }

  private boolean isUnrepeatable() {
    Range tail = text.tail();
    for (int i = tail.from(); i < tail.to(); i++) {
      boolean called = tokens.kindAt(i) == TokenKind.WORD && tokens.kindAt(i + 1) == TokenKind.OPEN;
      boolean qualified = tokens.kindAt(i - 1) == TokenKind.DOT;
      String name = tokens.token(i).text().toUpperCase(Locale.ROOT);
      if (called && !qualified && Functions.isUnrepeatable(name)) {
        return true;
      }
    }
    return FunctionCalls.in(tokens, context).stream()
        .filter(call -> call.name() >= tail.from() && call.name() < tail.to())
        .anyMatch(call -> !FunctionCalls.varying(context.catalog(), call.function()).isEmpty());
  }

  /**
   * Whether the key column gets the value that it has: itself, LAST_INSERT_ID of it, or the new
   * row's value, which is equal as every unique key holds the partition key.
   */
  private boolean keepsValue(Assigned assigned, Column column, List<Column> columns) {
    Range value = assigned.value();
    boolean function =
        (tokens.seesAt(value.from(), "LAST_INSERT_ID") || tokens.seesAt(value.from(), "VALUES"))
            && tokens.kindAt(value.from() + 1) == TokenKind.OPEN
            && tokens.kindAt(value.to() - 1) == TokenKind.CLOSE;
    Range name = function ? new Range(value.from() + 2, value.to() - 1) : value;
    Optional<ColumnName> read = name(name);
    return read.isPresent() && isNameOf(read.get(), column, columns);
  }

  /** The name that these tokens are, if they are nothing else. */
  private Optional<ColumnName> name(Range range) {
    List<String> parts = new ArrayList<>();
    for (int i = range.from(); i < range.to(); i++) {
      TokenKind kind = tokens.kindAt(i);
      boolean part = (i - range.from()) % 2 == 0;
      if (part ? kind != TokenKind.WORD && kind != TokenKind.QUOTED : kind != TokenKind.DOT) {
        return Optional.empty();
      }
      if (part) {
        parts.add(tokens.token(i).name());
      }
    }
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    int last = parts.size() - 1;
    return Optional.of(new ColumnName(parts.subList(0, last), parts.get(last)));
  }

  private boolean isNameOf(ColumnName name, Column column, List<Column> columns) {
    if (text.alias().isPresent() && !text.alias().get().columns().isEmpty()) {
      List<String> aliases = text.alias().get().columns();
      for (int i = 0; i < Math.min(aliases.size(), columns.size()); i++) {
        boolean ofNewRow =
            name.qualifiers().isEmpty()
                || name.qualifiers().get(0).equalsIgnoreCase(text.alias().get().name());
        if (ofNewRow && aliases.get(i).equalsIgnoreCase(name.name())) {
          return columns.get(i).name().equals(column.name());
        }
      }
    }
    return name.name().equalsIgnoreCase(column.name());
  }

  /**
   * What stands for a name or a subquery.
   *
   * @param end where that ends in the text
   */
  record Value(List<Piece> pieces, int end) {
    Value {
      pieces = List.copyOf(pieces);
    }
  }

  /**
   * The tail with what gets the rows in the place's schema.
   *
   * @param added how many columns the planner added to the rows
   * @param values in place of names, by their first tokens
   */
  SqlTemplate template(int added, Map<Integer, Value> values) {
    Range tail = text.tail();
    if (tail.from() >= tail.to()) {
      return SqlTemplate.EMPTY;
    }
    TemplateWriter writer = new TemplateWriter(tokens, functions).add(" ");
    int from = tail.from();
    for (int at = tail.from(); at < tail.to(); at++) {
      if (added > 0 && text.alias().map(Alias::closing).orElse(-1) == at) {
        writer.add(from, at);
        for (int i = 0; i < added; i++) {
          writer.add("," + Identifier.quote("__alrai_added_" + i));
        }
        from = at;
      } else if (values.containsKey(at)) {
        Value value = Objects.requireNonNull(values.get(at));
        addTo(writer, from, at);
        value.pieces().forEach(writer::add);
        writer.add(" ");
        while (at + 1 < tail.to() && tokens.token(at + 1).start() < value.end()) {
          at++;
        }
        from = at + 1;
        rewritten = true;
      } else if (isSchema(at)) {
        addTo(writer, from, at);
        writer.add(new Piece.PlaceSchema());
        from = at + 1;
        rewritten = true;
      } else if (isTable(at) && !target.name().equals(stored)) {
        addTo(writer, from, at);
        writer.add(Identifier.quote(stored));
        from = at + 1;
        rewritten = true;
      }
    }
    writer.add(from, tail.to());
    rewritten |= writer.isRewritten();
    return writer.template();
  }

  private void addTo(TemplateWriter writer, int from, int at) {
    if (from < at) {
      writer.add(from, at);
      if (!tokens.touches(at)) {
        writer.add(" ");
      }
    }
  }

  /** Whether the logical schema stands there in front of the table. */
  private boolean isSchema(int at) {
    return isName(at, target.schema())
        && tokens.kindAt(at - 1) != TokenKind.DOT
        && tokens.kindAt(at + 1) == TokenKind.DOT
        && isName(at + 2, target.name())
        && tokens.kindAt(at + 3) == TokenKind.DOT;
  }

  /** Whether the table, by the client's name, stands there in front of a column. */
  private boolean isTable(int at) {
    return isName(at, target.name())
        && tokens.kindAt(at + 1) == TokenKind.DOT
        && (tokens.kindAt(at - 1) != TokenKind.DOT || isSchema(at - 2));
  }

  private boolean isName(int at, String name) {
    TokenKind kind = tokens.kindAt(at);
    return (kind == TokenKind.WORD || kind == TokenKind.QUOTED)
        && tokens.token(at).name().equals(name);
  }
}
