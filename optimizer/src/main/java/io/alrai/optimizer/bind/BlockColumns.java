package io.alrai.optimizer.bind;

import io.alrai.optimizer.bind.ColumnSources.Source;
import io.alrai.optimizer.bind.ColumnUses.Outside;
import io.alrai.optimizer.bind.QueryColumns.Common;
import io.alrai.optimizer.bind.QueryColumns.Output;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The columns that a SELECT, or a statement that is like one, uses. One thread. */
final class BlockColumns {
  private final ColumnUses uses;
  private final Outside around;
  private final ColumnSources sources;
  private final List<Runnable> joins = new ArrayList<>();
  private final List<Runnable> subqueries = new ArrayList<>();
  private final Map<Source, Set<String>> hidden = new IdentityHashMap<>();

  BlockColumns(ColumnUses uses, Outside around) {
    this.uses = uses;
    this.around = around;
    this.sources = new ColumnSources(around.sources());
  }

  ColumnSources sources() {
    return sources;
  }

  private QueryColumns inside() {
    return new QueryColumns(uses, around.in(Optional.of(sources)));
  }

  /** Reads FROM; what it uses itself is used by {@link #joins}. */
  void from(List<TableRef> items) {
    items.forEach(this::item);
  }

  private void item(TableRef item) {
    switch (item) {
      case TableRef.Named named -> add(source(named));
      case TableRef.Derived derived -> {
        QueryColumns query =
            derived.lateral() ? inside() : new QueryColumns(uses, around.in(sources.outer()));
        add(query.derived(derived.query(), derived.alias(), derived.columns()));
      }
      case TableRef.Function function -> {
        add(new Unknown(function.alias()));
        joins.add(() -> function.arguments().forEach(this::read));
      }
      case TableRef.Join join -> join(join);
      case TableRef.Group group -> from(group.items());
    }
  }

  private void add(Source source) {
    sources.add(source);
    joins.add(source::joined);
  }

  private Source source(TableRef.Named named) {
    if (named.schema().isEmpty()) {
      for (int i = 0; i < around.common().size(); i++) {
        Common common = around.common().get(i);
        if (common.table().name().name().equals(named.name().name())) {
          return common(common, named.visibleName());
        }
      }
    }
    return uses.stored(named, around);
  }

  private Source common(Common common, String alias) {
    Query.CommonTable table = common.table();
    if (common.visible().isEmpty()) {
      return QueryColumns.recursive(common, alias);
    }
    Outside visible = common.visible().get();
    if (!common.recursive()) {
      return new QueryColumns(uses, visible).derived(table.query(), alias, table.columns());
    }
    List<Common> withItself = new ArrayList<>(visible.common());
    withItself.addFirst(new Common(table, Optional.empty(), true));
    QueryColumns query = new QueryColumns(uses, visible.with(withItself));
    return new QueryColumns.Derived(
        alias,
        QueryColumns.recursive(common, alias).outputs(),
        () -> query.query(table.query(), ColumnUses.SELECT));
  }

  private void join(TableRef.Join join) {
    int from = sources.size();
    item(join.left());
    int middle = sources.size();
    item(join.right());
    Set<String> shared = new HashSet<>();
    join.using().forEach(column -> shared.add(Names.lower(column)));
    if (join.kind().natural()) {
      shared.addAll(sources.shared(from, middle));
    }
    boolean right = join.kind().keepsRight();
    List<Source> hiding =
        right ? sources.all().subList(from, middle) : sources.all().subList(middle, sources.size());
    hiding.forEach(source -> hidden.computeIfAbsent(source, _ -> new HashSet<>()).addAll(shared));
    if (right) {
      sources.preferFrom(from, middle);
    }
    join.on().ifPresent(on -> joins.add(() -> read(on)));
  }

  /** What FROM itself uses. */
  void joins() {
    joins.forEach(Runnable::run);
  }

  /** What stands between SELECT and FROM. */
  void list(List<Query.SelectItem> items, long anyOf) {
    for (Query.SelectItem item : items) {
      if (item.expr() instanceof Expr.Star star) {
        for (Source source : sources.meant(star)) {
          source.star(shown(source, star), anyOf);
        }
      } else {
        read(item.expr(), anyOf, Set.of());
      }
    }
  }

  /** All columns. */
  void all(long anyOf) {
    sources.all().forEach(source -> source.star(source.columns(), anyOf));
  }

  private List<String> shown(Source source, Expr.Star star) {
    Set<String> left =
        star.qualifier().isEmpty() ? hidden.getOrDefault(source, Set.of()) : Set.of();
    return source.columns().stream().filter(column -> !left.contains(Names.lower(column))).toList();
  }

  /** What an item of the list gives, used by whoever uses it. */
  List<Output> outputs(Query.SelectItem item) {
    if (!(item.expr() instanceof Expr.Star star)) {
      Runnable use =
          () -> {
            read(item.expr());
            subqueries();
          };
      return List.of(new Output(name(item), use));
    }
    List<Output> outputs = new ArrayList<>();
    for (Source source : sources.meant(star)) {
      List<String> meant = shown(source, star);
      boolean[] asked = {false};
      for (String column : meant) {
        outputs.add(
            new Output(
                column,
                () -> {
                  if (!asked[0]) {
                    asked[0] = true;
                    source.star(meant, ColumnUses.SELECT);
                  }
                }));
      }
    }
    return outputs;
  }

  /** The name that an item of a list gives to its column; empty where that is its text. */
  static String name(Query.SelectItem item) {
    if (item.alias().isPresent()) {
      return item.alias().get().name();
    }
    return item.expr().bare() instanceof Expr.Name name ? name.column() : "";
  }

  /** All but the list: joins, WHERE, GROUP BY, HAVING, windows, ORDER BY, then subqueries. */
  void rest(Query.Block block, List<Expr.OrderItem> order) {
    Set<String> aliases = new HashSet<>();
    block
        .selection()
        .items()
        .forEach(item -> item.alias().ifPresent(alias -> aliases.add(Names.lower(alias.name()))));
    joins();
    block.where().ifPresent(this::read);
    block
        .grouping()
        .ifPresent(grouping -> {
          grouping.keys().forEach(key -> key(key.expr(), aliases));
          grouping.having().ifPresent(having -> read(having, ColumnUses.SELECT, aliases));
        });
    for (Query.NamedWindow named : block.windows()) {
      named.window().partitionBy().forEach(this::read);
      named.window().orderBy().forEach(item -> read(item.expr()));
    }
    block.qualify().ifPresent(qualify -> read(qualify, ColumnUses.SELECT, aliases));
    for (Expr.OrderItem item : order) {
      boolean alias =
          item.expr().bare() instanceof Expr.Name name
              && name.table().isEmpty()
              && aliases.contains(Names.lower(name.column()));
      if (!alias) {
        key(item.expr(), aliases);
      }
    }
    subqueries();
  }

  private void key(Expr expression, Set<String> aliases) {
    columnsFirst(expression, aliases);
    later(expression);
  }

  /** A key means a column before it means an alias. */
  private void columnsFirst(Expr expression, Set<String> aliases) {
    expression.walk(each -> {
      boolean found = !(each instanceof Expr.Name name) || sources.find(name, ColumnUses.SELECT);
      if (!found
          && each instanceof Expr.Name name
          && !aliases.contains(Names.lower(name.column()))) {
        sources.use(name, ColumnUses.SELECT);
      }
    });
  }

  /** What an expression reads. */
  void read(Expr expression) {
    read(expression, ColumnUses.SELECT, Set.of());
  }

  /** Of aliases that are named outside of calls no column is used. */
  private void read(Expr expression, long anyOf, Set<String> aliases) {
    names(expression, anyOf, aliases);
    later(expression);
  }

  private void names(Expr expression, long anyOf, Set<String> aliases) {
    if (expression instanceof Expr.Name name) {
      boolean alias = name.table().isEmpty() && aliases.contains(Names.lower(name.column()));
      if (!alias) {
        sources.use(name, anyOf);
      }
      return;
    }
    if (expression instanceof Expr.Call call && !aliases.isEmpty()) {
      call.children().forEach(child -> columnsFirst(child, aliases));
      return;
    }
    expression.children().forEach(child -> names(child, anyOf, aliases));
  }

  private void later(Expr expression) {
    expression.walk(each -> {
      if (each instanceof Expr.Exists exists) {
        subqueries.add(() -> inside().exists(exists.query()));
      } else {
        each.queries()
            .forEach(query -> subqueries.add(() -> inside().query(query, ColumnUses.SELECT)));
      }
    });
  }

  /** The names in ORDER BY of what is no SELECT are those of its result; its subqueries read. */
  void sorted(List<Expr.OrderItem> order) {
    order.forEach(item -> later(item.expr()));
    subqueries();
  }

  /** What the subqueries of all expressions that were read use. */
  void subqueries() {
    List<Runnable> found = List.copyOf(subqueries);
    subqueries.clear();
    found.forEach(Runnable::run);
  }

  /** JSON_TABLE: what its columns are is not known. */
  private record Unknown(String name) implements Source {
    @Override
    public Optional<String> schema() {
      return Optional.empty();
    }

    @Override
    public List<String> columns() {
      return List.of();
    }

    @Override
    public boolean known() {
      return false;
    }

    @Override
    public boolean stored() {
      return false;
    }

    @Override
    public void use(String column, long anyOf) {}

    @Override
    public void star(List<String> meant, long anyOf) {}

    @Override
    public void joined() {}
  }
}
