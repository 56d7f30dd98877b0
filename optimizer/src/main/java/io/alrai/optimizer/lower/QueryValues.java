package io.alrai.optimizer.lower;

import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ReshapedStatement;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Span;
import io.alrai.optimizer.syntax.Statement;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Columns of the query of an INSERT ... SELECT that its ON DUPLICATE KEY UPDATE reads. Where rows
 * go one by one from their places to others, the query gives these columns after those that are
 * inserted, and each row's values stand in the text that inserts it.
 */
final class QueryValues {
  private final Planning planning;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final Map<Span, Integer> slots = new LinkedHashMap<>();

  /** Names that are looked at already. */
  private final Set<Span> read = new HashSet<>();

  /** Those of a statement. */
  QueryValues(Planning planning, Statement.InsertQuery insert, Table table) {
    this.planning = planning;
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
        }
      }
      case Expr.Name name -> {
        if (isOfQuery(name, table) && read.add(name.span())) {
          add(name.span());
        }
      }
      default -> {}
    }
  }

  private static boolean isOfQuery(Expr.Name name, Table table) {
    return name.table().map(qualifier -> !qualifier.equals(table.name())).orElse(false)
        || table.column(name.column()).isEmpty();
  }

  private void add(Span value) {
    String text = value.of(planning.text().text());
    int number = numbers.computeIfAbsent(text, any -> numbers.size());
    slots.put(value, planning.statement().slotCount() + number);
  }

  /** Whether there are none. */
  boolean isEmpty() {
    return numbers.isEmpty();
  }

  /** How many columns there are. */
  int count() {
    return numbers.size();
  }

  /** The slots, after those of the statement, whose values stand for names, by the names' spans. */
  Map<Span, Integer> slots() {
    return slots;
  }

  /**
   * The statement whose query gives them, too.
   *
   * @throws io.alrai.common.error.AlraiException 1235 for a query whose rows are not those of its
   *     tables, or that stands in a view
   */
  Planning wider(Query query) {
    boolean plain =
        query.body() instanceof Query.Block block
            && block.selection().distinct().isEmpty()
            && block.grouping().isEmpty();
    boolean views =
        !ReshapedStatement.insertedIn(planning.statement()).isEmpty()
            || !ReshapedStatement.checkedIn(planning.statement()).isEmpty();
    if (!plain || views) {
      throw Planning.unsupported(
          "columns of the query in ON DUPLICATE KEY UPDATE, where the query has DISTINCT, groups,"
              + " set operations or views; use VALUES(column)");
    }
    Query.Block block = (Query.Block) query.body();
    String text =
        new StringBuilder(planning.text().text())
            .insert(block.selection().span().end(), ", " + String.join(", ", numbers.keySet()))
            .toString();
    return Planning.of(
        new ReshapedStatement(planning.statement(), text),
        planning.context(),
        planning.collations());
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
