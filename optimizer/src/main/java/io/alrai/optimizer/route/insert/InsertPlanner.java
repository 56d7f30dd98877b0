package io.alrai.optimizer.route.insert;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.CheckView;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.AutoIncrement;
import io.alrai.executor.fragment.InsertRows.Cell;
import io.alrai.executor.fragment.InsertRows.RowPattern;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.NamedLocks;
import io.alrai.optimizer.api.token.TemplateWriter;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.route.FiredTriggers;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.route.insert.InsertText.Alias;
import io.alrai.optimizer.route.insert.InsertText.Range;
import io.alrai.optimizer.route.insert.InsertText.Source;
import io.alrai.optimizer.view.CheckViews;
import io.alrai.optimizer.view.ReshapedStatement;
import io.alrai.optimizer.view.ReshapedStatement.CheckedTarget;
import io.alrai.optimizer.view.ViewWrites;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * INSERT and REPLACE to {@link InsertRows}, by tokens: no tree is needed, as whatever is no plain
 * value is evaluated by a mysqld. One use for one statement; not thread-safe.
 */
public final class InsertPlanner {
  private static final int OTHER_COLUMNS = 1353;

  private final ShapedStatement statement;
  private final TokenCursor tokens;
  private final InsertText text;
  private final InsertTarget target;
  private final Optional<CheckView> check;
  private final Planner.Context context;
  private final Map<Integer, String> functions;
  private Map<Span, List<Piece>> values = Map.of();
  private boolean isRewritten;

  private InsertPlanner(
      ShapedStatement statement,
      TokenCursor tokens,
      Planner.Context context,
      InsertText text,
      InsertTarget target) {
    this.context = context;
    this.functions = FunctionCalls.names(tokens, context);
    this.statement = statement;
    this.tokens = tokens;
    this.text = text;
    this.target = target;
    this.check = target.view().map(CheckViews::of).orElseGet(() -> checkOf(statement));
  }

  /**
   * By which rows are checked that {@link #rowsOfQuery} sends through a view WITH CHECK OPTION.
   *
   * @throws AlraiException as {@link #plan}
   */
  public static Optional<CheckView> checkOf(ShapedStatement statement, Planner.Context context) {
    return of(statement, context).check;
  }

  /** By which the target of an INSERT is checked that was written through a view. */
  static Optional<CheckView> checkOf(ShapedStatement statement) {
    return ReshapedStatement.checkedIn(statement).stream().findFirst().map(CheckedTarget::view);
  }

  /**
   * Plans INSERT or REPLACE with VALUES or SET.
   *
   * @return empty when its rows come from a query, see {@link #rowsOfQuery}, or a value, or ON
   *     DUPLICATE KEY UPDATE, has a subquery, see {@link #asQuery}
   * @throws AlraiException MySQL's error: 1064, 1046, 1049, 1146, 1054, 1110, 1136; or 1235
   */
  public static Optional<Plan> plan(ShapedStatement statement, Planner.Context context) {
    InsertPlanner planner = of(statement, context);
    if (NamedLocks.called(planner.tokens)) {
      throw NamedLocks.refusal();
    }
    if (planner.text.source() instanceof Source.Query || planner.hasSubquery()) {
      return Optional.empty();
    }
    return Optional.of(
        Plan.Checked.of(
            Plan.Raising.of(new Plan.Insert(planner.rows()), planner.raised()),
            planner.check.stream().toList()));
  }

  /** The sequence that ON DUPLICATE KEY UPDATE of INSERT ... SELECT may raise. */
  public static List<Plan.RaisedSequence> raised(
      ShapedStatement statement, Planner.Context context) {
    return of(statement, context).raised();
  }

  private List<Plan.RaisedSequence> raised() {
    Table table = target.table();
    if (text.onDuplicate().isEmpty()) {
      return List.of();
    }
    List<Column> columns = columns(false);
    InsertTail tail = new InsertTail(tokens, text, target, stored(), context);
    return Placements.sequence(table)
        .filter(column -> tail.changes(column, columns))
        .map(column -> new Placements(context.catalog()).raised(table, column))
        .stream()
        .toList();
  }

  /**
   * The rows of INSERT or REPLACE ... SELECT: one pattern, in which {@link Cell.Slot} n is the
   * query's column n; {@code slotsPerRow} is the number of columns. Slots of the tail are the
   * statement's. The caller checks that the query has {@link InsertRows#clientCells} columns, see
   * {@link #wrongCount}.
   *
   * @throws AlraiException as {@link #plan}
   */
  public static InsertRows rowsOfQuery(ShapedStatement statement, Planner.Context context) {
    return rowsOfQuery(statement, context, Map.of());
  }

  /** Rows of a query; {@code values} stand for parts of ON DUPLICATE KEY UPDATE. */
  static InsertRows rowsOfQuery(
      ShapedStatement statement, Planner.Context context, Map<Span, List<Piece>> values) {
    InsertPlanner planner = of(statement, context);
    planner.values = values;
    List<Column> columns = planner.columns(false);
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      cells.add(new Cell.Slot(i));
    }
    return planner.rows(columns, List.of(cells), columns.size());
  }

  /**
   * A statement whose values have subqueries, as INSERT ... SELECT with the same slots. The plan
   * for it holds for this text only, as more rows of the same pattern would have the same shape.
   *
   * @throws AlraiException as {@link #plan}; ER_NOT_SUPPORTED_YET for DEFAULT beside a subquery
   */
  public static ShapedStatement asQuery(ShapedStatement statement, Planner.Context context) {
    InsertPlanner planner = of(statement, context);
    planner.requireAssigned();
    String table = planner.tableText();
    int at = planner.verb().length();
    Span named = new Span(at, at + table.length());
    List<CheckedTarget> checked =
        planner.check.map(view -> new CheckedTarget(named, view)).stream().toList();
    return new ReshapedStatement(statement, planner.queryText(table), List.of(), checked);
  }

  /** ON DUPLICATE KEY UPDATE has expressions, in the text as it was sent. */
  private void requireAssigned() {
    TokenCursor sent = cursor(statement.text(), context);
    new InsertTextParser(sent)
        .parse()
        .onDuplicate()
        .forEach(each -> sent.requireExpression(each.value().from(), each.value().to()));
  }

  private String queryText(String table) {
    List<List<Range>> rows =
        switch (text.source()) {
          case Source.Rows values -> values.rows();
          case Source.Set set -> List.of(set.values());
          case Source.Query query -> throw new IllegalStateException("is a query");
        };
    int times = Math.max(1, statement.foldedRows());
    boolean several = rows.size() * times > 1;
    List<Column> columns = columns(false);
    List<String> labels = labels(columns);
    List<String> selects = new ArrayList<>();
    for (List<Range> row : rows) {
      List<Cell> cells = cells(row, columns.size(), selects.size() + 1);
      if (cells.stream().anyMatch(Cell.Default.class::isInstance)) {
        throw InsertErrors.notSupported(
            "DEFAULT beside a subquery in VALUES", "leave the column out");
      }
      row.forEach(cell -> tokens.requireExpression(cell.from(), cell.to()));
      List<String> values = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        String value = tokens.slice(row.get(i).from(), row.get(i).to());
        boolean string = several && InsertTarget.isString(columns.get(i));
        String label = labels.isEmpty() ? "" : " AS " + Identifier.quote(labels.get(i));
        values.add((string ? "CONCAT(" + value + ")" : value) + label);
      }
      selects.addAll(Collections.nCopies(times, "SELECT " + String.join(",", values)));
    }
    String query = String.join(" UNION ALL ", selects);
    if (!labels.isEmpty()) {
      String row = Identifier.quote(text.alias().map(Alias::name).orElse("__alrai_new"));
      String all =
          labels.stream()
              .map(label -> row + "." + Identifier.quote(label))
              .collect(Collectors.joining(","));
      query = "SELECT " + all + " FROM (" + query + ") AS " + row;
    }
    int tail = text.tail().from();
    while (tail < text.tail().to() && !tokens.seesAt(tail, "ON", "DUPLICATE")) {
      tail++; // after the alias
    }
    return verb() + table + names(columns) + query + " " + tokens.slice(tail, text.tail().to());
  }

  /**
   * The names by which ON DUPLICATE KEY UPDATE may read new rows; empty where it does not, and its
   * subqueries neither.
   *
   * @throws AlraiException 1353 for an alias with another number of columns
   */
  private List<String> labels(List<Column> columns) {
    boolean queries =
        text.onDuplicate().stream().map(InsertText.Assigned::value).anyMatch(this::isQuery);
    if (text.alias().isEmpty() && !queries) {
      return List.of();
    }
    List<String> given = text.alias().map(Alias::columns).orElse(List.of());
    if (!given.isEmpty() && given.size() != columns.size()) {
      throw AlraiException.fromServer(
          OTHER_COLUMNS,
          "HY000",
          "In definition of view, derived table or common table expression, SELECT list and column"
              + " names list have different column counts");
    }
    if (!given.isEmpty()) {
      return given;
    }
    // without an alias of the client's they must not hide the columns of the row that is there
    return IntStream.range(0, columns.size())
        .mapToObj(i -> text.alias().isPresent() ? columns.get(i).name() : "__alrai_new_" + i)
        .toList();
  }

  private String tableText() {
    String schema =
        target.view().isPresent()
            ? Identifier.quote(target.table().schema()) + "."
            : text.table().schema().map(name -> Identifier.quote(name) + ".").orElse("");
    return schema + Identifier.quote(target.table().name());
  }

  /** ER_WRONG_VALUE_COUNT_ON_ROW for the first row. */
  public static AlraiException wrongCount() {
    return InsertErrors.wrongCount(1);
  }

  private static InsertPlanner of(ShapedStatement statement, Planner.Context context) {
    TokenCursor tokens = cursor(statement.shape(), context);
    InsertText text;
    try {
      text = new InsertTextParser(tokens).parse();
    } catch (AlraiException inShape) {
      if (inShape.is(ErrorCode.ER_PARSE_ERROR)) {
        // Raises the error again, with the client's own text in it.
        new InsertTextParser(cursor(statement.text(), context)).parse();
      }
      throw inShape;
    }
    InsertTarget target = InsertTarget.of(text.table(), context, text.replace());
    FiredTriggers.check(
        context.catalog(),
        target.table(),
        FiredTriggers.ofInsert(text.replace(), !text.onDuplicate().isEmpty()));
    if (target.view().isPresent() && text.tail().from() < text.tail().to()) {
      ViewWrites.requireOwnNames(target.view().get());
    }
    return new InsertPlanner(statement, tokens, context, text, target);
  }

  private static TokenCursor cursor(String sql, Planner.Context context) {
    return new TokenCursor(sql, context.ansiQuotes(), context.noBackslashEscapes());
  }

  private boolean hasSubquery() {
    if (text.onDuplicate().stream().map(InsertText.Assigned::value).anyMatch(this::isQuery)) {
      return true;
    }
    return switch (text.source()) {
      case Source.Rows rows -> rows.rows().stream().flatMap(List::stream).anyMatch(this::isQuery);
      case Source.Set set -> set.values().stream().anyMatch(this::isQuery);
      case Source.Query query -> false;
    };
  }

  private boolean isQuery(Range cell) {
    for (int i = cell.from(); i + 1 < cell.to(); i++) {
      boolean opened = tokens.kindAt(i) == TokenKind.OPEN;
      if (opened
          && (tokens.seesAt(i + 1, "SELECT")
              || tokens.seesAt(i + 1, "WITH")
              || tokens.seesAt(i + 1, "TABLE"))) {
        return true;
      }
    }
    return false;
  }

  private InsertRows rows() {
    return switch (text.source()) {
      case Source.Rows rows -> {
        boolean allEmpty = rows.rows().stream().allMatch(List::isEmpty);
        List<Column> columns = columns(allEmpty && text.columns().isEmpty());
        List<List<Cell>> patterns = new ArrayList<>();
        for (List<Range> row : rows.rows()) {
          patterns.add(cells(row, columns.size(), patterns.size() + 1));
        }
        yield rows(columns, patterns, statement.slotsPerRow());
      }
      case Source.Set set -> {
        List<Column> columns = columns(false);
        yield rows(columns, List.of(cells(set.values(), columns.size(), 1)), 0);
      }
      case Source.Query query -> throw new IllegalStateException("rows of a query");
    };
  }

  /** The columns that the client gives values for. */
  private List<Column> columns(boolean none) {
    if (none) {
      return List.of();
    }
    return text.columns().isEmpty() ? target.visibleColumns() : target.columns(text.columns());
  }

  private List<Cell> cells(List<Range> row, int expected, int number) {
    if (row.size() != expected) {
      throw InsertErrors.wrongCount(number);
    }
    List<Cell> cells = new ArrayList<>();
    for (Range range : row) {
      cells.add(cell(range));
    }
    return cells;
  }

  private Cell cell(Range range) {
    if (range.isOne()) {
      if (tokens.kindAt(range.from()) == TokenKind.PARAMETER) {
        return new Cell.Slot(((Piece.Slot) template(range).pieces().get(0)).index());
      }
      if (tokens.seesAt(range.from(), "NULL")) {
        return new Cell.Null();
      }
      if (tokens.seesAt(range.from(), "DEFAULT")) {
        return new Cell.Default();
      }
    }
    TemplateWriter writer = write(range);
    return new Cell.Expression(writer.template(), !writer.isRewritten());
  }

  private SqlTemplate template(Range range) {
    return write(range).template();
  }

  private TemplateWriter write(Range range) {
    TemplateWriter writer = new TemplateWriter(tokens, functions).add(range.from(), range.to());
    isRewritten |= writer.isRewritten();
    return writer;
  }

  private InsertRows rows(List<Column> clientColumns, List<List<Cell>> rows, int slotsPerRow) {
    List<Column> columns = new ArrayList<>(clientColumns);
    Optional<AutoIncrement> autoIncrement = addMissing(columns);
    int added = columns.size() - clientColumns.size();
    List<RowPattern> patterns = new ArrayList<>();
    for (List<Cell> row : rows) {
      List<Cell> cells = new ArrayList<>(row);
      for (int i = 0; i < added; i++) {
        cells.add(new Cell.Default());
      }
      patterns.add(new RowPattern(cells));
    }
    InsertTail tail = new InsertTail(tokens, text, target, stored(), context);
    Map<Integer, InsertTail.Value> slots = slots(values);
    tail.check(columns, slots);
    SqlTemplate tailText = tail.template(added, slots);
    boolean verbatim =
        text.table().schema().isEmpty()
            && target.view().isEmpty()
            && check.isEmpty()
            && !isRewritten
            && !tail.isRewritten()
            && !qualified();
    return new InsertRows(
        target.table().schema(),
        target.table().name(),
        target.placement(columns),
        columns.stream().map(Column::name).toList(),
        clientColumns.size(),
        head(columns),
        patterns,
        patterns.size() == 1 ? slotsPerRow : 0,
        tailText,
        autoIncrement,
        verbatim);
  }

  /** By the token where a name begins. */
  private Map<Integer, InsertTail.Value> slots(Map<Span, List<Piece>> values) {
    Map<Integer, InsertTail.Value> slots = new HashMap<>();
    String shape = statement.shape();
    values.forEach((span, pieces) -> {
      int start = shape.substring(0, span.start()).getBytes(StandardCharsets.UTF_8).length;
      int end = start + span.of(shape).getBytes(StandardCharsets.UTF_8).length;
      for (int i = text.tail().from(); i < text.tail().to(); i++) {
        if (tokens.token(i).start() == start) {
          slots.put(i, new InsertTail.Value(pieces, end));
        }
      }
    });
    return slots;
  }

  private boolean qualified() {
    return text.columns().stream().anyMatch(column -> column.qualifiers().size() > 1);
  }

  /** Adds the key columns and the AUTO_INCREMENT column that the client leaves out. */
  private Optional<AutoIncrement> addMissing(List<Column> columns) {
    Optional<Column> auto = target.autoIncrement();
    Set<String> automatic = auto.map(Column::name).stream().collect(Collectors.toSet());
    for (String key : target.keyColumns()) {
      Column column = target.table().column(key).orElseThrow();
      if (column.generated()) {
        throw InsertErrors.notSupported(
            "INSERT into a table partitioned by a generated column",
            "partition it by the columns that the value is made of");
      }
      if (!automatic.contains(column.name()) && InsertTarget.indexOf(columns, key) < 0) {
        columns.add(column);
      }
    }
    if (auto.isEmpty()) {
      return Optional.empty();
    }
    Column column = auto.get();
    int given = InsertTarget.indexOf(columns, column.name());
    boolean own = target.table().ownIds();
    if (given < 0 && !own) {
      columns.add(column);
    }
    return Optional.of(
        new AutoIncrement(
            own ? "" : target.table().sequence(),
            column.name(),
            given < 0 && !own ? columns.size() - 1 : given,
            given < 0,
            column.unsigned(),
            column.largest()));
  }

  /** What gets the rows at their places. */
  private String stored() {
    return check.map(CheckView::name).orElse(target.table().name());
  }

  private SqlTemplate head(List<Column> columns) {
    return new SqlTemplate(
        List.of(
            new Piece.Text(verb()),
            new Piece.PlaceSchema(),
            new Piece.Text("." + Identifier.quote(stored()) + names(columns) + "VALUES ")));
  }

  private String verb() {
    String modifiers = text.modifiers().isEmpty() ? "" : text.modifiers() + " ";
    return (text.replace() ? "REPLACE " : "INSERT ") + modifiers + "INTO ";
  }

  private static String names(List<Column> columns) {
    return columns.stream()
        .map(column -> Identifier.quote(column.name()))
        .collect(Collectors.joining(",", " (", ") "));
  }
}
