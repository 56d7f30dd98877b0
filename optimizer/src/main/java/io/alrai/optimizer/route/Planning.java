package io.alrai.optimizer.route;

import io.alrai.common.error.AlraiException;
import io.alrai.common.type.AsciiWeights;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AsciiCollations;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.inspect.ColumnLabels;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.Literals;
import io.alrai.optimizer.bind.Names;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.shardsql.SessionMentions;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.SelectItems;
import io.alrai.optimizer.syntax.SourceText;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.syntax.TableRef;
import io.alrai.optimizer.view.ReshapedStatement;
import io.alrai.optimizer.view.ViewTexts;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the planning of one statement works with. One thread.
 *
 * @param statement as sent, with the queries of views in their names' places
 * @param text the shape, cut into tokens
 * @param tree the statement's structure
 * @param edits the session's values put in, nothing else
 * @param interpreted the calls of stored functions that no mysqld can evaluate
 * @param labels the names of all expressions without alias in the text as sent
 * @param collations what is known of collations
 */
public record Planning(
    ShapedStatement statement,
    Planner.Context context,
    SourceText text,
    Literals literals,
    Statement tree,
    TextEdits edits,
    StoredCalls interpreted,
    Supplier<List<String>> labels,
    AsciiCollations collations) {
  /**
   * Parses a statement.
   *
   * @throws SyntaxException when it is no data statement
   */
  public static Planning of(
      ShapedStatement statement, Planner.Context context, AsciiCollations collations) {
    boolean ansiQuotes = context.ansiQuotes();
    boolean noBackslashEscapes = context.noBackslashEscapes();
    SourceText text = SourceText.of(statement.shape(), ansiQuotes, noBackslashEscapes);
    Statement tree = StatementParser.parse(text);
    ShapedStatement read = ViewTexts.expanded(statement, tree, context);
    if (read != statement) {
      text = SourceText.of(read.shape(), ansiQuotes, noBackslashEscapes);
      tree = StatementParser.parse(text);
    }
    TextEdits edits = new TextEdits(text);
    SessionMentions.edit(text, edits, isPlainSelect(tree));
    StoredCalls.edit(tree, edits, context);
    if (read instanceof ReshapedStatement) {
      RepeatedSlots.edit(text.text(), edits);
    }
    List<Span> inserted = ReshapedStatement.insertedIn(read);
    inserted.forEach(edits::touch);
    refuseHidden(tree, inserted, context);
    Literals literals = new Literals(read, text.slots());
    Statement whole = tree;
    Supplier<List<String>> labels =
        () ->
            labels(
                ColumnLabels.ofAll(statement.text(), ansiQuotes, noBackslashEscapes),
                whole,
                inserted);
    StoredCalls interpreted = StoredCalls.interpreted(tree, context);
    return new Planning(
        read, context, text, literals, whole, edits, interpreted, labels, collations);
  }

  /** Whether it is one that a session can take LAST_INSERT_ID from. */
  private static boolean isPlainSelect(Statement tree) {
    return tree instanceof Statement.Select select && select.query().into().isEmpty();
  }

  /** A view means the tables that all see; hidden by temporary ones of their names it would not. */
  private static void refuseHidden(Statement tree, List<Span> inserted, Planner.Context context) {
    if (inserted.isEmpty()) {
      return;
    }
    for (TableUses.Use use : TableUses.of(tree).tables()) {
      TableRef.Named table = use.table();
      String schema = table.schema().map(Identifier::name).orElse(context.currentSchema());
      boolean hidden =
          context.catalog().table(schema, table.name().name()).filter(Table::temporary).isPresent();
      if (hidden && inserted.stream().anyMatch(span -> span.holds(table.span()))) {
        throw unsupported(
            "a view of the table '"
                + table.name().name()
                + "' while a temporary table of the session's has its name");
      }
    }
  }

  /** Those of the text as sent, with none for the items of views. */
  private static List<String> labels(List<String> sent, Statement tree, List<Span> inserted) {
    if (inserted.isEmpty()) {
      return sent;
    }
    Iterator<String> next = sent.iterator();
    List<String> labels = new ArrayList<>();
    for (Query.SelectItem item : SelectItems.of(tree)) {
      boolean ofView = inserted.stream().anyMatch(span -> span.holds(item.span()));
      labels.add(ofView || !next.hasNext() ? "" : next.next());
    }
    return labels;
  }

  /** How the ASCII values of a column weigh, if that is known. */
  public Optional<AsciiWeights> asciiWeights(Optional<Column> column) {
    return column
        .filter(found -> found.charset().equals("utf8mb4"))
        .flatMap(found -> collations.weights(found.collation()));
  }

  /** A copy with pieces of the text left out. */
  public Planning without(List<Span> pieces) {
    TextEdits fewer = edits.copy();
    pieces.forEach(fewer::remove);
    return new Planning(
        statement, context, text, literals, tree, fewer, interpreted, labels, collations);
  }

  public Catalog catalog() {
    return context.catalog();
  }

  public Names names() {
    return new Names(context.catalog(), context.currentSchema());
  }

  public Analysis newAnalysis() {
    return new Analysis(names(), literals);
  }

  /** Error 1235 with a sentence. */
  public static AlraiException unsupported(String sentence) {
    return AlraiException.unsupported(sentence);
  }
}
