package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.syntax.Statement.Assignment;
import io.alrai.optimizer.syntax.Statement.Tail;
import io.alrai.optimizer.syntax.Statement.TargetTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From a shape to the tree of a data statement. Stateless between calls of {@link #parse}. */
public final class StatementParser {
  private final Cursor cursor;
  private final QueryParser queries;

  private StatementParser(Cursor cursor) {
    this.cursor = cursor;
    this.queries = new QueryParser(cursor);
  }

  /**
   * Parses one statement.
   *
   * @param shape the text
   * @throws SyntaxException when it is none of {@link Statement}, or followed by something
   */
  public static Statement parse(String shape, boolean ansiQuotes, boolean noBackslashEscapes) {
    return parse(SourceText.of(shape, ansiQuotes, noBackslashEscapes));
  }

  /**
   * Parses one statement.
   *
   * @throws SyntaxException when it is none of {@link Statement}, or followed by something
   */
  public static Statement parse(SourceText text) {
    return new StatementParser(new Cursor(text.tokens())).statement();
  }

  private Statement statement() {
    Span start = cursor.peek().span();
    Optional<Query.With> with = queries.with();
    Statement statement =
        switch (cursor.peek().upper()) {
          case "UPDATE" -> update(with);
          case "DELETE" -> delete(with);
          case "INSERT", "REPLACE" -> insert();
          default -> new Statement.Select(queries.query(start, with));
        };
    if (statement instanceof Statement.InsertValues) {
      return statement;
    }
    cursor.acceptOperator(";");
    if (!cursor.atEnd()) {
      throw cursor.failure();
    }
    return statement;
  }

  private void skipOptions(String... options) {
    while (cursor.isAnyWord(options)) {
      cursor.next();
    }
  }

  private Statement update(Optional<Query.With> with) {
    cursor.next();
    skipOptions("LOW_PRIORITY", "IGNORE");
    List<TableRef> tables = queries.tables().list();
    cursor.expectWord("SET");
    List<Assignment> assignments = assignments();
    return new Statement.Update(with, tables, assignments, tail());
  }

  private List<Assignment> assignments() {
    List<Assignment> assignments = new ArrayList<>();
    do {
      List<Identifier> parts = new ArrayList<>();
      parts.add(cursor.identifier());
      while (cursor.acceptOperator(".")) {
        parts.add(cursor.identifierAfterDot());
      }
      Span name = parts.getFirst().span().to(cursor.last());
      if (!cursor.acceptOperator("=")) {
        cursor.expectOperator(":=");
      }
      Expr value = queries.expressions().expression();
      assignments.add(new Assignment(name.to(cursor.last()), new Expr.Name(name, parts), value));
    } while (cursor.acceptOperator(","));
    return assignments;
  }

  private Tail tail() {
    Optional<Expr> where =
        cursor.acceptWord("WHERE")
            ? Optional.of(queries.expressions().expression())
            : Optional.empty();
    return new Tail(where, queries.orderBy(), queries.limitOfWrite());
  }

  private Statement delete(Optional<Query.With> with) {
    cursor.next();
    skipOptions("LOW_PRIORITY", "QUICK", "IGNORE");
    if (!cursor.acceptWord("FROM")) {
      List<TargetTable> targets = targets();
      cursor.expectWord("FROM");
      return new Statement.Delete(with, targets, queries.tables().list(), tail());
    }
    int mark = cursor.index();
    try {
      List<TargetTable> targets = targets();
      if (cursor.acceptWord("USING")) {
        return new Statement.Delete(with, targets, queries.tables().list(), tail());
      }
    } catch (SyntaxException e) {
      cursor.back(mark); // not the USING form: read again as the single-table form
    }
    cursor.back(mark);
    return new Statement.Delete(with, List.of(), List.of(queries.tables().deleted()), tail());
  }

  private List<TargetTable> targets() {
    List<TargetTable> targets = new ArrayList<>();
    do {
      TableRef.Named name = target();
      targets.add(new TargetTable(name.nameSpan(), name.schema(), name.name()));
    } while (cursor.acceptOperator(","));
    return targets;
  }

  private TableRef.Named target() {
    Identifier first = cursor.identifier();
    Optional<Identifier> schema = Optional.empty();
    Identifier name = first;
    Span end = first.span();
    while (cursor.acceptOperator(".")) {
      if (cursor.acceptOperator("*")) {
        break;
      }
      schema = Optional.of(first);
      name = cursor.identifierAfterDot();
      end = name.span();
    }
    return TableRef.Named.of(first.span().to(end), schema, name);
  }

  private Statement insert() {
    boolean replace = cursor.next().upper().equals("REPLACE");
    skipOptions("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE");
    cursor.acceptWord("INTO");
    TableRef.Named target = queries.tables().nameOnly();
    if (cursor.acceptWord("PARTITION")) {
      queries.tables().names();
      target =
          new TableRef.Named(
              target.span(),
              target.nameSpan(),
              target.schema(),
              target.name(),
              Optional.empty(),
              true,
              Optional.empty());
    }
    List<Identifier> columns = new ArrayList<>();
    if (cursor.isOperator("(") && !queries.opensQuery()) {
      cursor.next();
      while (!cursor.acceptOperator(")")) {
        columns.add(cursor.identifier());
        while (cursor.acceptOperator(".")) {
          columns.set(columns.size() - 1, cursor.identifierAfterDot());
        }
        cursor.acceptOperator(",");
      }
    }
    if (!queries.opensQuery() && (!queries.startsQuery() || cursor.isWord("VALUES"))) {
      return new Statement.InsertValues();
    }
    Query query = queries.query();
    Optional<Span> tail = Optional.empty();
    List<Assignment> onDuplicate = List.of();
    Span tailStart = cursor.peek().span();
    if (cursor.acceptWord("ON")) {
      cursor.expectWord("DUPLICATE");
      cursor.expectWord("KEY");
      cursor.expectWord("UPDATE");
      onDuplicate = assignments();
      tail = Optional.of(tailStart.to(cursor.last()));
    }
    return new Statement.InsertQuery(replace, target, columns, query, tail, onDuplicate);
  }
}
