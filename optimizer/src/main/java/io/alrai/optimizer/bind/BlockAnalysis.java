package io.alrai.optimizer.bind;

import io.alrai.optimizer.bind.Relation.Output;
import io.alrai.optimizer.bind.Rows.Beside;
import io.alrai.optimizer.bind.Rows.Everywhere;
import io.alrai.optimizer.bind.Rows.Parted;
import io.alrai.optimizer.bind.Rows.Scattered;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One query block: its FROM, its conditions, its subqueries, and where its rows are. */
final class BlockAnalysis {
  private final Analysis analysis;
  private final QueryAnalysis queries;
  private final Surroundings around;
  private final Scope scope;
  private final FromAnalysis from;
  private final Equalities equalities;

  BlockAnalysis(Analysis analysis, QueryAnalysis queries, Surroundings around) {
    this.analysis = analysis;
    this.queries = queries;
    this.around = around;
    this.scope = new Scope(around.scope());
    this.from = new FromAnalysis(analysis, queries, around, scope);
    this.equalities = around.equalities().copy();
  }

  QueryFacts wholeTable(Query.WholeTable whole) {
    List<TableRef> items = List.of(whole.table());
    analysis.withoutAlias(whole.table());
    from.bind(items);
    List<Component> components = from.components(items, equalities);
    Optional<List<Output>> outputs = from.outputs(items);
    return facts(components, outputs, true);
  }

  QueryFacts values(Query.Values values) {
    for (Expr cell : values.cells()) {
      subqueries(cell, List.of(), Set.of());
    }
    return new QueryFacts(Optional.empty(), new Everywhere(), false);
  }

  /** {@code tail} are the expressions of ORDER BY. */
  QueryFacts block(Query.Block block, List<Expr> tail) {
    from.bind(block.from());
    block.where().ifPresent(where -> Conjuncts.learn(where, scope, equalities));
    from.learn(block.from(), equalities);
    List<Component> components = from.components(block.from(), equalities);
    Optional<List<Output>> outputs = outputs(block);
    Set<Expr> membership = new HashSet<>();
    block
        .where()
        .ifPresent(where -> Conjuncts.of(where).forEach(one -> membership.add(one.bare())));
    List<Expr> expressions = expressions(block, tail);
    for (Expr expr : expressions) {
      subqueries(expr, components, membership);
      outerAggregates(expr);
    }
    analysis.remember(
        new BlockFacts(
            block,
            scope,
            equalities,
            components.stream().filter(component -> !component.outer()).toList(),
            from.nullSupplied(),
            outputs,
            expressions));
    List<ColumnRef> columns = outputColumns(outputs);
    Locality locality = new Locality(block, scope, equalities, analysis.literals());
    boolean local =
        around.outermost()
            || components.stream()
                .allMatch(one -> one.outer() || locality.holds(one.anchors(), columns));
    return facts(components, outputs, local);
  }

  private static List<ColumnRef> outputColumns(Optional<List<Output>> outputs) {
    return outputs.stream()
        .flatMap(List::stream)
        .flatMap(output -> output.reference().stream())
        .toList();
  }

  private static List<Expr> expressions(Query.Block block, List<Expr> tail) {
    List<Expr> all = new ArrayList<>();
    block.selection().items().forEach(item -> all.add(item.expr()));
    all.addAll(FromAnalysis.conditions(block.from()));
    block.where().ifPresent(all::add);
    block
        .grouping()
        .ifPresent(grouping -> {
          grouping.keys().forEach(key -> all.add(key.expr()));
          grouping.having().ifPresent(all::add);
        });
    block.qualify().ifPresent(all::add);
    for (Query.NamedWindow window : block.windows()) {
      all.addAll(window.window().partitionBy());
      window.window().orderBy().forEach(item -> all.add(item.expr()));
    }
    all.addAll(tail);
    return all;
  }

  /** An aggregate over columns of a block around belongs to that block. */
  private void outerAggregates(Expr expr) {
    if (around.scope().isEmpty()) {
      return;
    }
    for (Expr.Call call : Functions.aggregates(expr)) {
      List<Expr.Name> names = new ArrayList<>();
      call.arguments()
          .forEach(argument ->
              argument.walk(inner -> {
                if (inner instanceof Expr.Name name) {
                  names.add(name);
                }
              }));
      boolean allOutside =
          !names.isEmpty()
              && names.stream()
                  .allMatch(
                      name -> scope.resolveHere(name).isEmpty() && scope.resolve(name).isPresent());
      if (allOutside) {
        analysis.hinder("a subquery with an aggregate of the query around it");
      }
    }
  }

  private void subqueries(Expr expr, List<Component> components, Set<Expr> membership) {
    expr.walk(inner -> {
      for (Query query : inner.queries()) {
        Surroundings within = around.within(scope, equalities, components);
        QueryFacts facts = queries.query(query, within, cuts(inner));
        boolean aligned =
            membership.contains(inner)
                && inner instanceof Expr.InQuery in
                && isAligned(in, facts, components);
        if (!aligned) {
          settle(facts);
        }
      }
    });
  }

  /** LIMIT within EXISTS is without effect, unless it is 0. */
  private static boolean cuts(Expr around) {
    return !(around instanceof Expr.Exists);
  }

  private void settle(QueryFacts facts) {
    if (facts.rows() instanceof Parted parted) {
      analysis.hinder("a subquery over " + parted.name() + " on other shards");
    }
    if (facts.open()) {
      analysis.unpin();
    }
  }

  /** {@code key IN (SELECT key ...)}: rows that can match lie beside. */
  private boolean isAligned(Expr.InQuery in, QueryFacts facts, List<Component> components) {
    if (in.negated() || !(facts.rows() instanceof Parted parted) || facts.outputs().isEmpty()) {
      return false;
    }
    List<Expr> cells =
        in.value().bare() instanceof Expr.Row row ? row.cells() : List.of(in.value());
    return components.stream()
        .flatMap(component -> component.anchors().stream())
        .anyMatch(anchor -> isAligned(cells, anchor, parted, facts.outputs().get()));
  }

  private boolean isAligned(List<Expr> cells, Anchor anchor, Parted parted, List<Output> outputs) {
    if (anchor.tableGroup() != parted.tableGroup()
        || anchor.keys().isEmpty()
        || anchor.keys().size() != parted.keys().size()) {
      return false;
    }
    for (int i = 0; i < anchor.keys().size(); i++) {
      List<ColumnRef> key = anchor.keys().get(i);
      boolean met =
          parted.keys().get(i).stream()
              .anyMatch(ordinal ->
                  ordinal < cells.size()
                      && cells.get(ordinal).bare() instanceof Expr.Name name
                      && Conjuncts.sameFamily(scope.column(name), outputs.get(ordinal).column())
                      && scope.resolve(name).stream()
                          .anyMatch(column -> equalities.meet(key, List.of(column))));
      if (!met) {
        return false;
      }
    }
    return true;
  }

  private QueryFacts facts(
      List<Component> components, Optional<List<Output>> outputs, boolean local) {
    List<Component> own = components.stream().filter(one -> !one.outer()).toList();
    if (own.isEmpty()) {
      boolean beside =
          components.stream().anyMatch(one -> one.anchors().size() > around.anchors().size());
      return new QueryFacts(outputs, beside ? new Beside() : new Everywhere(), false);
    }
    boolean open = own.stream().anyMatch(component -> !component.pinned());
    if (own.size() > 1 || !local) {
      analysis.hinder(
          own.size() > 1
              ? own.get(0).anchors().getFirst().name()
                  + " and "
                  + own.get(1).anchors().getFirst().name()
                  + " are not joined on their partition keys"
              : "groups, windows or distinct rows that cross shards");
      if (open) {
        analysis.unpin();
      }
      return new QueryFacts(outputs, new Scattered(), false);
    }
    return new QueryFacts(outputs, parted(own.getFirst(), outputs), open);
  }

  private Rows parted(Component component, Optional<List<Output>> outputs) {
    Anchor best = component.anchors().getFirst();
    List<Set<Integer>> keys = new ArrayList<>();
    for (int i = 0; i < best.keys().size(); i++) {
      Set<Integer> ordinals = new HashSet<>();
      List<Output> list = outputs.orElse(List.of());
      for (int ordinal = 0; ordinal < list.size(); ordinal++) {
        Optional<ColumnRef> column = list.get(ordinal).reference();
        if (column.isPresent() && equalities.meet(best.keys().get(i), List.of(column.get()))) {
          ordinals.add(ordinal);
        }
      }
      keys.add(ordinals);
    }
    return new Parted(best.name(), best.tableGroup(), keys);
  }

  private Optional<List<Output>> outputs(Query.Block block) {
    List<Output> all = new ArrayList<>();
    for (Query.SelectItem item : block.selection().items()) {
      if (item.expr() instanceof Expr.Star star) {
        Optional<List<Output>> expanded = expand(star, block);
        if (expanded.isEmpty()) {
          return Optional.empty();
        }
        all.addAll(expanded.get());
      } else {
        all.add(output(item));
      }
    }
    return Optional.of(all);
  }

  private Optional<List<Output>> expand(Expr.Star star, Query.Block block) {
    if (star.qualifier().isEmpty()) {
      return from.outputs(block.from());
    }
    Expr.Name any = star.any();
    return scope.relations().stream()
        .filter(relation -> Scope.qualifies(relation, any))
        .findFirst()
        .flatMap(Relation::outputs);
  }

  private Output output(Query.SelectItem item) {
    Optional<String> alias = item.alias().map(analysis.literals()::name);
    if (item.expr().bare() instanceof Expr.Name name) {
      return new Output(
          alias.orElse(name.column()),
          scope.resolve(name),
          scope.column(name),
          () -> scope.find(name).map(Output::kind).orElse(ValueKind.OTHER));
    }
    return new Output(
        alias.orElse(""),
        Optional.empty(),
        Optional.empty(),
        () -> ValueKind.ofEither(List.of(analysis.kinds(scope).of(item.expr()))));
  }
}
