package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** An expression. */
public sealed interface Expr {
  /** Where it stands in the source text. */
  Span span();

  /** The expressions directly within, not those of subqueries. */
  List<Expr> children();

  /** The subqueries directly within. */
  default List<Query> queries() {
    return List.of();
  }

  /** This without parentheses around it. */
  default Expr bare() {
    Expr expr = this;
    while (expr instanceof Parenthesised parenthesised) {
      expr = parenthesised.inner();
    }
    return expr;
  }

  /** Calls back for this expression and all within, not those of subqueries, outer ones first. */
  default void walk(Consumer<Expr> visitor) {
    visitor.accept(this);
    for (Expr child : children()) {
      child.walk(visitor);
    }
  }

  /** All subqueries of this expression that are not within one another. */
  default List<Query> allQueries() {
    List<Query> found = new ArrayList<>();
    walk(expr -> found.addAll(expr.queries()));
    return found;
  }

  /** Has nothing within. */
  sealed interface Leaf extends Expr {}

  /** Is about the rows of a subquery. */
  sealed interface OverQuery extends Expr {}

  /** A column, or an alias, with up to two qualifiers. */
  record Name(Span span, List<Identifier> parts) implements Leaf {
    public Name {
      parts = List.copyOf(parts);
    }

    /** The last part. */
    public String column() {
      return parts.getLast().name();
    }

    /** The table's name or alias, if given. */
    public Optional<String> table() {
      return parts.size() < 2 ? Optional.empty() : Optional.of(parts.get(parts.size() - 2).name());
    }

    /** The schema's name, if given. */
    public Optional<String> schema() {
      return parts.size() < 3 ? Optional.empty() : Optional.of(parts.getFirst().name());
    }

    @Override
    public List<Expr> children() {
      return List.of();
    }
  }

  /** {@code *}, {@code t.*} or {@code s.t.*}. */
  record Star(Span span, List<Identifier> qualifier) implements Leaf {
    public Star {
      qualifier = List.copyOf(qualifier);
    }

    /** The name of any column of the table of {@code t.*}, which tells what table is meant. */
    public Name any() {
      List<Identifier> parts = new ArrayList<>(qualifier);
      parts.add(qualifier.getLast());
      return new Name(span, parts);
    }

    @Override
    public List<Expr> children() {
      return List.of();
    }
  }

  /** A slot of the shape. */
  record Slot(Span span, int index) implements Leaf {
    @Override
    public List<Expr> children() {
      return List.of();
    }
  }

  /** NULL, TRUE, FALSE, DEFAULT and literals that are no slots. */
  record Literal(Span span, String text) implements Leaf {
    @Override
    public List<Expr> children() {
      return List.of();
    }
  }

  /** A user variable or system variable with its {@code @}s. */
  record Variable(Span span, String text) implements Leaf {
    /** Whether it is a system variable. */
    public boolean system() {
      return text.startsWith("@@");
    }

    @Override
    public List<Expr> children() {
      return List.of();
    }
  }

  /** An expression in parentheses. */
  record Parenthesised(Span span, Expr inner) implements Expr {
    @Override
    public List<Expr> children() {
      return List.of(inner);
    }
  }

  /** {@code (a, b)} or {@code ROW(a, b)}. */
  record Row(Span span, List<Expr> cells) implements Expr {
    public Row {
      cells = List.copyOf(cells);
    }

    @Override
    public List<Expr> children() {
      return cells;
    }
  }

  /**
   * An operator with its operands.
   *
   * @param symbol the operator in upper case: {@code <}, {@code NOT LIKE}, {@code IS NOT TRUE},
   *     {@code = ANY}; of INTERVAL the unit, of a literal or string what stands before it; empty
   *     where several strings stand in a row
   */
  record Operation(Span span, Operator operator, String symbol, List<Expr> operands)
      implements Expr {
    public Operation {
      operands = List.copyOf(operands);
    }

    @Override
    public List<Expr> children() {
      return operands;
    }
  }

  /** What the planner tells apart. */
  enum Operator {
    AND,
    OR,
    NOT,
    EQUAL,
    /** IS NULL. */
    IS_NULL,
    /** {@code :=} of a user variable. */
    ASSIGN,
    /** A comparison or BETWEEN, LIKE and others that give 0, 1 or NULL. */
    PREDICATE,
    /** Plus, minus, and others that give a number, or a date where an interval is added. */
    ARITHMETIC,
    /** What gives a string: COLLATE, BINARY, {@code ->>}. */
    TEXT,
    /** {@code DATE '2020-01-01'} and the like. */
    TEMPORAL_LITERAL,
    INTERVAL,
    OTHER
  }

  /**
   * CASE.
   *
   * @param compared whether a value follows CASE: the first of {@code conditions}
   * @param conditions what is compared, and with what
   * @param results what it may give
   */
  record Case(Span span, boolean compared, List<Expr> conditions, List<Expr> results)
      implements Expr {
    public Case {
      conditions = List.copyOf(conditions);
      results = List.copyOf(results);
    }

    @Override
    public List<Expr> children() {
      List<Expr> all = new ArrayList<>(conditions);
      all.addAll(results);
      return all;
    }
  }

  /** {@code value [NOT] IN (a, b)}. */
  record InList(Span span, Expr value, List<Expr> list, boolean negated) implements Expr {
    public InList {
      list = List.copyOf(list);
    }

    @Override
    public List<Expr> children() {
      List<Expr> all = new ArrayList<>();
      all.add(value);
      all.addAll(list);
      return all;
    }
  }

  /** {@code value [NOT] IN (SELECT ...)}. */
  record InQuery(Span span, Expr value, Query query, boolean negated) implements OverQuery {
    @Override
    public List<Expr> children() {
      return List.of(value);
    }

    @Override
    public List<Query> queries() {
      return List.of(query);
    }
  }

  /** {@code EXISTS (SELECT ...)}. */
  record Exists(Span span, Query query) implements OverQuery {
    @Override
    public List<Expr> children() {
      return List.of();
    }

    @Override
    public List<Query> queries() {
      return List.of(query);
    }
  }

  /** A subquery as a value, or after ANY or ALL. */
  record Subquery(Span span, Query query) implements OverQuery {
    @Override
    public List<Expr> children() {
      return List.of();
    }

    @Override
    public List<Query> queries() {
      return List.of(query);
    }
  }

  /**
   * A function call.
   *
   * @param name in upper case, with its schema where given, see {@link #schema(String)}
   * @param nameSpan where the name stands
   * @param arguments the expressions between the parentheses, whatever separates them
   * @param distinct whether DISTINCT stands first
   * @param type of CAST and CONVERT: the type's first word in upper case, or USING; of EXTRACT and
   *     others the unit; else empty
   * @param window present for OVER
   */
  record Call(
      Span span,
      String name,
      Span nameSpan,
      List<Expr> arguments,
      boolean distinct,
      String type,
      Optional<Window> window)
      implements Expr {
    /** Between a schema and its function; no name has it. */
    private static final char IN_SCHEMA = '\0';

    /** The name of a call of a schema's function. */
    static String qualified(String schema, String function) {
      return schema + IN_SCHEMA + function;
    }

    /** The schema that a call's name says; empty for none. */
    public static Optional<String> schema(String name) {
      int at = name.indexOf(IN_SCHEMA);
      return at < 0 ? Optional.empty() : Optional.of(name.substring(0, at));
    }

    /** The function that a call's name says, without the schema. */
    public static String function(String name) {
      return name.substring(name.indexOf(IN_SCHEMA) + 1);
    }

    /** Whether it says a schema. */
    public boolean inSchema() {
      return schema(name).isPresent();
    }

    /** The name for people. */
    public String shown() {
      return name.replace(IN_SCHEMA, '.');
    }

    public Call {
      name = upper(name);
      arguments = List.copyOf(arguments);
    }

    /**
     * Letter by letter, so that lower case leads back to the name: as a whole, it may get longer.
     */
    private static String upper(String name) {
      StringBuilder upper = new StringBuilder(name.length());
      for (int i = 0; i < name.length(); i++) {
        upper.append(Character.toUpperCase(name.charAt(i)));
      }
      return upper.toString();
    }

    @Override
    public List<Expr> children() {
      List<Expr> all = new ArrayList<>(arguments);
      window.ifPresent(over -> {
        all.addAll(over.partitionBy());
        over.orderBy().forEach(item -> all.add(item.expr()));
      });
      return all;
    }
  }

  /**
   * A window.
   *
   * @param base the name of the window that it is or extends
   */
  record Window(Span span, Optional<String> base, List<Expr> partitionBy, List<OrderItem> orderBy) {
    public Window {
      partitionBy = List.copyOf(partitionBy);
      orderBy = List.copyOf(orderBy);
    }
  }

  /** An item of ORDER BY or GROUP BY. */
  record OrderItem(Span span, Expr expr, boolean descending) {}
}
