package io.alrai.optimizer.bind;

import io.alrai.optimizer.bind.ColumnSources.Source;
import io.alrai.optimizer.bind.ColumnUses.Outside;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.SelectItems;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The columns that a query uses. Of one that is put in a derived table's place and is no more than
 * a selection of others' rows only those columns of its list that somebody uses, as MySQL merges
 * it. One thread.
 */
final class QueryColumns {
  private static final Set<String> AGGREGATES =
      Set.of(
          "ANY_VALUE",
          "AVG",
          "BIT_AND",
          "BIT_OR",
          "BIT_XOR",
          "COUNT",
          "GROUP_CONCAT",
          "JSON_ARRAYAGG",
          "JSON_OBJECTAGG",
          "MAX",
          "MIN",
          "ST_COLLECT",
          "STD",
          "STDDEV",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "SUM",
          "VAR_POP",
          "VAR_SAMP",
          "VARIANCE");

  private final ColumnUses uses;
  private final Outside around;

  QueryColumns(ColumnUses uses, Outside around) {
    this.uses = uses;
    this.around = around;
  }

  /**
   * A name of WITH.
   *
   * @param visible what its query sees besides itself; empty within that query
   */
  record Common(Query.CommonTable table, Optional<Outside> visible, boolean recursive) {}

  /** What follows WITH sees the names before it, under RECURSIVE also its own. */
  Outside with(Optional<Query.With> with) {
    if (with.isEmpty()) {
      return around;
    }
    List<Common> names = new ArrayList<>(around.common());
    for (Query.CommonTable table : with.get().tables()) {
      Outside visible = around.with(List.copyOf(names));
      names.addFirst(new Common(table, Optional.of(visible), with.get().recursive()));
    }
    return around.with(List.copyOf(names));
  }

  /** All that a query uses. */
  void query(Query query, long anyOf) {
    query(query, List.of(), anyOf);
  }

  /** What follows the parentheses of a query sorts it as its own clause would. */
  private void query(Query query, List<Expr.OrderItem> behind, long anyOf) {
    List<Expr.OrderItem> order = new ArrayList<>(query.orderBy());
    order.addAll(behind);
    body(query.body(), order, with(query.with()), anyOf);
  }

  /** Walks through the query of EXISTS, whose {@code *} stands for nothing. */
  void exists(Query query) {
    if (query.body() instanceof Query.Block block) {
      BlockColumns columns = new BlockColumns(uses, with(query.with()));
      columns.from(block.from());
      columns.list(
          block.selection().items().stream()
              .filter(item -> !(item.expr() instanceof Expr.Star))
              .toList(),
          ColumnUses.SELECT);
      columns.rest(block, query.orderBy());
    } else {
      query(query, ColumnUses.SELECT);
    }
  }

  private void body(Query.Body body, List<Expr.OrderItem> order, Outside inside, long anyOf) {
    switch (body) {
      case Query.Block block -> {
        BlockColumns columns = new BlockColumns(uses, inside);
        columns.from(block.from());
        columns.list(block.selection().items(), anyOf);
        columns.rest(block, order);
      }
      case Query.Nested nested ->
          new QueryColumns(uses, inside).query(nested.query(), order, anyOf);
      case Query.SetOperation operation -> {
        body(operation.left(), List.of(), inside, anyOf);
        body(operation.right(), List.of(), inside, anyOf);
        new BlockColumns(uses, inside).sorted(order);
      }
      case Query.WholeTable whole -> {
        BlockColumns columns = new BlockColumns(uses, inside);
        columns.from(List.of(whole.table()));
        columns.joins();
        columns.all(anyOf);
        columns.sorted(order);
      }
      case Query.Values values -> {
        BlockColumns columns = new BlockColumns(uses, inside);
        values.cells().forEach(columns::read);
        columns.sorted(order);
      }
    }
  }

  /**
   * A query in a table's place.
   *
   * @param renamed names of its columns; empty where they are those of its list
   */
  Derived derived(Query query, String alias, List<String> renamed) {
    if (mergeable(query) && query.body() instanceof Query.Block block) {
      BlockColumns columns = new BlockColumns(uses, with(query.with()));
      columns.from(block.from());
      List<Output> outputs = new ArrayList<>();
      block.selection().items().forEach(item -> outputs.addAll(columns.outputs(item)));
      return new Derived(
          alias, named(outputs, renamed), () -> columns.rest(block, query.orderBy()));
    }
    List<Output> outputs =
        names(query, renamed).stream().map(name -> new Output(name, () -> {})).toList();
    return new Derived(alias, outputs, () -> query(query, ColumnUses.SELECT));
  }

  /** A name of WITH within its own query. */
  static Derived recursive(Common common, String alias) {
    List<Output> outputs =
        names(common.table().query(), common.table().columns()).stream()
            .map(name -> new Output(name, () -> {}))
            .toList();
    return new Derived(alias, outputs, () -> {});
  }

  private static List<String> names(Query query, List<String> renamed) {
    return renamed.isEmpty()
        ? SelectItems.naming(query).stream().map(BlockColumns::name).toList()
        : renamed;
  }

  private static List<Output> named(List<Output> outputs, List<String> renamed) {
    if (renamed.size() != outputs.size()) {
      return outputs;
    }
    List<Output> named = new ArrayList<>();
    for (int i = 0; i < renamed.size(); i++) {
      named.add(new Output(renamed.get(i), outputs.get(i).use()));
    }
    return named;
  }

  private static boolean mergeable(Query query) {
    return query.limit().isEmpty()
        && query.body() instanceof Query.Block block
        && !block.from().isEmpty()
        && block.grouping().isEmpty()
        && block.qualify().isEmpty()
        && block.selection().distinct().isEmpty()
        && block.selection().items().stream().allMatch(item -> isOfOneRow(item.expr()));
  }

  private static boolean isOfOneRow(Expr expression) {
    boolean[] plain = {expression.allQueries().isEmpty()};
    expression.walk(inner -> {
      boolean several =
          inner instanceof Expr.Call call
              && (call.window().isPresent() || AGGREGATES.contains(call.name()));
      plain[0] &= !several && !(inner instanceof Expr.Variable);
    });
    return plain[0];
  }

  /**
   * A column of a query's list.
   *
   * @param name empty where the text of an expression is its name
   */
  record Output(String name, Runnable use) {}

  /**
   * A query in a table's place.
   *
   * @param rest what it uses whatever is used of its list
   */
  record Derived(String name, List<Output> outputs, Runnable rest) implements Source {
    @Override
    public Optional<String> schema() {
      return Optional.empty();
    }

    @Override
    public List<String> columns() {
      return outputs.stream().map(Output::name).toList();
    }

    @Override
    public boolean known() {
      return outputs.stream().noneMatch(output -> output.name().isEmpty());
    }

    @Override
    public boolean stored() {
      return false;
    }

    @Override
    public void use(String column, long anyOf) {
      outputs.stream()
          .filter(output -> output.name().equalsIgnoreCase(column))
          .forEach(output -> output.use().run());
    }

    @Override
    public void star(List<String> meant, long anyOf) {
      meant.forEach(column -> use(column, anyOf));
    }

    /** Columns that have no name here might be used by any. */
    @Override
    public void joined() {
      outputs.stream()
          .filter(output -> output.name().isEmpty())
          .forEach(output -> output.use().run());
      rest.run();
    }
  }
}
