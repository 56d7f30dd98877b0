package io.alrai.optimizer.route.gather;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Functions;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.Alternative;
import io.alrai.optimizer.route.LooseSums;
import io.alrai.optimizer.route.MixedCollations;
import io.alrai.optimizer.route.NegatedTimes;
import io.alrai.optimizer.route.PlaceTexts;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.RowColumns;
import io.alrai.optimizer.route.RowColumns.Comparison;
import io.alrai.optimizer.route.SelectList;
import io.alrai.optimizer.route.gather.GatheredGroups.Partial;
import io.alrai.optimizer.route.gather.GatheredGroups.Scoped;
import io.alrai.optimizer.shardsql.TableNaming;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import io.alrai.optimizer.syntax.Query;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a block with groups over several places: what its keys are, and which partial aggregates
 * tell its own. One statement, one thread.
 */
final class GroupReader {
  /** What a mysqld has room for in a row, beside what it needs itself. */
  private static final int MOST_BYTES = 60_000;

  private static final String KEY = "GROUP BY a value that only a mysqld can compare";

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

  private String obstacle = "";

  private GroupReader(Planning planning, Analysis analysis, Query.Block block, Scoped scoped) {
    this.planning = planning;
    this.block = block;
    this.scoped = scoped;
    this.edits =
        PlaceTexts.of(planning, analysis).edits(TableNaming.everywhere(planning.catalog()));
    this.divided = block.grouping().map(Query.Grouping::rollup).orElse(false);
    this.list = new SelectList(analysis, scoped.facts(), planning.literals(), edits);
  }

  /** Whether a query has groups at all. */
  static boolean isGrouped(Query query) {
    return query.body() instanceof Query.Block block
        && (block.grouping().isPresent()
            || block.selection().items().stream().anyMatch(item -> aggregates(item.expr()))
            || query.orderBy().stream().anyMatch(item -> aggregates(item.expr())));
  }

  private static boolean aggregates(Expr expr) {
    return !Functions.aggregates(expr).isEmpty();
  }

  /**
   * The groups of a query over one table, if everything that it makes of groups can be
   * distinguished.
   */
  static Alternative<GatheredGroups> read(Planning planning, Analysis analysis, Query query) {
    if (analysis.obstacle().isPresent()) {
      return new Alternative.Refused<>(analysis.obstacle().get());
    }
    if (NegatedTimes.in(query, analysis)) {
      return new Alternative.Refused<>("a negated date or time");
    }
    return SimpleBlock.of(planning, analysis, query)
        .then(block ->
            scoped(analysis, block)
                .then(scoped ->
                    new GroupReader(planning, analysis, block, scoped).groups(query.orderBy())));
  }

  private static Alternative<Scoped> scoped(Analysis analysis, Query.Block block) {
    if (block.selection().items().stream().anyMatch(item -> item.expr() instanceof Expr.Star)) {
      return new Alternative.Refused<>("* over groups");
    }
    Optional<BlockFacts> facts =
        analysis
            .block(block)
            .filter(known -> known.outputs().isPresent() && known.components().size() == 1);
    if (facts.isEmpty()) {
      return new Alternative.Refused<>("columns that only a mysqld can tell");
    }
    List<Relation> relations = facts.get().scope().relations();
    if (relations.size() != 1) {
      return new Alternative.Refused<>("groups of joined rows");
    }
    return relations.getFirst() instanceof Relation.Base use && !use.table().temporary()
        ? new Alternative.Possible<>(new Scoped(facts.get(), use))
        : new Alternative.Refused<>("rows of something else than a stored table");
  }

  /** Reads the block. */
  private Alternative<GatheredGroups> groups(List<OrderItem> orderBy) {
    if (!areKnown(orderBy)) {
      return new Alternative.Refused<>(obstacle);
    }
    if (columns.isEmpty() && partials.isEmpty()) {
      countRows();
    }
    return bytes() <= MOST_BYTES
        ? new Alternative.Possible<>(
            new GatheredGroups(
                block, scoped, edits, keys, List.copyOf(columns), partials, inTheirPlace, divided))
        : new Alternative.Refused<>("groups that are wider than a row may be");
  }

  /** Whether all of it is understood; else there is an obstacle. */
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
            && orderBy.stream().allMatch(item -> order(item.expr()));
    return known
        && (!(keys.isEmpty() && partials.isEmpty()) || hindered("groups without a key or value"));
  }

  /** Notes what hinders first. */
  private boolean hindered(String reason) {
    if (obstacle.isEmpty()) {
      obstacle = reason;
    }
    return false;
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
    return position.isPresent()
        ? !isMean(items.get(position.get() - 1))
            || hindered("ORDER BY a mean, which has more digits than it shows")
        : reads(expr, true);
  }

  private boolean key(Expr expr) {
    Optional<SelectList.Meaning> meaning =
        planning.literals().isParameter(expr)
            ? Optional.empty()
            : list.meaning(expr, false).filter(one -> one.comparison() != Comparison.NONE);
    if (meaning.isEmpty() || meaning.get().expr().isEmpty()) {
      return hindered(KEY);
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
    return known[0] || hindered(KEY);
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
        return hindered("windows");
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
      return isKey
          || (aliases && isAlias(name))
          || hindered("the column " + name.column() + ", which is no key of the groups");
    }
    return (bare.queries().isEmpty() || hindered("a query within the query"))
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
        : (isSimple(call) || notPartial(call))
            && isExact(call)
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
      return notPartial(call);
    }
    return switch (call.name()) {
      case "COUNT" -> put(call, partial("COUNT", call, Comparison.PLAIN));
      case "SUM" -> isExact(call) && put(call, partial("SUM", call, Comparison.PLAIN));
      case "MIN", "MAX" -> {
        Comparison comparison = list.comparison(call);
        boolean hasKnownWidth =
            comparison != Comparison.WEIGHT
                || call.arguments().getFirst().bare() instanceof Expr.Name;
        yield (comparison != Comparison.NONE && hasKnownWidth
                || hindered(call.name() + " of values that only a mysqld can compare"))
            && put(call, partial(call.name(), call, comparison));
      }
      default -> notPartial(call);
    };
  }

  private boolean notPartial(Expr.Call call) {
    return hindered(call.name() + ", of which places cannot give parts");
  }

  private boolean isExact(Expr.Call call) {
    return !LooseSums.of(call.arguments().getFirst(), scoped.facts().scope())
        || hindered("a sum whose digits depend on the values that it meets");
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
    return known[0]
        || hindered(call.name() + " over DISTINCT values that only a mysqld can compare");
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
}
