package io.alrai.optimizer.rule;

import io.alrai.optimizer.cost.JoinTree;
import io.alrai.optimizer.logical.Expressions;
import io.alrai.optimizer.rule.JoinRegion.Relation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/** Builds the joins of a region in a given order. One thread. */
final class OrderedJoins {
  /**
   * Rows with the numbers of their columns.
   *
   * @param columns the region's numbers, in the order of the row
   */
  private record Built(RelNode rows, List<Integer> columns) {}

  private final JoinRegion region;
  private final Expressions expressions;
  private final List<RexNode> open;

  OrderedJoins(JoinRegion region, Expressions expressions) {
    this.region = region;
    this.expressions = expressions;
    this.open = new ArrayList<>(region.predicates());
  }

  /** The rows of an order of all relations, with the columns of the region. */
  RelNode build(JoinTree tree) {
    Built built = node(tree);
    RelNode rows = built.rows();
    if (!open.isEmpty()) {
      rows = LogicalFilter.create(rows, over(expressions.and(open), built.columns()));
    }
    List<RexNode> columns = new ArrayList<>();
    List<String> names = new ArrayList<>();
    boolean same = built.columns().size() == region.visible();
    for (int i = 0; i < region.visible(); i++) {
      int at = built.columns().indexOf(i);
      columns.add(RexInputRef.of(at, rows.getRowType()));
      names.add("c" + i);
      same &= at == i;
    }
    return same ? rows : LogicalProject.create(rows, List.of(), columns, names, Set.of());
  }

  private Built node(JoinTree tree) {
    return switch (tree) {
      case JoinTree.Leaf(int relation) -> {
        Relation leaf = region.relations().get(relation);
        yield new Built(leaf.rows(), columns(leaf));
      }
      case JoinTree.Pair pair -> join(pair);
    };
  }

  private static List<Integer> columns(Relation relation) {
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < relation.width(); i++) {
      columns.add(relation.first() + i);
    }
    return columns;
  }

  private Built join(JoinTree.Pair pair) {
    Built left = node(pair.probe());
    Built right = node(pair.build());
    List<Integer> both = new ArrayList<>(left.columns());
    both.addAll(right.columns());
    JoinRelType type = JoinRelType.INNER;
    List<RexNode> conditions = new ArrayList<>();
    if (pair.build() instanceof JoinTree.Leaf(int relation)
        && region.relations().get(relation).dependent()) {
      type = region.relations().get(relation).type();
      conditions.addAll(region.relations().get(relation).condition());
    }
    List<RexNode> above = closed(pair.relations());
    if (type == JoinRelType.INNER) {
      conditions.addAll(above);
      above = List.of();
    }
    RelNode rows =
        LogicalJoin.create(
            left.rows(),
            right.rows(),
            List.of(),
            over(expressions.and(conditions), both),
            Set.of(),
            type);
    List<Integer> columns = type.projectsRight() ? both : left.columns();
    if (!above.isEmpty()) {
      rows = LogicalFilter.create(rows, over(expressions.and(above), columns));
    }
    return new Built(rows, columns);
  }

  /** The conditions that read no other relations, once. */
  private List<RexNode> closed(int relations) {
    List<RexNode> closed = new ArrayList<>();
    for (RexNode predicate : List.copyOf(open)) {
      int read = region.relationsOf(predicate);
      if (read != 0 && (read & ~relations) == 0) {
        closed.add(predicate);
        open.remove(predicate);
      }
    }
    return closed;
  }

  private static RexNode over(RexNode node, List<Integer> columns) {
    Map<Integer, Integer> places = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      places.put(columns.get(i), i);
    }
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return new RexInputRef(places.getOrDefault(ref.getIndex(), -1), ref.getType());
          }
        });
  }
}
