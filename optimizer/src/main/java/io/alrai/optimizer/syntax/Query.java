package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import java.util.List;
import java.util.Optional;

/**
 * A query expression: what may stand in parentheses as a subquery.
 *
 * @param span from WITH or the body to the last clause, without parentheses around
 * @param with the common table expressions
 * @param orderBy of the whole
 * @param limit of the whole
 * @param locking FOR UPDATE, FOR SHARE, LOCK IN SHARE MODE clauses
 * @param into INTO OUTFILE, DUMPFILE or variables
 */
public record Query(
    Span span,
    Optional<With> with,
    Body body,
    List<OrderItem> orderBy,
    Optional<Limit> limit,
    List<RowLock> locking,
    Optional<Span> into) {
  public Query {
    orderBy = List.copyOf(orderBy);
    locking = List.copyOf(locking);
  }

  /** A copy without LIMIT. */
  public Query withoutLimit() {
    return new Query(span, with, body, orderBy, Optional.empty(), locking, into);
  }

  /** WITH. */
  public record With(Span span, boolean recursive, List<CommonTable> tables) {
    public With {
      tables = List.copyOf(tables);
    }
  }

  /** One common table expression. */
  public record CommonTable(Identifier name, List<String> columns, Query query) {
    public CommonTable {
      columns = List.copyOf(columns);
    }
  }

  /** LIMIT. */
  public record Limit(Span span, Optional<Expr> offset, Expr count) {}

  /** What gives the rows. */
  public sealed interface Body {
    /** Where it stands. */
    Span span();
  }

  /**
   * SELECT without ORDER BY and what follows.
   *
   * @param selection SELECT with its list
   * @param from empty for none
   * @param windows the WINDOW clause's definitions
   */
  public record Block(
      Span span,
      Selection selection,
      List<TableRef> from,
      Optional<Expr> where,
      Optional<Grouping> grouping,
      List<NamedWindow> windows,
      Optional<Expr> qualify)
      implements Body {
    public Block {
      from = List.copyOf(from);
      windows = List.copyOf(windows);
    }
  }

  /** One definition of the WINDOW clause. */
  public record NamedWindow(String name, Expr.Window window) {}

  /**
   * SELECT up to the end of its list.
   *
   * @param distinct the span of DISTINCT, if given
   * @param calcFoundRows the span of SQL_CALC_FOUND_ROWS, if given
   */
  public record Selection(
      Span span, Optional<Span> distinct, Optional<Span> calcFoundRows, List<SelectItem> items) {
    public Selection {
      items = List.copyOf(items);
    }
  }

  /** One item of the list; an alias may be a slot that held a string. */
  public record SelectItem(Span span, Expr expr, Optional<Alias> alias) {}

  /** An alias: a name, or the slot of a string. */
  public record Alias(Span span, String name, int slot) {}

  /** GROUP BY and HAVING. */
  public record Grouping(List<OrderItem> keys, boolean rollup, Optional<Expr> having) {
    public Grouping {
      keys = List.copyOf(keys);
    }
  }

  /** UNION, EXCEPT or INTERSECT. */
  public record SetOperation(Span span, SetOperator operator, boolean all, Body left, Body right)
      implements Body {}

  /** Kinds of set operations. */
  public enum SetOperator {
    UNION,
    EXCEPT,
    INTERSECT
  }

  /** A query expression in parentheses. */
  public record Nested(Span span, Query query) implements Body {}

  /** TABLE t. */
  public record WholeTable(Span span, TableRef.Named table) implements Body {}

  /** VALUES ROW(..), ROW(..). */
  public record Values(Span span, List<Expr> cells) implements Body {
    public Values {
      cells = List.copyOf(cells);
    }
  }
}
