package io.alrai.optimizer.route.insert;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Scope;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.ReadTables;
import io.alrai.optimizer.route.RepeatedSlots;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.view.ReshapedStatement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Columns of the query of an INSERT ... SELECT that its ON DUPLICATE KEY UPDATE reads, and
 * subqueries there that read nothing of the row. Where rows go one by one from their places to
 * others, the query gives these after what is inserted, and each row's values stand in the text
 * that inserts it.
 */
final class QueryValues {
  /** The value of a column of the new row; VALUES ROW(..) is a query. */
  private static final Pattern NEW_ROW =
      Pattern.compile("\\bVALUES\\s*\\(", Pattern.CASE_INSENSITIVE);

  private static final Pattern IGNORING = Pattern.compile("\\bIGNORE\\b", Pattern.CASE_INSENSITIVE);

  private static final String NAME = "(`(?:[^`]|``)*+`|[\\p{L}\\p{N}_$]++)";
  private static final Pattern NEW_VALUE =
      Pattern.compile(
          "\\bVALUES\\s*\\(\\s*(?:" + NAME + "\\s*\\.\\s*)*" + NAME + "\\s*\\)",
          Pattern.CASE_INSENSITIVE);

  private final Planning planning;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final Map<Span, List<Piece>> slots = new LinkedHashMap<>();
  private final Optional<ReadRow> row;
  private boolean rowIsRead;

  /** Names and subqueries that are looked at already. */
  private final Set<Span> read = new HashSet<>();

  private final List<Expr.Name> names = new ArrayList<>();
  private boolean subqueries;
  private boolean ofRow;

  /** Those of a statement. */
  QueryValues(Planning planning, Statement.InsertQuery insert, Table table) {
    this.planning = planning;
    boolean checked = !ReshapedStatement.checkedIn(planning.statement()).isEmpty();
    // IGNORE would make a warning of the error that shows a changed row
    String verb = planning.text().text().substring(0, insert.target().span().start());
    boolean ignores = IGNORING.matcher(verb).find();
    this.row = checked || ignores ? Optional.empty() : ReadRow.of(insert, table);
    for (Statement.Assignment assignment : insert.onDuplicate()) {
      assignment.value().walk(expr -> look(expr, table));
    }
  }

  /** A path follows a column only, no value: {@code column->path} counts as a whole. */
  private void look(Expr expr, Table table) {
    switch (expr) {
      case Expr.Operation operation
          when operation.symbol().startsWith("->")
              && operation.operands().getFirst() instanceof Expr.Name name -> {
        if (isOfQuery(name, table)) {
          add(operation.span());
          read.add(name.span());
          names.add(name);
        }
      }
      case Expr.Name name -> {
        if (isOfQuery(name, table) && read.add(name.span())) {
          add(name.span());
          names.add(name);
        }
      }
      case Expr.Operation operation when isQuantified(operation) ->
          addQuery(operation, operation.allQueries(), table);
      case Expr.Star _,
          Expr.Slot _,
          Expr.Literal _,
          Expr.Variable _,
          Expr.Parenthesised _,
          Expr.Row _,
          Expr.Operation _,
          Expr.Case _,
          Expr.InList _,
          Expr.OverQuery _,
          Expr.Call _ -> {
        if (!expr.queries().isEmpty() && !read.contains(expr.span())) {
          addQuery(expr, expr.queries(), table);
        }
      }
    }
  }

  private void addQuery(Expr expr, List<Query> queries, Table table) {
    subqueries = true;
    refuseRead(queries, table);
    boolean alone = queries.stream().allMatch(this::isAlone) && !hasNames(expr);
    expr.walk(inner -> read.add(inner.span()));
    if (alone) {
      add(expr.span());
    } else {
      Optional<List<Piece>> value = row.flatMap(found -> ofRow(expr, queries, table, found));
      rowIsRead |= value.isPresent();
      ofRow |= value.isEmpty();
      value.ifPresentOrElse(pieces -> slots.put(expr.span(), pieces), () -> add(expr.span()));
    }
  }

  /**
   * A value that was read of a row, where the row has by then what it was read of: it may have
   * changed, by the statement itself too, and values are converted. Else there is an error.
   */
  private Optional<List<Piece>> ofRow(Expr expr, List<Query> queries, Table table, ReadRow found) {
    Map<Span, String> given = new LinkedHashMap<>();
    Map<String, String> before = new LinkedHashMap<>();
    Span whole = expr.span();
    Matcher value = NEW_VALUE.matcher(planning.text().text()).region(whole.start(), whole.end());
    while (value.find()) {
      String column = Identifier.unquoted(value.group(2));
      Optional<ReadRow.Value> known = found.newValue(column);
      boolean other = value.group(1) == null && isOfSubquery(column, queries);
      if (known.isEmpty() || other) {
        return Optional.empty();
      }
      given.put(new Span(value.start(), value.end()), known.get().text());
      before.put(known.get().stored(), known.get().read());
    }
    boolean reads = false;
    for (Expr.Name name : names(expr, queries)) {
      if (!isOfQuery(name, table)) {
        Optional<ReadRow.Value> known = found.oldValue(name.column());
        if (known.isEmpty()) {
          return Optional.empty();
        }
        before.put(known.get().stored(), known.get().read());
        reads = true;
      }
    }
    Piece slot = slot(withLiterals(whole, given));
    SqlBuilder sql = new SqlBuilder().text("IF(TRUE");
    if (reads) {
      sql.text(" AND ").piece(slot(found.isThere()));
    }
    before.forEach((stored, read) -> sql.text(" AND " + stored + "<=>").piece(slot(read)));
    sql.text(",").piece(slot).text(",(SELECT ").piece(slot);
    return Optional.of(
        sql.text(" FROM (SELECT 1 UNION SELECT 2) AS __alrai_two))").build().pieces());
  }

  private void refuseRead(List<Query> queries, Table table) {
    for (Query query : queries) {
      Set<Span> named = new HashSet<>();
      ReadTables.add(query.body(), named);
      Analysis analysis = planning.newAnalysis();
      analysis.query(query);
      boolean reads =
          analysis.tables().stream()
              .anyMatch(
                  base -> base.table().equals(table) && named.contains(base.reference().span()));
      if (reads) {
        throw ReadTables.usedTarget(table.name());
      }
    }
  }

  /** Whether VALUES(column) would mean the column of a subquery's own table, and be NULL. */
  private boolean isOfSubquery(String column, List<Query> queries) {
    return queries.stream()
        .anyMatch(query -> {
          Analysis analysis = planning.newAnalysis();
          analysis.query(query);
          return analysis.tables().stream()
              .anyMatch(base -> base.table().column(column).isPresent());
        });
  }

  private List<Expr.Name> names(Expr expr, List<Query> queries) {
    List<Expr.Name> found = new ArrayList<>();
    List<Expr> within = new ArrayList<>(List.of(expr));
    for (Query query : queries) {
      Analysis analysis = planning.newAnalysis();
      analysis.query(query);
      analysis.blocks().forEach(facts -> within.addAll(facts.expressions()));
    }
    within.forEach(each ->
        each.walk(inner -> {
          if (inner instanceof Expr.Name name) {
            found.add(name);
          }
        }));
    return found;
  }

  private static boolean isQuantified(Expr.Operation operation) {
    return operation.symbol().endsWith(" ANY") || operation.symbol().endsWith(" ALL");
  }

  /** Names beside the subqueries, as on the left of IN. */
  private static boolean hasNames(Expr expr) {
    boolean[] found = new boolean[1];
    expr.walk(each -> found[0] |= each instanceof Expr.Name);
    return found[0];
  }

  /** Whether it has all that it names, and does not read the new row. */
  private boolean isAlone(Query query) {
    Analysis analysis = planning.newAnalysis();
    analysis.query(query);
    return !NEW_ROW.matcher(query.span().of(planning.text().text())).find()
        && analysis.blocks().stream()
            .allMatch(facts ->
                facts.expressions().stream().allMatch(expr -> isKnown(expr, facts.scope())));
  }

  private static boolean isKnown(Expr expr, Scope scope) {
    boolean[] unknown = new boolean[1];
    expr.walk(each -> unknown[0] |= each instanceof Expr.Name name && !scope.knows(name));
    return !unknown[0];
  }

  private static boolean isOfQuery(Expr.Name name, Table table) {
    return name.table().map(qualifier -> !qualifier.equals(table.name())).orElse(false)
        || table.column(name.column()).isEmpty();
  }

  private void add(Span value) {
    slots.put(value, List.of(slot(withLiterals(value, Map.of()))));
  }

  /** The slot of a column of the query. */
  private Piece slot(String text) {
    int number = numbers.computeIfAbsent(text, any -> numbers.size());
    return new Piece.Slot(planning.statement().slotCount() + number);
  }

  /**
   * A part of the shape that may stand elsewhere in it: slots are counted from its beginning.
   *
   * @param others what stands in place of parts
   */
  private String withLiterals(Span part, Map<Span, String> others) {
    TreeMap<Integer, Map.Entry<Span, String>> edits = new TreeMap<>();
    others.entrySet().forEach(other -> edits.put(other.getKey().start(), other));
    List<Span> all = planning.text().slots();
    for (int slot = 0; slot < all.size(); slot++) {
      if (part.holds(all.get(slot))) {
        edits.put(all.get(slot).start(), Map.entry(all.get(slot), literal(slot)));
      }
    }
    StringBuilder text = new StringBuilder();
    int from = part.start();
    for (Map.Entry<Span, String> edit : edits.values()) {
      text.append(planning.text().text(), from, edit.getKey().start()).append(edit.getValue());
      from = edit.getKey().end();
    }
    return text.append(planning.text().text(), from, part.end()).toString();
  }

  private String literal(int slot) {
    if (planning.statement().isParameter(slot)) {
      return RepeatedSlots.mark(slot);
    }
    planning.literals().depend();
    return planning.statement().slotText(slot);
  }

  /** Whether a subquery is among them: no place has all of the tables that it may read. */
  boolean hasSubqueries() {
    return subqueries;
  }

  /** Whether rows that are there already are read. */
  boolean readsRow() {
    return rowIsRead;
  }

  /** Whether there are none. */
  boolean isEmpty() {
    return numbers.isEmpty();
  }

  /** How many columns there are. */
  int count() {
    return numbers.size();
  }

  /**
   * What stands for names and subqueries, by their spans: slots after those of the statement are
   * the columns.
   */
  Map<Span, List<Piece>> slots() {
    return slots;
  }

  /**
   * The statement whose query gives them, too.
   *
   * @param facts of the query
   * @param lock the clause that locks rows that are there already, or nothing
   * @throws io.alrai.common.error.AlraiException 1054 for columns of a query that has groups or set
   *     operations; 1235 for subqueries that read the row, and for columns that DISTINCT leaves out
   */
  Planning wider(Query query, Optional<BlockFacts> facts, String lock) {
    if (ofRow) {
      throw InsertErrors.notSupported(
          "a subquery in ON DUPLICATE KEY UPDATE that reads the row",
          "read the value in a statement before");
    }
    List<Query.Block> blocks = blocks(query);
    boolean distinct = blocks.getFirst().selection().distinct().isPresent();
    if (distinct
        && !names.stream().allMatch(name -> facts.isPresent() && isShown(name, facts.get()))) {
      throw Planning.unsupported(
          "columns in ON DUPLICATE KEY UPDATE that the query's DISTINCT list leaves out; SELECT them,"
              + " or use VALUES(column)");
    }
    String added = ", " + String.join(", ", numbers.keySet());
    TreeMap<Integer, String> additions = new TreeMap<>();
    blocks.forEach(block -> additions.put(block.selection().span().end(), added));
    if (rowIsRead) {
      ReadRow found = row.orElseThrow();
      additions.put(found.end(), found.join(span -> withLiterals(span, Map.of()), lock));
    }
    StringBuilder text = new StringBuilder(planning.text().text());
    additions.descendingMap().forEach(text::insert);
    List<Span> inserted =
        ReshapedStatement.insertedIn(planning.statement()).stream()
            .map(span -> moved(span, additions))
            .toList();
    return Planning.of(
        new ReshapedStatement(
            planning.statement(),
            text.toString(),
            inserted,
            ReshapedStatement.checkedIn(planning.statement())),
        planning.context(),
        planning.collations());
  }

  private static Span moved(Span span, TreeMap<Integer, String> additions) {
    int by = additions.headMap(span.start(), true).values().stream().mapToInt(String::length).sum();
    return new Span(span.start() + by, span.end() + by);
  }

  /** Those whose lists give the rows. */
  private List<Query.Block> blocks(Query query) {
    boolean plain = query.body() instanceof Query.Block block && block.grouping().isEmpty();
    if (!plain && !names.isEmpty()) {
      throw InsertErrors.unknownColumn(
          names.getFirst().parts().stream().map(Identifier::name).collect(Collectors.joining(".")));
    }
    List<Query.Block> blocks = new ArrayList<>();
    if (!collect(query.body(), blocks)) {
      throw Planning.unsupported(
          "a subquery in ON DUPLICATE KEY UPDATE beside TABLE or VALUES; read the value in a"
              + " statement before");
    }
    return blocks;
  }

  private static boolean collect(Query.Body body, List<Query.Block> blocks) {
    return switch (body) {
      case Query.Block block -> blocks.add(block);
      case Query.SetOperation set -> collect(set.left(), blocks) && collect(set.right(), blocks);
      case Query.Nested nested -> collect(nested.query().body(), blocks);
      case Query.WholeTable table -> false;
      case Query.Values values -> false;
    };
  }

  private static boolean isShown(Expr.Name name, BlockFacts facts) {
    Optional<ColumnRef> column = facts.scope().resolve(name);
    return column.isPresent()
        && facts.outputs().stream()
            .flatMap(List::stream)
            .anyMatch(output -> output.reference().equals(column));
  }

  /**
   * Checks what partition key columns are assigned: they may get the value that goes into them. And
   * that no number of an ENUM or SET may be meant, as the text stands for their values.
   *
   * @param facts of the query
   * @throws io.alrai.common.error.AlraiException 1235
   */
  void check(Statement.InsertQuery insert, Table table, Optional<BlockFacts> facts) {
    for (Statement.Assignment assignment : insert.onDuplicate()) {
      boolean number =
          !(assignment.value() instanceof Expr.Name)
              || table
                  .column(assignment.column().column())
                  .filter(target -> isText(target.type()))
                  .isEmpty();
      assignment
          .value()
          .walk(expr -> {
            if (number && expr instanceof Expr.Name name && isOfList(name, facts)) {
              throw Planning.unsupported(
                  "the ENUM or SET column '"
                      + name.column()
                      + "' of the query in ON DUPLICATE KEY UPDATE; SELECT it as CHAR or a number"
                      + " in a derived table");
            }
          });
      String column = assignment.column().column();
      boolean key = Placements.keyColumns(table).stream().anyMatch(column::equalsIgnoreCase);
      Span value = assignment.value().span();
      boolean reads =
          slots.keySet().stream()
              .anyMatch(name -> name.start() >= value.start() && name.end() <= value.end());
      if (key && reads && !isInserted(assignment, insert, table, facts)) {
        throw InsertErrors.notSupported(
            "ON DUPLICATE KEY UPDATE " + column.toLowerCase(Locale.ROOT) + " = ..",
            "the column decides where the row is stored");
      }
    }
  }

  private static boolean isText(MysqlType type) {
    return switch (type) {
      case ENUM, SET, CHAR, VARCHAR -> true;
      default -> false;
    };
  }

  private boolean isOfList(Expr.Name name, Optional<BlockFacts> facts) {
    return slots.containsKey(name.span())
        && facts
            .flatMap(known -> known.scope().column(name))
            .filter(column -> column.type() == MysqlType.ENUM || column.type() == MysqlType.SET)
            .isPresent();
  }

  private static boolean isInserted(
      Statement.Assignment assignment,
      Statement.InsertQuery insert,
      Table table,
      Optional<BlockFacts> facts) {
    return assignment.value() instanceof Expr.Name name
        && facts
            .flatMap(known -> known.scope().resolve(name))
            .equals(
                facts
                    .flatMap(known ->
                        InsertSelectPlanner.output(
                            insert, table, assignment.column().column(), known))
                    .flatMap(output -> output.reference()));
  }
}
