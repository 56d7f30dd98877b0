package io.alrai.optimizer.bind;

import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.bind.Relation.Output;
import io.alrai.optimizer.bind.Rows.Parted;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * FROM: first {@link #bind} gives the relations their numbers, then {@link #learn} reads the
 * conditions of inner joins, then {@link #components} finds what lies side by side. An outer join's
 * condition says nothing about the rows it keeps: it aligns its inner side only.
 */
final class FromAnalysis {
  private final Analysis analysis;
  private final QueryAnalysis queries;
  private final Surroundings around;
  private final Scope scope;
  private final IdentityHashMap<TableRef, Leaf> leaves = new IdentityHashMap<>();
  private final Map<Integer, Equalities> nullSupplied = new HashMap<>();
  private final List<Anchor> earlier = new ArrayList<>();

  FromAnalysis(Analysis analysis, QueryAnalysis queries, Surroundings around, Scope scope) {
    this.analysis = analysis;
    this.queries = queries;
    this.around = around;
    this.scope = scope;
  }

  /** A relation with where its rows are; {@code pinned} when that is settled within. */
  private record Leaf(Relation relation, Optional<Anchor> anchor, boolean pinned) {}

  Map<Integer, Equalities> nullSupplied() {
    return nullSupplied;
  }

  void bind(List<TableRef> items) {
    items.forEach(this::bind);
  }

  private void bind(TableRef item) {
    switch (item) {
      case TableRef.Named named -> named(named);
      case TableRef.Derived derived -> derived(derived);
      case TableRef.Function function -> {
        Relation relation = analysis.derived(function.alias(), Optional.empty());
        add(function, new Leaf(relation, Optional.empty(), true));
      }
      case TableRef.Join join -> {
        bind(join.left());
        bind(join.right());
      }
      case TableRef.Group group -> bind(group.items());
    }
  }

  private void add(TableRef item, Leaf leaf) {
    leaves.put(item, leaf);
    scope.add(leaf.relation());
    leaf.anchor().ifPresent(earlier::add);
  }

  private void named(TableRef.Named named) {
    Optional<CommonTables.Entry> common =
        named.schema().isPresent()
            ? Optional.empty()
            : around.commonTables().find(named.name().name());
    if (common.isPresent()) {
      QueryFacts facts = queries.use(common.get());
      add(named, subquery(named.visibleName(), facts, common.get().definition().columns()));
    } else if (analysis.names().isSystem(named.schema())) {
      add(named, new Leaf(analysis.systemTable(named), Optional.empty(), true));
    } else {
      Relation.Base base = analysis.base(named);
      add(named, new Leaf(base, anchor(base), false));
    }
  }

  /** Broadcast tables have none; a table at one place counts as one without keys. */
  static Optional<Anchor> anchor(Relation.Base base) {
    Table table = base.table();
    if (table.partitioning() instanceof Partitioning.Broadcast) {
      return Optional.empty();
    }
    List<List<ColumnRef>> keys =
        keyColumns(table).stream().map(name -> List.of(ColumnRef.of(base, name))).toList();
    return Optional.of(new Anchor(table.name(), table.tableGroupId(), keys, false));
  }

  /** The columns that decide where a row is; none where they do not. */
  static List<String> keyColumns(Table table) {
    return switch (table.partitioning()) {
      case Partitioning.Key key -> key.columns();
      case Partitioning.Hash hash -> List.of(hash.column());
      case Partitioning.Spread spread -> List.of();
      case Partitioning.Single single -> List.of();
      case Partitioning.Broadcast broadcast -> List.of();
    };
  }

  private void derived(TableRef.Derived derived) {
    Surroundings inner = derived.lateral() ? around.lateral(scope, earlier) : around.apart();
    QueryFacts facts = queries.query(derived.query(), inner);
    add(derived, subquery(derived.alias(), facts, derived.columns()));
  }

  private Leaf subquery(String name, QueryFacts facts, List<String> columnNames) {
    Optional<List<Output>> outputs = facts.outputs();
    if (!columnNames.isEmpty()) {
      outputs = outputs.map(list -> renamed(list, columnNames));
    }
    Relation.Derived relation = analysis.derived(name, outputs);
    if (!(facts.rows() instanceof Parted parted)) {
      return new Leaf(relation, Optional.empty(), true);
    }
    List<List<ColumnRef>> keys = new ArrayList<>();
    for (Set<Integer> ordinals : parted.keys()) {
      List<ColumnRef> columns = new ArrayList<>();
      for (int ordinal : ordinals) {
        if (outputs.isPresent() && ordinal < outputs.get().size()) {
          columns.add(ColumnRef.of(relation, outputs.get().get(ordinal).name()));
        }
      }
      keys.add(columns);
    }
    Anchor anchor = new Anchor(name, parted.tableGroup(), keys, false);
    return new Leaf(relation, Optional.of(anchor), !facts.open());
  }

  private static List<Output> renamed(List<Output> outputs, List<String> names) {
    List<Output> renamed = new ArrayList<>();
    for (int i = 0; i < Math.min(outputs.size(), names.size()); i++) {
      Output output = outputs.get(i);
      renamed.add(new Output(names.get(i), output.reference(), output.column(), output.kinds()));
    }
    return renamed;
  }

  /** Conditions of joins that keep no unmatched rows. */
  void learn(List<TableRef> items, Equalities equalities) {
    items.forEach(item -> learn(item, equalities));
  }

  private void learn(TableRef item, Equalities equalities) {
    if (item instanceof TableRef.Group group) {
      learn(group.items(), equalities);
    } else if (item instanceof TableRef.Join join) {
      if (!join.kind().keepsRight()) {
        learn(join.left(), equalities);
      }
      if (!join.kind().keepsLeft()) {
        learn(join.right(), equalities);
      }
      if (!join.kind().keepsLeft() && !join.kind().keepsRight()) {
        learnCondition(join, equalities);
      }
    }
  }

  private void learnCondition(TableRef.Join join, Equalities equalities) {
    join.on().ifPresent(on -> Conjuncts.learn(on, scope, equalities));
    for (String column : comparedColumns(join)) {
      Optional<Output> left = output(join.left(), column);
      Optional<Output> right = output(join.right(), column);
      Optional<ColumnRef> a = left.flatMap(Output::reference);
      Optional<ColumnRef> b = right.flatMap(Output::reference);
      if (a.isPresent()
          && b.isPresent()
          && Conjuncts.sameFamily(left.flatMap(Output::column), right.flatMap(Output::column))) {
        equalities.equal(a.get(), b.get());
      }
    }
  }

  private List<String> comparedColumns(TableRef.Join join) {
    if (!join.kind().natural()) {
      return join.using();
    }
    Optional<List<Output>> left = outputs(join.left());
    Optional<List<Output>> right = outputs(join.right());
    if (left.isEmpty() || right.isEmpty()) {
      return List.of();
    }
    return left.get().stream()
        .map(Output::name)
        .filter(name -> right.get().stream().anyMatch(other -> other.name().equalsIgnoreCase(name)))
        .toList();
  }

  private Optional<Output> output(TableRef item, String column) {
    return switch (item) {
      case TableRef.Join join -> {
        Optional<Output> left = output(join.left(), column);
        yield left.isPresent() && !join.kind().keepsRight() ? left : later(join, column, left);
      }
      case TableRef.Group group ->
          group.items().stream()
              .map(inner -> output(inner, column))
              .flatMap(Optional::stream)
              .findFirst();
      case TableRef.Named _, TableRef.Derived _, TableRef.Function _ ->
          leaf(item).relation().output(column);
    };
  }

  private Optional<Output> later(TableRef.Join join, String column, Optional<Output> left) {
    Optional<Output> right = output(join.right(), column);
    return right.isPresent() ? right : left;
  }

  private Leaf leaf(TableRef item) {
    Leaf leaf = leaves.get(item);
    if (leaf == null) {
      throw new IllegalStateException("unbound table reference");
    }
    return leaf;
  }

  /** The columns that {@code *} gives for FROM. */
  Optional<List<Output>> outputs(List<TableRef> items) {
    List<Output> all = new ArrayList<>();
    for (TableRef item : items) {
      Optional<List<Output>> outputs = outputs(item);
      if (outputs.isEmpty()) {
        return Optional.empty();
      }
      all.addAll(outputs.get());
    }
    return Optional.of(all);
  }

  private Optional<List<Output>> outputs(TableRef item) {
    return switch (item) {
      case TableRef.Group group -> outputs(group.items());
      case TableRef.Join join -> joinOutputs(join);
      case TableRef.Named _, TableRef.Derived _, TableRef.Function _ ->
          leaf(item).relation().outputs();
    };
  }

  private Optional<List<Output>> joinOutputs(TableRef.Join join) {
    Optional<List<Output>> left = outputs(join.left());
    Optional<List<Output>> right = outputs(join.right());
    if (left.isEmpty() || right.isEmpty()) {
      return Optional.empty();
    }
    List<String> compared = comparedColumns(join);
    if (compared.isEmpty()) {
      return Optional.of(Stream.concat(left.get().stream(), right.get().stream()).toList());
    }
    List<Output> kept = join.kind().keepsRight() ? right.get() : left.get();
    List<Output> other = join.kind().keepsRight() ? left.get() : right.get();
    List<Output> all = new ArrayList<>();
    kept.stream().filter(output -> isAnyOf(output, compared)).forEach(all::add);
    kept.stream().filter(output -> !isAnyOf(output, compared)).forEach(all::add);
    other.stream().filter(output -> !isAnyOf(output, compared)).forEach(all::add);
    return Optional.of(all);
  }

  private static boolean isAnyOf(Output output, List<String> names) {
    return names.stream().anyMatch(name -> name.equalsIgnoreCase(output.name()));
  }

  /** The components of FROM, starting with that of the blocks around if there are such. */
  List<Component> components(List<TableRef> items, Equalities equalities) {
    List<Component> all = new ArrayList<>();
    if (!around.anchors().isEmpty()) {
      all.add(new Component(around.anchors(), true, true));
    }
    for (TableRef item : items) {
      merge(all, components(item, equalities), equalities);
    }
    return all;
  }

  private List<Component> components(TableRef item, Equalities equalities) {
    return switch (item) {
      case TableRef.Group group -> {
        List<Component> all = new ArrayList<>();
        group.items().forEach(inner -> merge(all, components(inner, equalities), equalities));
        yield all;
      }
      case TableRef.Join join -> joined(join, equalities);
      case TableRef.Named _, TableRef.Derived _, TableRef.Function _ ->
          leafComponent(leaf(item), equalities);
    };
  }

  private List<Component> leafComponent(Leaf leaf, Equalities equalities) {
    if (leaf.anchor().isEmpty()) {
      return List.of();
    }
    Anchor anchor = leaf.anchor().get();
    Optional<Set<List<Integer>>> found = equalities.tuples(anchor.keys());
    found.ifPresent(analysis::pin);
    boolean pinned = leaf.pinned() || found.isPresent();
    List<Component> one = new ArrayList<>();
    one.add(new Component(List.of(anchor), pinned, false));
    return one;
  }

  private List<Component> joined(TableRef.Join join, Equalities equalities) {
    if (!join.kind().keepsLeft() && !join.kind().keepsRight()) {
      List<Component> all = new ArrayList<>(components(join.left(), equalities));
      merge(all, components(join.right(), equalities), equalities);
      return all;
    }
    TableRef kept = join.kind().keepsLeft() ? join.left() : join.right();
    TableRef inner = join.kind().keepsLeft() ? join.right() : join.left();
    Equalities within = equalities.copy();
    learnCondition(join, within);
    learn(inner, within);
    markNullSupplied(inner, within);
    List<Component> all = new ArrayList<>(components(kept, equalities));
    for (Component component : components(inner, within)) {
      Optional<Component> beside = besideKept(all, component, within);
      if (beside.isPresent()) {
        beside.get().joinNullSupplied(component);
      } else {
        analysis.hinder(
            "an outer join that keeps rows without a match of "
                + component.anchors().getFirst().name()
                + " on another shard");
        all.add(component);
      }
    }
    return all;
  }

  private Optional<Component> besideKept(
      List<Component> kept, Component component, Equalities within) {
    return kept.stream().filter(other -> other.alignedWith(component, within)).findFirst();
  }

  private void markNullSupplied(TableRef item, Equalities within) {
    switch (item) {
      case TableRef.Join join -> {
        markNullSupplied(join.left(), within);
        markNullSupplied(join.right(), within);
      }
      case TableRef.Group group -> group.items().forEach(inner -> markNullSupplied(inner, within));
      case TableRef.Named _, TableRef.Derived _, TableRef.Function _ ->
          nullSupplied.put(leaf(item).relation().id(), within);
    }
  }

  private static void merge(List<Component> into, List<Component> more, Equalities equalities) {
    for (Component component : more) {
      Component current = component;
      List<Component> partners =
          into.stream().filter(other -> other.alignedWith(component, equalities)).toList();
      if (partners.isEmpty()) {
        into.add(current);
        continue;
      }
      Component first = partners.getFirst();
      first.join(current);
      for (Component other : partners.subList(1, partners.size())) {
        first.join(other);
        into.remove(other);
      }
    }
  }

  /** The conditions of all joins. */
  static List<Expr> conditions(List<TableRef> items) {
    List<Expr> found = new ArrayList<>();
    items.forEach(item -> conditions(item, found));
    return found;
  }

  private static void conditions(TableRef item, List<Expr> found) {
    switch (item) {
      case TableRef.Join join -> {
        conditions(join.left(), found);
        conditions(join.right(), found);
        join.on().ifPresent(found::add);
      }
      case TableRef.Group group -> group.items().forEach(inner -> conditions(inner, found));
      case TableRef.Function function -> found.addAll(function.arguments());
      case TableRef.Named named -> {}
      case TableRef.Derived derived -> {}
    }
  }
}
