package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import java.util.List;
import java.util.Optional;

/** A data statement. */
public sealed interface Statement {
  /** SELECT, TABLE, VALUES, WITH ... SELECT. */
  record Select(Query query) implements Statement {}

  /**
   * UPDATE.
   *
   * @param tables more than one item, or a join, for the multi-table form
   */
  record Update(
      Optional<Query.With> with, List<TableRef> tables, List<Assignment> assignments, Tail tail)
      implements Statement {
    public Update {
      tables = List.copyOf(tables);
      assignments = List.copyOf(assignments);
    }
  }

  /**
   * DELETE.
   *
   * @param targets the tables of the multi-table form that lose rows; empty for the single-table
   *     form
   * @param from tables to read
   */
  record Delete(
      Optional<Query.With> with, List<TargetTable> targets, List<TableRef> from, Tail tail)
      implements Statement {
    public Delete {
      targets = List.copyOf(targets);
      from = List.copyOf(from);
    }
  }

  /**
   * INSERT or REPLACE with a query.
   *
   * @param columns empty where no list is given
   * @param tail ON DUPLICATE KEY UPDATE; its expressions
   */
  record InsertQuery(
      boolean replace,
      TableRef.Named target,
      List<Identifier> columns,
      Query query,
      Optional<Span> tail,
      List<Assignment> onDuplicate)
      implements Statement {
    public InsertQuery {
      columns = List.copyOf(columns);
      onDuplicate = List.copyOf(onDuplicate);
    }
  }

  /** INSERT or REPLACE with rows of values. */
  record InsertValues() implements Statement {}

  /** {@code column = value}. */
  record Assignment(Span span, Expr.Name column, Expr value) {}

  /** A table of a multi-table DELETE that loses rows; {@code t}, {@code s.t} or {@code t.*}. */
  record TargetTable(Span span, Optional<Identifier> schema, Identifier name) {}

  /** What follows. */
  record Tail(Optional<Expr> where, List<OrderItem> orderBy, Optional<Query.Limit> limit) {
    public Tail {
      orderBy = List.copyOf(orderBy);
    }
  }
}
