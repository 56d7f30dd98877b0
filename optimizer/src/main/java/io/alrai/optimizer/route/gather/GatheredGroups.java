package io.alrai.optimizer.route.gather;

import io.alrai.executor.fragment.GatherPlan.Groups;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.Aggregation;
import io.alrai.executor.fragment.MergePlan.Output;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.RowColumns;
import io.alrai.optimizer.route.RowColumns.Comparison;
import io.alrai.optimizer.route.SelectList;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Groups over several places with which a mysqld goes on: HAVING, ROLLUP, expressions over
 * aggregates, aggregates of values that differ, any order. Places give partial groups and the CN
 * puts them together; the client's text runs over a copy of those, in which the columns that it
 * groups by have their names, and each aggregate one or two columns of its own. One statement, one
 * thread.
 */
final class GatheredGroups {
  private static final String PARTIAL = "__alrai_";

  private final Query.Block block;
  private final Scoped scoped;
  private final TextEdits edits;
  private final List<SelectList.Meaning> keys;
  private final List<String> columns;
  private final List<Partial> partials;
  private final Map<Span, List<Integer>> inTheirPlace;
  private final boolean divided;

  /** The one table of a block. */
  record Scoped(BlockFacts facts, Relation.Base use) {
    String column(String name) {
      return Identifier.quote(use.visibleName()) + "." + Identifier.quote(name);
    }
  }

  /**
   * What a place tells of an aggregate.
   *
   * @param function COUNT, SUM, MIN or MAX
   * @param comparison of MIN and MAX
   * @param column which it is a value of, if it is one
   */
  record Partial(
      String function, SqlTemplate sql, Comparison comparison, Optional<Column> column) {}

  /**
   * Those of a block.
   *
   * @param edits of the places' texts
   * @param columns of the copy, by which it groups
   * @param inTheirPlace by the place of an aggregate, the partial one that tells it, or two whose
   *     quotient does
   * @param divided whether a group of the client's has several of the copy
   */
  GatheredGroups(
      Query.Block block,
      Scoped scoped,
      TextEdits edits,
      List<SelectList.Meaning> keys,
      List<String> columns,
      List<Partial> partials,
      Map<Span, List<Integer>> inTheirPlace,
      boolean divided) {
    this.block = block;
    this.scoped = scoped;
    this.edits = edits;
    this.keys = List.copyOf(keys);
    this.columns = List.copyOf(columns);
    this.partials = List.copyOf(partials);
    this.inTheirPlace = new LinkedHashMap<>(inTheirPlace);
    this.divided = divided;
  }

  /** A group's value of a partial aggregate. */
  private String value(int partial) {
    String column = scoped.column(PARTIAL + partial);
    if (!divided) {
      return "MAX(" + column + ")";
    }
    return switch (partials.get(partial).function()) {
      case "COUNT" -> "CAST(IFNULL(SUM(" + column + "), 0) AS SIGNED)";
      case String function -> function + "(" + column + ")";
    };
  }

  /** Has the client's text run over the groups. */
  void edit(TextEdits text) {
    block
        .where()
        .ifPresent(where ->
            text.remove(new Span(block.from().getLast().span().end(), where.span().end())));
    inTheirPlace.forEach((span, told) -> {
      String value = told.stream().map(this::value).collect(Collectors.joining(" / "));
      text.replace(span, told.size() == 1 ? value : "(" + value + ")");
    });
  }

  /** The table. */
  Relation.Base use() {
    return scoped.use();
  }

  /** The columns of the copy. */
  List<String> columns() {
    List<String> all = new ArrayList<>(columns);
    for (int i = 0; i < partials.size(); i++) {
      all.add(PARTIAL + i);
    }
    return all;
  }

  /** How the groups come to be. */
  Groups groups() {
    RowColumns row = new RowColumns(columns.size() + partials.size(), true);
    List<RowKey> groupBy = new ArrayList<>();
    for (SelectList.Meaning key : keys) {
      groupBy.add(row.key(-1, key.sql(), key.comparison(), key.column()));
    }
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      outputs.add(new Output.Any(i));
    }
    for (Partial partial : partials) {
      outputs.add(output(partial, outputs.size(), row));
    }
    SqlBuilder shard = new SqlBuilder().text("SELECT ");
    String comma = "";
    for (String column : columns) {
      shard.text(comma + "ANY_VALUE(" + scoped.column(column) + ")");
      comma = ", ";
    }
    for (Partial partial : partials) {
      shard.text(comma).template(partial.sql());
      comma = ", ";
    }
    row.append(shard);
    from(shard);
    SqlTemplate sql = shard.build();
    MergePlan merge =
        new MergePlan(
            sql,
            sql,
            outputs.size(),
            row.count(),
            List.of(),
            Optional.of(new Aggregation(groupBy, outputs)),
            List.of(),
            Optional.empty());
    return new Groups(merge, definition());
  }

  private static RowKey extreme(Partial partial, int column, RowColumns row) {
    return row.extreme(column, partial.sql(), partial.comparison(), Optional.empty());
  }

  private static Output output(Partial partial, int column, RowColumns row) {
    return switch (partial.function()) {
      case "COUNT" -> new Output.Count(column);
      case "SUM" -> new Output.Sum(column);
      case "MIN" -> new Output.Min(extreme(partial, column, row));
      case "MAX" -> new Output.Max(extreme(partial, column, row));
      default -> throw new IllegalArgumentException(partial.function() + " is not partial");
    };
  }

  private void from(SqlBuilder shard) {
    shard.text(" FROM ");
    edits.append(
        shard,
        new Span(block.from().getFirst().span().start(), block.from().getLast().span().end()));
    block.where().ifPresent(where -> shard.text(" WHERE ").template(edits.of(where.span())));
    for (int i = 0; i < keys.size(); i++) {
      shard.text(i == 0 ? " GROUP BY " : ", ");
      if (isConstant(keys.get(i))) {
        shard.text("NULL");
      } else {
        shard.template(keys.get(i).sql());
      }
    }
  }

  /** A number would be the place of a column, and any constant makes the same one group. */
  private static boolean isConstant(SelectList.Meaning key) {
    return key.expr()
        .map(Expr::bare)
        .filter(expr -> expr instanceof Expr.Slot || expr instanceof Expr.Literal)
        .isPresent();
  }

  /** A query without rows that has the types of the copy's columns. */
  private SqlTemplate definition() {
    SqlBuilder sql = new SqlBuilder().text("SELECT ");
    String comma = "";
    for (String column : columns) {
      sql.text(comma + scoped.column(column) + " AS " + Identifier.quote(column));
      comma = ", ";
    }
    for (int i = 0; i < partials.size(); i++) {
      sql.text(comma).template(partials.get(i).sql()).text(" AS " + PARTIAL + i);
      comma = ", ";
    }
    return sql.text(" FROM ")
        .piece(new Piece.PlaceSchema())
        .text(
            "."
                + Identifier.quote(scoped.use().table().name())
                + " AS "
                + Identifier.quote(scoped.use().visibleName())
                + " LIMIT 0")
        .build();
  }
}
