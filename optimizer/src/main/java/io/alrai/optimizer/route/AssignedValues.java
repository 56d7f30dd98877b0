package io.alrai.optimizer.route;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.sql.WholeJson;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.bind.Scope;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Statement.Assignment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What an UPDATE assigns to one of its tables, as a SELECT over its tables can say it before. */
public final class AssignedValues {
  private final List<Assignment> assignments;
  private final String source;
  private final Scope scope;
  private final Relation.Base base;

  /**
   * The assignments to a table.
   *
   * @param source the statement's shape
   * @param scope what its names mean
   */
  public AssignedValues(
      List<Assignment> assignments, String source, Scope scope, Relation.Base base) {
    this.assignments = List.copyOf(assignments);
    this.source = source;
    this.scope = scope;
    this.base = base;
  }

  /**
   * What a column gets, the last of several values; the column itself where it gets none.
   *
   * @param qualified the column as SQL
   */
  public SqlTemplate of(String column, String qualified, TextEdits edits) {
    SqlTemplate value = new SqlBuilder().text(qualified).build();
    for (Assignment assignment : assignments) {
      if (assignment.column().column().equalsIgnoreCase(column)) {
        Span span = assignment.value().span();
        value =
            isDefault(assignment)
                ? new SqlBuilder().text("DEFAULT(" + qualified + ")").build()
                : whole(assignment.value(), edits.of(span), column);
      }
    }
    return value;
  }

  /** The assignments as an UPDATE has them. */
  public SqlTemplate text(TextEdits edits) {
    SqlBuilder sql = new SqlBuilder();
    String separator = "";
    for (Assignment assignment : assignments) {
      sql.text(separator).template(edits.of(assignment.column().span())).text(" = ");
      sql.template(edits.of(assignment.value().span()));
      separator = ", ";
    }
    return sql.build();
  }

  /** Which of {@link #columns} get what a column takes as a string. */
  public Set<Integer> texts() {
    List<String> columns = columns();
    Set<Integer> texts = new HashSet<>();
    for (int i = 0; i < columns.size(); i++) {
      for (Assignment assignment : assignments) {
        if (assignment.column().column().equalsIgnoreCase(columns.get(i))
            && TextResults.isOne(assignment.value())) {
          texts.add(i);
        }
      }
    }
    return texts;
  }

  /**
   * The text protocol cuts digits off a FLOAT, and the types off JSON: a column of documents has
   * these, and all but TEXT, which takes six digits, have those.
   */
  private SqlTemplate whole(Expr value, SqlTemplate sql, String assigned) {
    Optional<MysqlType> type =
        value instanceof Expr.Name name
            ? scope.column(name).map(Column::type)
            : TextResults.isDocument(value) ? Optional.of(MysqlType.JSON) : Optional.empty();
    Optional<MysqlType> to = base.table().column(assigned).map(Column::type);
    if (type.equals(Optional.of(MysqlType.FLOAT))
        && !to.map(AssignedValues::isLong).orElse(false)) {
      return RowColumns.around("CAST(", sql, " AS DOUBLE)");
    }
    boolean document = type.equals(Optional.of(MysqlType.JSON)) && to.equals(type);
    return document ? WholeJson.labelled(sql) : sql;
  }

  private static boolean isLong(MysqlType type) {
    return switch (type) {
      case TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB -> true;
      default -> false;
    };
  }

  /**
   * Whether a SELECT sees what the UPDATE will see: no assignment reads a column that one before it
   * has changed. MySQL assigns from left to right.
   */
  public boolean areForeseen() {
    List<String> changed = new ArrayList<>();
    boolean[] reads = new boolean[1];
    for (Assignment assignment : assignments) {
      assignment
          .value()
          .walk(expr -> {
            reads[0] |= !expr.queries().isEmpty() && !changed.isEmpty();
            reads[0] |=
                expr instanceof Expr.Name name
                    && (changed.contains(name.column().toLowerCase(Locale.ROOT))
                        || (isGenerated(name.column()) && !changed.isEmpty()))
                    && mayBeOfTable(name);
          });
      changed.add(assignment.column().column().toLowerCase(Locale.ROOT));
    }
    return !reads[0];
  }

  private boolean mayBeOfTable(Expr.Name name) {
    return scope.resolve(name).map(column -> column.relation() == base.id()).orElse(true);
  }

  /** Whether a value reads a column that the statement assigns to another table. */
  public boolean read(AssignedValues others) {
    boolean[] reads = new boolean[1];
    for (Assignment assignment : assignments) {
      assignment
          .value()
          .walk(expr -> reads[0] |= expr instanceof Expr.Name name && others.assigns(name));
    }
    return reads[0];
  }

  private boolean assigns(Expr.Name name) {
    return scope.resolve(name).filter(column -> column.relation() == base.id()).isPresent()
        && (isGenerated(name.column())
            || columns().stream().anyMatch(name.column()::equalsIgnoreCase));
  }

  /** It follows the others. */
  private boolean isGenerated(String column) {
    return base.table().column(column).filter(Column::generated).isPresent();
  }

  /** Whether a value comes from a subquery, or a function that CNs interpret. */
  public boolean areGathered(StoredCalls interpreted) {
    return assignments.stream()
        .anyMatch(one -> !one.value().allQueries().isEmpty() || interpreted.areIn(one.value()));
  }

  /**
   * The columns in order of their assignment; without generated ones that get DEFAULT, as nothing
   * else, and with one of the primary key where only such ones are assigned.
   */
  public List<String> columns() {
    List<String> columns =
        assignments.stream()
            .filter(one -> !isGenerated(one.column().column()) || !isDefault(one))
            .map(one -> one.column().column())
            .toList();
    return columns.isEmpty() ? base.table().primaryKey().subList(0, 1) : columns;
  }

  /** Whether a column gets a value that it need not have. */
  public boolean change(Column column) {
    return assignments.stream()
        .filter(one -> one.column().column().equalsIgnoreCase(column.name()))
        .anyMatch(one -> !isItself(one.value(), column));
  }

  /** Also as LAST_INSERT_ID(column). */
  private static boolean isItself(Expr value, Column column) {
    return switch (value) {
      case Expr.Name name -> name.column().equalsIgnoreCase(column.name());
      case Expr.Call call ->
          call.name().equals("LAST_INSERT_ID")
              && call.arguments().size() == 1
              && isItself(call.arguments().getFirst(), column);
      case Expr.Star _,
          Expr.Slot _,
          Expr.Literal _,
          Expr.Variable _,
          Expr.Parenthesised _,
          Expr.Row _,
          Expr.Operation _,
          Expr.Case _,
          Expr.InList _,
          Expr.OverQuery _ ->
          false;
    };
  }

  private boolean isDefault(Assignment assignment) {
    return assignment.value().span().of(source).equalsIgnoreCase("DEFAULT");
  }
}
