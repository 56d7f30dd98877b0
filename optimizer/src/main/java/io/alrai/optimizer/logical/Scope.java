package io.alrai.optimizer.logical;

import io.alrai.optimizer.syntax.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rex.RexNode;

/** The columns that a query block sees: its own, then those of the blocks around it. One thread. */
final class Scope {
  /**
   * A column that can be named.
   *
   * @param schema of a table of the catalog
   * @param relation the table's alias or name
   * @param index in the block's row; -1 for a column whose type the executor has not
   * @param hidden by the same column of the other side of a NATURAL join or USING: found by its
   *     qualified name only
   */
  record Visible(
      Optional<String> schema, String relation, String column, int index, boolean hidden) {
    boolean matches(Expr.Name name) {
      return column.equalsIgnoreCase(name.column())
          && (name.table().isPresent() ? name.table().get().equals(relation) : !hidden)
          && (name.schema().isEmpty() || name.schema().equals(schema));
    }

    int readable() {
      if (index < 0) {
        throw new NotCovered("the column " + column + " of its type or collation");
      }
      return index;
    }

    Visible shifted(int by) {
      return index < 0 ? this : new Visible(schema, relation, column, index + by, hidden);
    }

    Visible hide() {
      return new Visible(schema, relation, column, index, true);
    }
  }

  private final List<Visible> columns;
  private final RelNode rows;
  private final Optional<Scope> outer;
  private final CorrelationId id;
  private boolean correlated;
  private boolean grouped;

  /**
   * A block's scope.
   *
   * @param rows what FROM gives; the columns' indexes are of its row
   */
  Scope(List<Visible> columns, RelNode rows, Optional<Scope> outer) {
    this.columns = List.copyOf(columns);
    this.rows = rows;
    this.outer = outer;
    this.id = rows.getCluster().createCorrel();
  }

  RelNode rows() {
    return rows;
  }

  List<Visible> columns() {
    return columns;
  }

  /** The name under which subqueries see the block's row. */
  CorrelationId id() {
    return id;
  }

  /** Whether a subquery named a column of this block. */
  boolean correlated() {
    return correlated;
  }

  /** From here on the block's rows are groups: subqueries can no longer name its columns. */
  void group() {
    grouped = true;
  }

  /** A column of the block's own. */
  Optional<RexNode> own(Expr.Name name) {
    return index(name).map(index -> Expressions.column(rows.getRowType(), index));
  }

  private Optional<Integer> index(Expr.Name name) {
    List<Visible> found = new ArrayList<>();
    for (Visible column : columns) {
      if (column.matches(name)) {
        found.add(column);
      }
    }
    if (found.size() > 1) {
      throw new NotCovered("the ambiguous column " + name.column());
    }
    return found.stream().findFirst().map(Visible::readable);
  }

  /** A column of this block or of one around it. */
  RexNode resolve(Expr.Name name) {
    return own(name)
        .or(() -> outer.map(scope -> scope.fromInside(name)))
        .orElseThrow(() -> new NotCovered("the column " + name.column() + ", which is not there"));
  }

  private RexNode fromInside(Expr.Name name) {
    Optional<Integer> index = index(name);
    if (index.isEmpty()) {
      return outer
          .map(scope -> scope.fromInside(name))
          .orElseThrow(
              () -> new NotCovered("the column " + name.column() + ", which is not there"));
    }
    if (grouped) {
      throw new NotCovered("a subquery that names columns of groups");
    }
    correlated = true;
    var builder = rows.getCluster().getRexBuilder();
    return builder.makeFieldAccess(builder.makeCorrel(rows.getRowType(), id), index.get());
  }
}
