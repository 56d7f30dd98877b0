package io.alrai.optimizer.route.gather;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.GatherPlan.KeyLink;
import io.alrai.executor.fragment.GatherPlan.Source;
import io.alrai.executor.fragment.JoinPlan;
import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Conjuncts;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.Alternative;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.RowLimit;
import io.alrai.optimizer.route.SelectList;
import io.alrai.optimizer.route.gather.JoinedTables.Joined;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the gathered statements that a CN can answer without copies: base tables, joined by equal
 * columns in inner and outer joins, each with conditions of its own, and a {@link JoinedResult}.
 * One statement, one thread.
 */
final class JoinPlanner {
  private static final Set<String> KEY_CHARSETS = Set.of("utf8mb4", "binary");

  /** Comparisons that are not true where one side is NULL. */
  private static final Set<String> REJECTING =
      Set.of("<", "<=", ">", ">=", "<>", "!=", "LIKE", "IS NOT NULL");

  private final Planning planning;
  private final SourceFilters filters;
  private final BlockFacts facts;
  private final JoinedTables tables;
  private final List<ColumnRef> missing = new ArrayList<>();
  private String obstacle = "";

  private JoinPlanner(Planning planning, SourceFilters filters, BlockFacts facts) {
    this.planning = planning;
    this.filters = filters;
    this.facts = facts;
    this.tables = new JoinedTables(facts.scope().relations());
  }

  /**
   * The plan of a query.
   *
   * @param names what the tables' rows are called
   * @param source gives tables' rows
   */
  static Alternative<JoinPlan> plan(
      Planning planning,
      Analysis analysis,
      Query query,
      SourceFilters filters,
      Map<TableRef.Named, String> names,
      RowsOfTable source) {
    Optional<Limit> limit = query.limit().flatMap(RowLimit::of);
    if (limit.isPresent() != query.limit().isPresent()) {
      return new Alternative.Refused<>("LIMIT by an expression");
    }
    return SimpleBlock.of(planning, analysis, query)
        .then(block ->
            facts(analysis, block)
                .then(facts -> {
                  JoinPlanner planner = new JoinPlanner(planning, filters, facts);
                  if (!planner.isJoined(block)) {
                    return new Alternative.Refused<>(planner.obstacle);
                  }
                  SelectList list =
                      new SelectList(analysis, facts, planning.literals(), planning.edits());
                  return JoinedResult.of(planning, facts, block, list, query.orderBy())
                      .then(result ->
                          new Alternative.Possible<>(
                              planner.planned(result, limit, names, source)));
                }));
  }

  /** Gives the rows of a table. */
  interface RowsOfTable {
    /** {@code name} is what they are called. */
    Source of(Joined table, String name, JoinedColumns columns, List<KeyLink> links);
  }

  private static Alternative<BlockFacts> facts(Analysis analysis, Query.Block block) {
    Optional<BlockFacts> facts = analysis.block(block).filter(known -> known.outputs().isPresent());
    if (facts.isEmpty()) {
      return new Alternative.Refused<>("columns that only a mysqld can tell");
    }
    boolean stored =
        facts.get().scope().relations().stream()
            .allMatch(
                relation -> relation instanceof Relation.Base base && !base.table().temporary());
    return stored
        ? new Alternative.Possible<>(facts.get())
        : new Alternative.Refused<>("rows of something else than stored tables");
  }

  /** Notes what hinders first. */
  private boolean hindered(String reason) {
    if (obstacle.isEmpty()) {
      obstacle = reason;
    }
    return false;
  }

  /** Reads FROM and WHERE; whether all of it is understood, else there is an obstacle. */
  private boolean isJoined(Query.Block block) {
    return block.from().stream().allMatch(this::item)
        && block.where().map(this::conditions).orElse(true)
        && (tables.order() || hindered("tables that no equality of columns joins in an order"));
  }

  private boolean item(TableRef item) {
    return switch (item) {
      case TableRef.Named named -> table(named, false);
      case TableRef.Group group -> group.items().stream().allMatch(this::item);
      case TableRef.Join join -> join(join);
      case TableRef.Derived _, TableRef.Function _ ->
          hindered("rows of something else than stored tables");
    };
  }

  private boolean table(TableRef.Named named, boolean outer) {
    return tables.add(named, outer) || hindered("rows of something else than stored tables");
  }

  private boolean join(TableRef.Join join) {
    int first = tables.count();
    return switch (join.kind()) {
      case INNER ->
          item(join.left())
              && item(join.right())
              && using(join, first, Optional.empty())
              && join.on().map(this::conditions).orElse(true);
      case LEFT -> item(join.left()) && outer(join, join.right(), first);
      case RIGHT ->
          (join.using().isEmpty() || hindered("RIGHT JOIN with USING"))
              && item(join.right())
              && outer(join, join.left(), first);
      case NATURAL, NATURAL_LEFT, NATURAL_RIGHT -> hindered("a NATURAL join");
    };
  }

  private boolean outer(TableRef.Join join, TableRef inner, int first) {
    if (!(inner instanceof TableRef.Named named)) {
      return hindered("an outer join with more than one table");
    }
    return table(named, true)
        && using(join, first, Optional.of(tables.last()))
        && join.on().map(on -> outerConditions(on, tables.last())).orElse(true);
  }

  /** The columns of a name are those of the first table that has it, and of the last. */
  private boolean using(TableRef.Join join, int first, Optional<Joined> inner) {
    for (String name : join.using()) {
      Joined right = tables.last();
      Optional<Joined> left = tables.with(name, first).filter(table -> table != right);
      boolean known =
          join.right() instanceof TableRef.Named
              && left.isPresent()
              && areAlike(left.get().use().table().column(name), right.use().table().column(name))
              && tables.equal(
                  ColumnRef.of(left.get().use(), name), ColumnRef.of(right.use(), name), inner);
      if (!known) {
        return hindered("USING (" + name + "), whose columns are not two of one type");
      }
    }
    return true;
  }

  /** What joined rows must fulfil. */
  private boolean conditions(Expr condition) {
    for (Expr conjunct : Conjuncts.of(condition)) {
      Optional<Joined> alone = tables.find(one -> filters.concernsOnly(conjunct, one.use(), facts));
      boolean known =
          alone.isPresent()
              ? condition(conjunct, alone.get())
              : equality(conjunct, Optional.empty());
      if (!known) {
        return false;
      }
    }
    return true;
  }

  private boolean condition(Expr conjunct, Joined table) {
    if (!table.outer()) {
      table.conditions().add(filters.enclosed(conjunct));
      return true;
    }
    if (rejectsNull(conjunct.bare())) {
      table.makeInner();
      table.conditions().add(filters.enclosed(conjunct));
      return true;
    }
    boolean isNull =
        conjunct.bare() instanceof Expr.Operation operation
            && operation.operator() == Expr.Operator.IS_NULL
            && operation.symbol().equals("IS NULL")
            && operation.operands().getFirst().bare() instanceof Expr.Name name
            && facts.scope().column(name).filter(JoinPlanner::isNullOnly).isPresent()
            && missing.add(facts.scope().resolve(name).orElseThrow());
    return isNull || hindered("a condition that may be true of rows without a match");
  }

  /** A mysqld takes the date 0000-00-00 for NULL where none may be. */
  private static boolean isNullOnly(Column column) {
    return column.type() != MysqlType.DATE && column.type() != MysqlType.DATETIME;
  }

  /** Whether a condition on a table is not true of a row of NULLs. */
  private static boolean rejectsNull(Expr conjunct) {
    return switch (conjunct) {
      case Expr.Operation operation
          when operation.operator() == Expr.Operator.EQUAL
              || REJECTING.contains(operation.symbol()) ->
          operation.operands().stream().anyMatch(operand -> operand.bare() instanceof Expr.Name);
      case Expr.InList in -> !in.negated() && in.value().bare() instanceof Expr.Name;
      case Expr.Leaf _,
          Expr.Parenthesised _,
          Expr.Row _,
          Expr.Operation _,
          Expr.Case _,
          Expr.OverQuery _,
          Expr.Call _ ->
          false;
    };
  }

  /** What rows of the table must fulfil to be partners. */
  private boolean outerConditions(Expr condition, Joined inner) {
    for (Expr conjunct : Conjuncts.of(condition)) {
      if (filters.concernsOnly(conjunct, inner.use(), facts)) {
        inner.conditions().add(filters.enclosed(conjunct));
      } else if (!equality(conjunct, Optional.of(inner))) {
        return false;
      }
    }
    return true;
  }

  private boolean equality(Expr conjunct, Optional<Joined> inner) {
    if (!(conjunct.bare() instanceof Expr.Operation equal)
        || equal.operator() != Expr.Operator.EQUAL
        || !(equal.operands().get(0).bare() instanceof Expr.Name left)
        || !(equal.operands().get(1).bare() instanceof Expr.Name right)) {
      return hindered("a condition that is neither of one table nor an equality of two columns");
    }
    Optional<ColumnRef> a = facts.scope().resolve(left);
    Optional<ColumnRef> b = facts.scope().resolve(right);
    if (!areAlike(facts.scope().column(left), facts.scope().column(right))) {
      return hindered("an equality of columns that only a mysqld can compare");
    }
    return a.isPresent() && b.isPresent() && tables.equal(a.get(), b.get(), inner)
        || hindered("a condition of a join that is not between its tables");
  }

  /**
   * Whether equal values have equal keys. A TIMESTAMP's text can be that of two moments, and
   * clients may ask for strings in the columns' own character sets.
   */
  private static boolean areAlike(Optional<Column> left, Optional<Column> right) {
    if (!Conjuncts.sameFamily(left, right)) {
      return false;
    }
    Column one = left.orElseThrow();
    return one.unsigned() == right.orElseThrow().unsigned()
        && one.type() != MysqlType.TIMESTAMP
        && (!one.type().isString() || KEY_CHARSETS.contains(one.charset()));
  }

  private JoinPlan planned(
      JoinedResult result,
      Optional<Limit> limit,
      Map<TableRef.Named, String> names,
      RowsOfTable source) {
    Map<Relation.Base, String> ofUses =
        tables.ordered().stream()
            .collect(Collectors.toMap(Joined::use, one -> names.get(one.use().reference())));
    KeyLinks links = new KeyLinks(filters, ofUses);
    JoinedColumns columns = new JoinedColumns(planning, tables);
    result.add(columns);
    missing.forEach(columns::add);
    for (Joined table : tables.ordered()) {
      for (KeyLink link : links.of(table.use())) {
        tables
            .find(other -> link.source().equals(ofUses.get(other.use())))
            .ifPresent(other -> columns.add(other, link.sourceColumn()));
      }
    }
    columns.complete();
    result.weigh(columns);
    columns.place();
    JoinedResult.Picked picked = result.pick(columns);
    List<JoinPlan.Member> members =
        tables.ordered().stream()
            .map(one ->
                columns.member(
                    one,
                    source.of(
                        one,
                        Objects.requireNonNull(ofUses.get(one.use())),
                        columns,
                        links.of(one.use()))))
            .toList();
    return new JoinPlan(
        members,
        missing.stream().map(columns::at).toList(),
        columns.picked(),
        picked.visible(),
        picked.aggregation(),
        picked.sort(),
        limit);
  }
}
