package io.alrai.optimizer.route.gather;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.GatherPlan.Groups;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.Aggregation;
import io.alrai.executor.fragment.MergePlan.Output;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Functions;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.LooseSums;
import io.alrai.optimizer.route.MixedCollations;
import io.alrai.optimizer.route.NegatedTimes;
import io.alrai.optimizer.route.PlaceTexts;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.RowColumns;
import io.alrai.optimizer.route.RowColumns.Comparison;
import io.alrai.optimizer.route.SelectList;
import io.alrai.optimizer.shardsql.SqlBuilder;
import io.alrai.optimizer.shardsql.TableNaming;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import io.alrai.optimizer.syntax.Identifier;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Span;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /** What a mysqld has room for in a row, beside what it needs itself. */
  private static final int MOST_BYTES = 60_000;

  private static final int BYTES_OF_A_NUMBER = 32;
  private static final int BYTES_OF_A_CHARACTER = 4;
  private static final Set<String> OF_DISTINCT = Set.of("COUNT", "SUM", "AVG");
  private static final Set<MysqlType> NO_KEYS =
      EnumSet.of(MysqlType.BIT, MysqlType.JSON, MysqlType.GEOMETRY, MysqlType.VECTOR);

  /** Their zeros with and without a sign are equal and look different. */
  private static final Set<MysqlType> HIDE_SIGNS = EnumSet.of(MysqlType.FLOAT, MysqlType.DOUBLE);

  private final Planning planning;
  private final Query.Block block;
  private final Scoped scoped;
  private final TextEdits edits;
  private final SelectList list;
  private final List<SelectList.Meaning> keys = new ArrayList<>();
  private final Set<String> columns = new LinkedHashSet<>();
  private final List<Partial> partials = new ArrayList<>();

  /** By the place of an aggregate, the partial one that tells it, or two whose quotient does. */
  private final Map<Span, List<Integer>> inTheirPlace = new LinkedHashMap<>();

  /** Whether a group of the client's has several of the copy. */
  private boolean divided;

  /** The one table of a block. */
  private record Scoped(BlockFacts facts, Relation.Base use) {
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
  private record Partial(
      String function, SqlTemplate sql, Comparison comparison, Optional<Column> column) {}

  private GatheredGroups(Planning planning, Analysis analysis, Query.Block block, Scoped scoped) {
    this.planning = planning;
    this.block = block;
    this.scoped = scoped;
    this.edits =
        PlaceTexts.of(planning, analysis).edits(TableNaming.everywhere(planning.catalog()));
    this.divided = block.grouping().map(Query.Grouping::rollup).orElse(false);
    this.list = new SelectList(analysis, scoped.facts(), planning.literals(), edits);
  }

  /**
   * The groups of a query over one table, if everything that it makes of groups can be
   * distinguished.
   */
  static Optional<GatheredGroups> of(Planning planning, Analysis analysis, Query query) {
    boolean simple =
        query.with().isEmpty()
            && query.locking().isEmpty()
            && analysis.blocks().size() == 1
            && analysis.obstacle().isEmpty()
            && !NegatedTimes.in(query, analysis)
            && !planning.text().text().contains("/*+");
    if (!simple
        || !(query.body() instanceof Query.Block block)
        || !block.windows().isEmpty()
        || block.qualify().isPresent()
        || block.selection().items().stream().anyMatch(item -> item.expr() instanceof Expr.Star)) {
      return Optional.empty();
    }
    return scoped(analysis, block)
        .map(scoped -> new GatheredGroups(planning, analysis, block, scoped))
        .filter(groups -> groups.areKnown(query.orderBy()));
  }

  private static Optional<Scoped> scoped(Analysis analysis, Query.Block block) {
    return analysis
        .block(block)
        .filter(facts -> facts.outputs().isPresent() && facts.components().size() == 1)
        .filter(facts -> facts.scope().relations().size() == 1)
        .flatMap(facts ->
            facts.scope().relations().getFirst() instanceof Relation.Base use
                    && !use.table().temporary()
                ? Optional.of(new Scoped(facts, use))
                : Optional.empty());
  }

  /** Reads the block; whether all of it is understood. */
  private boolean areKnown(List<OrderItem> orderBy) {
    List<OrderItem> grouping = block.grouping().map(Query.Grouping::keys).orElse(List.of());
    boolean known =
        grouping.stream().allMatch(key -> key(key.expr()))
            && block.selection().items().stream().allMatch(this::item)
            && block
                .grouping()
                .flatMap(Query.Grouping::having)
                .map(having -> reads(having, true))
                .orElse(true)
            && orderBy.stream().allMatch(item -> order(item.expr()))
            && !(keys.isEmpty() && partials.isEmpty());
    if (known && columns.isEmpty() && partials.isEmpty()) {
      countRows();
    }
    return known && bytes() <= MOST_BYTES;
  }

  /** For groups of constants alone, which have no column of their own. */
  private void countRows() {
    SqlTemplate count = new SqlBuilder().text("COUNT(*)").build();
    partials.add(new Partial("COUNT", count, Comparison.PLAIN, Optional.empty()));
  }

  /** The most bytes of a row of the copy. */
  private long bytes() {
    long ofKeys = columns.stream().mapToLong(name -> bytes(column(name))).sum();
    return ofKeys + partials.stream().mapToLong(partial -> bytes(partial.column())).sum();
  }

  private static long bytes(Optional<Column> column) {
    boolean wide =
        column
            .map(Column::type)
            .filter(type -> type == MysqlType.VARCHAR || type == MysqlType.CHAR)
            .isPresent();
    return wide ? (long) BYTES_OF_A_CHARACTER * column.get().length() : BYTES_OF_A_NUMBER;
  }

  private Optional<Column> column(String name) {
    return scoped.use().table().column(name);
  }

  /** A mean has more digits than it shows, which count where something is made of it. */
  private boolean item(Query.SelectItem item) {
    return isMean(item) ? mean((Expr.Call) item.expr().bare()) : reads(item.expr(), false);
  }

  private static boolean isMean(Query.SelectItem item) {
    return Functions.isAggregate(item.expr().bare())
        && item.expr().bare() instanceof Expr.Call call
        && call.name().equals("AVG");
  }

  private boolean order(Expr expr) {
    List<Query.SelectItem> items = block.selection().items();
    Optional<Integer> position =
        planning.literals().position(expr).filter(one -> one >= 1 && one <= items.size());
    return position.isPresent() ? !isMean(items.get(position.get() - 1)) : reads(expr, true);
  }

  private boolean key(Expr expr) {
    Optional<SelectList.Meaning> meaning =
        planning.literals().isParameter(expr)
            ? Optional.empty()
            : list.meaning(expr, false).filter(one -> one.comparison() != Comparison.NONE);
    if (meaning.isEmpty() || meaning.get().expr().isEmpty()) {
      return false;
    }
    Expr value = meaning.get().expr().get();
    keys.add(meaning.get());
    boolean[] known = {
      Functions.aggregates(value).isEmpty() && !MixedCollations.in(value, scoped.facts().scope())
    };
    value.walk(inner -> {
      if (inner instanceof Expr.Name name) {
        Optional<Column> column = scoped.facts().scope().column(name);
        known[0] &= column.filter(one -> !NO_KEYS.contains(one.type())).isPresent();
        scoped.facts().scope().resolve(name).map(ColumnRef::column).ifPresent(columns::add);
      }
    });
    return known[0];
  }

  /**
   * Whether an expression is made of keys and aggregates.
   *
   * @param aliases whether names may be those of result columns
   */
  private boolean reads(Expr expr, boolean aliases) {
    Expr bare = expr.bare();
    if (bare instanceof Expr.Call call) {
      if (call.window().isPresent()) {
        return false;
      }
      if (Functions.isAggregate(call)) {
        return aggregate(call);
      }
    }
    if (bare instanceof Expr.Name name) {
      boolean isKey =
          scoped
              .facts()
              .scope()
              .resolve(name)
              .filter(one -> columns.contains(one.column()))
              .isPresent();
      return isKey || (aliases && isAlias(name));
    }
    return bare.queries().isEmpty()
        && bare.children().stream().allMatch(child -> reads(child, aliases));
  }

  private boolean isAlias(Expr.Name name) {
    return name.table().isEmpty()
        && block.selection().items().stream()
            .filter(item -> !isMean(item))
            .flatMap(item -> item.alias().stream())
            .anyMatch(alias -> alias.name().equalsIgnoreCase(name.column()));
  }

  private static boolean isSimple(Expr.Call call) {
    return !call.distinct()
        && call.arguments().size() == 1
        && Functions.aggregates(call.arguments().getFirst()).isEmpty();
  }

  private boolean mean(Expr.Call call) {
    return call.distinct()
        ? distinct(call)
        : isSimple(call)
            && !LooseSums.of(call.arguments().getFirst(), scoped.facts().scope())
            && put(
                call,
                partial("SUM", call, Comparison.PLAIN),
                partial("COUNT", call, Comparison.PLAIN));
  }

  private boolean aggregate(Expr.Call call) {
    if (call.distinct()) {
      return distinct(call);
    }
    if (!isSimple(call)) {
      return false;
    }
    return switch (call.name()) {
      case "COUNT" -> put(call, partial("COUNT", call, Comparison.PLAIN));
      case "SUM" ->
          !LooseSums.of(call.arguments().getFirst(), scoped.facts().scope())
              && put(call, partial("SUM", call, Comparison.PLAIN));
      case "MIN", "MAX" -> {
        Comparison comparison = list.comparison(call);
        boolean hasKnownWidth =
            comparison != Comparison.WEIGHT
                || call.arguments().getFirst().bare() instanceof Expr.Name;
        yield comparison != Comparison.NONE
            && hasKnownWidth
            && put(call, partial(call.name(), call, comparison));
      }
      default -> false;
    };
  }

  /**
   * Each distinct value is in a group of its own in the copy. An expression over a column may
   * distinguish values that are equal in the column: HEX of 'a' and 'A'.
   */
  private boolean distinct(Expr.Call call) {
    boolean[] known = {OF_DISTINCT.contains(call.name())};
    divided = true;
    for (Expr argument : call.arguments()) {
      boolean isColumn = argument.bare() instanceof Expr.Name;
      argument.walk(inner -> {
        known[0] &= !Functions.isAggregate(inner);
        if (inner instanceof Expr.Name name) {
          known[0] &= key(name) && (isColumn || toTheByte());
        }
      });
    }
    return known[0];
  }

  /** Has the last key, a column, tell values apart that only look different; whether it can. */
  private boolean toTheByte() {
    SelectList.Meaning key = keys.removeLast();
    Optional<MysqlType> type = key.column().map(Column::type);
    SqlTemplate sql =
        key.comparison() == Comparison.WEIGHT
            ? RowColumns.around("CAST(", key.sql(), " AS BINARY)")
            : key.sql();
    Comparison comparison =
        key.comparison() == Comparison.WEIGHT ? Comparison.PLAIN : key.comparison();
    keys.add(new SelectList.Meaning(-1, sql, comparison, key.column(), key.expr()));
    return type.isPresent() && !HIDE_SIGNS.contains(type.get());
  }

  private boolean put(Expr.Call call, Integer... told) {
    inTheirPlace.put(call.span(), List.of(told));
    return true;
  }

  /** The number of a partial aggregate; equal ones are one. */
  private int partial(String function, Expr.Call call, Comparison comparison) {
    SqlBuilder sql = new SqlBuilder().text(function);
    edits.append(sql, new Span(call.nameSpan().end(), call.span().end()));
    Optional<Column> column =
        comparison == Comparison.WEIGHT
                && call.arguments().getFirst().bare() instanceof Expr.Name name
            ? scoped.facts().scope().column(name)
            : Optional.empty();
    Partial wanted = new Partial(function, sql.build(), comparison, column);
    if (!partials.contains(wanted)) {
      partials.add(wanted);
    }
    return partials.indexOf(wanted);
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
