package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.logical.Scope.Visible;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/** FROM. One thread. */
final class FromBinder {
  private final BindContext context;
  private final QueryBinder queries;
  private final Optional<Scope> outer;

  FromBinder(BindContext context, QueryBinder queries, Optional<Scope> outer) {
    this.context = context;
    this.queries = queries;
    this.outer = outer;
  }

  /** What a part of FROM gives; columns in the order of {@code *}. */
  private record Part(RelNode rows, List<Visible> columns) {}

  /** The scope of a block. */
  Scope bind(List<TableRef> from) {
    if (from.isEmpty()) {
      return new Scope(List.of(), LogicalValues.createOneRow(context.cluster()), outer);
    }
    Part part = list(from);
    return new Scope(part.columns(), part.rows(), outer);
  }

  private Part list(List<TableRef> items) {
    Part all = part(items.getFirst());
    for (TableRef item : items.subList(1, items.size())) {
      Part next = part(item);
      all = joined(all, next, JoinRelType.INNER, List.of());
    }
    return all;
  }

  private Part part(TableRef item) {
    return switch (item) {
      case TableRef.Named named -> named(named);
      case TableRef.Derived derived -> derived(derived);
      case TableRef.Join join -> join(join);
      case TableRef.Group group -> list(group.items());
      case TableRef.Function function -> throw new NotCovered("JSON_TABLE");
    };
  }

  private Part named(TableRef.Named named) {
    if (named.partitionSelection()) {
      throw new NotCovered("PARTITION behind a table");
    }
    Optional<BoundQuery> common =
        named.schema().isEmpty() ? queries.common(named.name().name()) : Optional.empty();
    if (common.isPresent()) {
      return query(common.get(), named.visibleName(), List.of());
    }
    String schema = named.schema().map(Identifier::name).orElse(context.names().currentSchema());
    Table table =
        context
            .names()
            .catalog()
            .table(schema, named.name().name())
            .orElseThrow(() -> new NotCovered("the table " + named.name().name()));
    RelNode scan = CatalogTable.scan(context.cluster(), table, context.statistics().of(table));
    List<String> names = scan.getRowType().getFieldNames();
    List<Visible> columns = new ArrayList<>();
    for (Column column : table.columns()) {
      if (!column.invisible()) {
        columns.add(
            new Visible(
                Optional.of(schema),
                named.visibleName(),
                column.name(),
                names.indexOf(column.name()),
                false));
      }
    }
    return new Part(scan, columns);
  }

  private Part derived(TableRef.Derived derived) {
    if (derived.lateral()) {
      throw new NotCovered("LATERAL");
    }
    return query(
        queries.bind(derived.query(), Optional.empty()), derived.alias(), derived.columns());
  }

  private static Part query(BoundQuery query, String alias, List<String> names) {
    List<String> visible = names.isEmpty() ? query.names() : names;
    if (visible.size() != query.names().size()) {
      throw new NotCovered("a list of columns of another length");
    }
    List<Visible> columns = new ArrayList<>();
    for (int i = 0; i < visible.size(); i++) {
      columns.add(new Visible(Optional.empty(), alias, visible.get(i), i, false));
    }
    return new Part(query.rows(), columns);
  }

  private Part join(TableRef.Join join) {
    boolean right = join.kind().keepsRight();
    Part first = part(right ? join.right() : join.left());
    Part second = part(right ? join.left() : join.right());
    JoinRelType type = right || join.kind().keepsLeft() ? JoinRelType.LEFT : JoinRelType.INNER;
    Part joined = joined(first, second, type, conditions(join, first, second));
    List<Visible> columns = new ArrayList<>(joined.columns());
    if (join.kind().natural() || !join.using().isEmpty()) {
      columns = merged(joined, shared(join, first, second), first.columns().size());
    } else if (right) {
      int size = first.columns().size();
      List<Visible> turned = new ArrayList<>(columns.subList(size, columns.size()));
      turned.addAll(columns.subList(0, size));
      columns = turned;
    }
    return new Part(joined.rows(), columns);
  }

  private List<RexNode> conditions(TableRef.Join join, Part first, Part second) {
    List<RexNode> conditions = new ArrayList<>();
    Part both = joined(first, second, JoinRelType.INNER, List.of());
    for (String name : shared(join, first, second)) {
      int size = first.columns().size();
      RexNode left = named(both, name, 0, size);
      RexNode right = named(both, name, size, both.columns().size());
      conditions.add(context.expressions().compare(ScalarFunction.EQUAL, left, right));
    }
    if (join.on().isPresent()) {
      conditions.add(on(join.on().get(), both));
    }
    return conditions;
  }

  private RexNode on(Expr condition, Part both) {
    Scope scope = new Scope(both.columns(), both.rows(), outer);
    RexNode bound = new ExpressionBinder(context, scope, queries).condition(condition);
    if (RexUtil.SubQueryFinder.find(bound) != null) {
      throw new NotCovered("a subquery in ON");
    }
    return bound;
  }

  private static RexNode named(Part part, String name, int from, int to) {
    List<Visible> found =
        part.columns().subList(from, to).stream()
            .filter(column -> !column.hidden() && column.column().equalsIgnoreCase(name))
            .toList();
    if (found.size() != 1) {
      throw new NotCovered("USING or NATURAL JOIN by a column that is not there once");
    }
    return Expressions.column(part.rows().getRowType(), found.getFirst().index());
  }

  private static List<String> shared(TableRef.Join join, Part first, Part second) {
    if (!join.kind().natural()) {
      return join.using();
    }
    return first.columns().stream()
        .filter(column -> !column.hidden())
        .map(Visible::column)
        .filter(name ->
            second.columns().stream()
                .anyMatch(other -> !other.hidden() && other.column().equalsIgnoreCase(name)))
        .toList();
  }

  /**
   * Of columns with one name only that of the first side is seen, and these before all others; a
   * RIGHT JOIN's first side is the right one.
   */
  private static List<Visible> merged(Part joined, List<String> names, int size) {
    List<Visible> shared = new ArrayList<>();
    List<Visible> others = new ArrayList<>();
    for (int i = 0; i < joined.columns().size(); i++) {
      Visible column = joined.columns().get(i);
      boolean named = names.stream().anyMatch(column.column()::equalsIgnoreCase);
      if (named && i < size && !column.hidden()) {
        shared.add(column);
      } else {
        others.add(named && i >= size ? column.hide() : column);
      }
    }
    shared.addAll(others);
    return shared;
  }

  private Part joined(Part left, Part right, JoinRelType type, List<RexNode> conditions) {
    RelNode rows =
        LogicalJoin.create(
            left.rows(),
            right.rows(),
            List.of(),
            context.expressions().and(conditions),
            Set.of(),
            type);
    List<Visible> columns = new ArrayList<>(left.columns());
    int shift = left.rows().getRowType().getFieldCount();
    right.columns().forEach(column -> columns.add(column.shifted(shift)));
    return new Part(rows, columns);
  }
}
