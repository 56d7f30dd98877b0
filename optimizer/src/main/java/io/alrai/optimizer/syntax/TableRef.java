package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An item of FROM. */
public sealed interface TableRef {
  /** Where it stands in the source text. */
  Span span();

  /** The tables and views beside one another, not those of subqueries. */
  static List<Named> named(List<TableRef> items) {
    List<Named> found = new ArrayList<>();
    for (TableRef item : items) {
      switch (item) {
        case Named named -> found.add(named);
        case Join join -> found.addAll(named(List.of(join.left(), join.right())));
        case Group group -> found.addAll(named(group.items()));
        case Derived _, Function _ -> {}
      }
    }
    return found;
  }

  /**
   * A table or a common table expression by name.
   *
   * @param nameSpan schema and name
   * @param alias if given
   * @param partitionSelection whether PARTITION (..) stands there
   * @param indexHints USE INDEX (..) and the like, if given
   */
  record Named(
      Span span,
      Span nameSpan,
      Optional<Identifier> schema,
      Identifier name,
      Optional<Identifier> alias,
      boolean partitionSelection,
      Optional<Span> indexHints)
      implements TableRef {
    /** A name alone. */
    static Named of(Span span, Optional<Identifier> schema, Identifier name) {
      return new Named(span, span, schema, name, Optional.empty(), false, Optional.empty());
    }

    /** The name that columns are qualified with. */
    public String visibleName() {
      return alias.orElse(name).name();
    }
  }

  /** A subquery; LATERAL sees the tables before it. */
  record Derived(Span span, Query query, String alias, List<String> columns, boolean lateral)
      implements TableRef {
    public Derived {
      columns = List.copyOf(columns);
    }
  }

  /** JSON_TABLE(...), which sees the tables before it. */
  record Function(Span span, List<Expr> arguments, String alias) implements TableRef {
    public Function {
      arguments = List.copyOf(arguments);
    }
  }

  /** A join of two. */
  record Join(
      Span span, Kind kind, TableRef left, TableRef right, Optional<Expr> on, List<String> using)
      implements TableRef {
    public Join {
      using = List.copyOf(using);
    }
  }

  /** {@code (t1, t2)}. */
  record Group(Span span, List<TableRef> items) implements TableRef {
    public Group {
      items = List.copyOf(items);
    }
  }

  /** Kinds of joins. */
  enum Kind {
    INNER(false),
    LEFT(false),
    RIGHT(false),
    NATURAL(true),
    NATURAL_LEFT(true),
    NATURAL_RIGHT(true);

    private final boolean natural;

    Kind(boolean natural) {
      this.natural = natural;
    }

    /** Whether columns of equal names are compared. */
    public boolean natural() {
      return natural;
    }

    /** Whether rows of the left side stay without a match. */
    public boolean keepsLeft() {
      return this == LEFT || this == NATURAL_LEFT;
    }

    /** Whether rows of the right side stay without a match. */
    public boolean keepsRight() {
      return this == RIGHT || this == NATURAL_RIGHT;
    }
  }
}
