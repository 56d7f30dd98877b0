package io.alrai.optimizer.route;

import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Literals;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.bind.Relation.Output;
import io.alrai.optimizer.bind.Scope;
import io.alrai.optimizer.bind.ValueKind;
import io.alrai.optimizer.bind.ValueKinds;
import io.alrai.optimizer.route.RowColumns.Comparison;
import io.alrai.optimizer.shardsql.NameEdits;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query.SelectItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The select list of a block as its result columns, and what ORDER BY and GROUP BY mean by it. */
public final class SelectList {
  private final BlockFacts facts;
  private final Literals literals;
  private final TextEdits edits;
  private final ValueKinds kinds;
  private final List<Entry> entries = new ArrayList<>();

  /**
   * One result column.
   *
   * @param name as the client sees it; empty for an expression without alias
   * @param expr empty for a column of {@code *}
   * @param column the catalog's column that it is, if any
   */
  public record Entry(
      String name,
      Optional<Expr> expr,
      SqlTemplate sql,
      Optional<ColumnRef> reference,
      Optional<Column> column,
      Supplier<ValueKind> kinds) {}

  /** {@code edits} are those of the shard's text. */
  public SelectList(Analysis analysis, BlockFacts facts, Literals literals, TextEdits edits) {
    this.kinds = analysis.kinds(facts.scope());
    this.facts = facts;
    this.literals = literals;
    this.edits = edits;
    List<Output> outputs = facts.outputs().orElse(List.of());
    int next = 0;
    List<SelectItem> items = facts.block().selection().items();
    for (int i = 0; i < items.size(); i++) {
      SelectItem item = items.get(i);
      if (item.expr() instanceof Expr.Star) {
        int end = outputs.size() - (items.size() - i - 1 - starsAfter(items, i));
        while (next < end && starsAfter(items, i) == 0) {
          entries.add(starEntry(outputs.get(next++)));
        }
      } else {
        Output output = outputs.get(next++);
        entries.add(
            new Entry(
                output.name(),
                Optional.of(item.expr()),
                edits.of(item.expr().span()),
                output.reference(),
                output.column(),
                output.kinds()));
      }
    }
  }

  private static int starsAfter(List<SelectItem> items, int index) {
    int stars = 0;
    for (SelectItem item : items.subList(index + 1, items.size())) {
      if (item.expr() instanceof Expr.Star) {
        stars++;
      }
    }
    return stars;
  }

  private Entry starEntry(Output output) {
    Optional<Relation> relation = output.reference().flatMap(this::relation);
    String qualifier = relation.map(one -> Identifier.quote(name(one)) + ".").orElse("");
    SqlTemplate sql = new SqlBuilder().text(qualifier + Identifier.quote(output.name())).build();
    return new Entry(
        output.name(), Optional.empty(), sql, output.reference(), output.column(), output.kinds());
  }

  private String name(Relation relation) {
    Optional<String> forced =
        relation instanceof Relation.Base base
            ? NameEdits.forcedAlias(base, facts.scope())
            : Optional.empty();
    return forced.orElseGet(relation::visibleName);
  }

  private Optional<Relation> relation(ColumnRef reference) {
    return facts.scope().relations().stream()
        .filter(one -> one.id() == reference.relation())
        .findFirst();
  }

  public List<Entry> entries() {
    return entries;
  }

  /** What names in the block mean. */
  public Scope scope() {
    return facts.scope();
  }

  /**
   * What an item of ORDER BY or GROUP BY means.
   *
   * @param index of the result column, or -1 for something else
   * @param column the catalog's column that it is, if any
   */
  public record Meaning(
      int index,
      SqlTemplate sql,
      Comparison comparison,
      Optional<Column> column,
      Optional<Expr> expr) {}

  /** The meaning of an item; empty when it is not certain. */
  public Optional<Meaning> meaning(Expr expr, boolean aliasesFirst) {
    Optional<Integer> position = literals.position(expr);
    if (position.isPresent()) {
      int index = position.get() - 1;
      return index >= 0 && index < entries.size() ? Optional.of(of(index)) : Optional.empty();
    }
    Expr bare = expr.bare();
    if (bare instanceof Expr.Name name) {
      return named(name, aliasesFirst);
    }
    if (mentionsAlias(bare)) {
      return Optional.empty();
    }
    SqlTemplate sql = edits.of(bare.span());
    for (int i = 0; i < entries.size(); i++) {
      boolean same =
          entries.get(i).sql().equals(sql)
              && sql.pieces().stream().allMatch(piece -> piece instanceof SqlTemplate.Piece.Text);
      if (same) {
        return Optional.of(of(i));
      }
    }
    return Optional.of(new Meaning(-1, sql, comparison(bare), Optional.empty(), Optional.of(bare)));
  }

  private Optional<Meaning> named(Expr.Name name, boolean aliasesFirst) {
    Optional<ColumnRef> column = facts.scope().resolve(name);
    boolean byAlias = name.table().isEmpty() && (aliasesFirst || column.isEmpty());
    if (byAlias) {
      for (int i = 0; i < entries.size(); i++) {
        if (entries.get(i).name().equalsIgnoreCase(name.column())) {
          return Optional.of(of(i));
        }
      }
    }
    if (column.isEmpty()) {
      return Optional.empty();
    }
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).reference().equals(column)) {
        return Optional.of(of(i));
      }
    }
    Optional<Column> origin =
        relation(column.get())
            .flatMap(relation -> relation.output(name.column()))
            .flatMap(Output::column);
    return Optional.of(
        new Meaning(-1, edits.of(name.span()), comparison(name), origin, Optional.of(name)));
  }

  private Meaning of(int index) {
    Entry entry = entries.get(index);
    return new Meaning(
        index,
        entry.sql(),
        RowColumns.comparison(entry.kinds().get()),
        entry.column(),
        entry.expr());
  }

  /** How the value of an expression is compared. */
  public Comparison comparison(Expr expr) {
    return RowColumns.comparison(kinds.of(expr));
  }

  /** Whether a name within may be an alias of the list rather than a column. */
  private boolean mentionsAlias(Expr expr) {
    boolean[] found = new boolean[1];
    expr.walk(inner -> {
      if (inner instanceof Expr.Name name && name.table().isEmpty()) {
        Optional<ColumnRef> column = facts.scope().resolve(name);
        boolean alias =
            entries.stream()
                .anyMatch(entry ->
                    entry.name().equalsIgnoreCase(name.column())
                        && (column.isEmpty() || !entry.reference().equals(column)));
        found[0] |= alias;
      }
    });
    return found[0];
  }
}
