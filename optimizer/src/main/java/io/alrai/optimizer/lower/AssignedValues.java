package io.alrai.optimizer.lower;

import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.shardsql.SqlBuilder;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Span;
import io.alrai.optimizer.syntax.Statement.Assignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the assignments of an UPDATE give, as a SELECT over its table can say it before. */
final class AssignedValues {
  private final List<Assignment> assignments;
  private final String source;

  /** {@code source} is the statement's shape. */
  AssignedValues(List<Assignment> assignments, String source) {
    this.assignments = List.copyOf(assignments);
    this.source = source;
  }

  /**
   * What a column gets, the last of several values; the column itself where it gets none.
   *
   * @param qualified the column as SQL
   */
  SqlTemplate of(String column, String qualified, TextEdits edits) {
    SqlTemplate value = new SqlBuilder().text(qualified).build();
    for (Assignment assignment : assignments) {
      if (assignment.column().column().equalsIgnoreCase(column)) {
        Span span = assignment.value().span();
        value =
            span.of(source).equalsIgnoreCase("DEFAULT")
                ? new SqlBuilder().text("DEFAULT(" + qualified + ")").build()
                : edits.of(span);
      }
    }
    return value;
  }

  /**
   * Whether a SELECT sees what the UPDATE will see: no assignment reads a column that one before it
   * has changed. MySQL assigns from left to right.
   */
  boolean areForeseen() {
    List<String> changed = new ArrayList<>();
    boolean[] reads = new boolean[1];
    for (Assignment assignment : assignments) {
      assignment
          .value()
          .walk(expr -> {
            reads[0] |= !expr.queries().isEmpty() && !changed.isEmpty();
            reads[0] |=
                expr instanceof Expr.Name name
                    && changed.contains(name.column().toLowerCase(Locale.ROOT));
          });
      changed.add(assignment.column().column().toLowerCase(Locale.ROOT));
    }
    return !reads[0];
  }

  /** Whether a value comes from a subquery, or a function that CNs interpret. */
  boolean areGathered(StoredCalls interpreted) {
    return assignments.stream()
        .anyMatch(one -> !one.value().allQueries().isEmpty() || interpreted.areIn(one.value()));
  }

  /** The columns in order of their assignment. */
  List<String> columns() {
    return assignments.stream().map(one -> one.column().column()).toList();
  }
}
