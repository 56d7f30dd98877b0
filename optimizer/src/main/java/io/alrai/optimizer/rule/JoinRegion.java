package io.alrai.optimizer.rule;

import io.alrai.optimizer.logical.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Joins that lie directly above one another, taken apart. Columns are numbered over the whole
 * region: those that it delivers in their order, then those that only semi and anti joins read.
 * Sets of relations are bits of an int. One thread.
 */
final class JoinRegion {
  /**
   * A relation.
   *
   * @param rows gives its rows
   * @param first the number of its first column
   * @param type INNER for one that can stand anywhere; else how it is joined, as the right side, to
   *     rows of at least {@code required}
   * @param condition of that join
   * @param required the relations that must be joined before
   */
  record Relation(
      RelNode rows, int first, JoinRelType type, List<RexNode> condition, int required) {
    Relation {
      condition = List.copyOf(condition);
    }

    int width() {
      return rows.getRowType().getFieldCount();
    }

    boolean dependent() {
      return type != JoinRelType.INNER;
    }

    Relation with(RelNode newRows) {
      return new Relation(newRows, first, type, condition, required);
    }
  }

  private final UnaryOperator<RelNode> inner;
  private final List<Relation> relations = new ArrayList<>();
  private final List<RexNode> predicates = new ArrayList<>();
  private final int visible;
  private int hidden;

  /**
   * The region below a node.
   *
   * @param inner what is done with each relation
   */
  JoinRegion(RelNode top, UnaryOperator<RelNode> inner) {
    this.inner = inner;
    this.visible = top.getRowType().getFieldCount();
    this.hidden = visible;
    take(top, 0);
  }

  /** Whether a node belongs to a region of more than one relation. */
  static boolean starts(RelNode node) {
    return node instanceof Filter filter ? starts(filter.getInput()) : isJoin(node);
  }

  private static boolean isJoin(RelNode node) {
    return node instanceof Join join
        && switch (join.getJoinType()) {
          case INNER, LEFT, SEMI, ANTI -> true;
          default -> false;
        };
  }

  List<Relation> relations() {
    return relations;
  }

  /** Conditions of inner joins and filters over the region's columns. */
  List<RexNode> predicates() {
    return predicates;
  }

  /** How many columns the region delivers. */
  int visible() {
    return visible;
  }

  /** How many columns are numbered. */
  int columns() {
    return hidden;
  }

  private void take(RelNode node, int first) {
    if (node instanceof Filter filter && starts(filter.getInput())) {
      take(filter.getInput(), first);
      addPredicates(filter.getCondition(), first);
    } else if (node instanceof Join join && isJoin(join)) {
      join(join, first);
    } else {
      relations.add(new Relation(inner.apply(node), first, JoinRelType.INNER, List.of(), 0));
    }
  }

  private void addPredicates(RexNode condition, int first) {
    for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
      RexNode shifted = RexUtil.shift(conjunct, first);
      RexNode factored =
          RexUtil.pullFactors(relations.getFirst().rows().getCluster().getRexBuilder(), shifted);
      RelOptUtil.conjunctions(factored).stream()
          .filter(part -> !predicates.contains(part))
          .forEach(predicates::add);
    }
  }

  private void join(Join join, int first) {
    take(join.getLeft(), first);
    int width = join.getLeft().getRowType().getFieldCount();
    JoinRelType type = join.getJoinType();
    if (type == JoinRelType.INNER) {
      take(join.getRight(), first + width);
      addPredicates(join.getCondition(), first);
      return;
    }
    int before = (1 << relations.size()) - 1;
    boolean delivers = type == JoinRelType.LEFT;
    int start = delivers ? first + width : hidden;
    if (!delivers) {
      hidden += join.getRight().getRowType().getFieldCount();
    }
    RexNode condition =
        join.getCondition()
            .accept(
                new RexShuttle() {
                  @Override
                  public RexNode visitInputRef(RexInputRef ref) {
                    int index = ref.getIndex();
                    int moved = index < width ? first + index : start + index - width;
                    return new RexInputRef(moved, ref.getType());
                  }
                });
    List<RexNode> conditions = RelOptUtil.conjunctions(condition);
    int referenced = relationsOf(condition) & before;
    relations.add(
        new Relation(
            inner.apply(join.getRight()),
            start,
            type,
            conditions,
            referenced != 0 ? referenced : leftOf(first, width)));
  }

  private int leftOf(int first, int width) {
    int set = 0;
    for (int i = 0; i < relations.size(); i++) {
      int column = relations.get(i).first();
      if (column >= first && column < first + width) {
        set |= 1 << i;
      }
    }
    return set;
  }

  /** The relations whose columns an expression reads. */
  int relationsOf(RexNode node) {
    return relationsOf(RelOptUtil.InputFinder.bits(node));
  }

  private int relationsOf(ImmutableBitSet columns) {
    int set = 0;
    for (int i = 0; i < relations.size(); i++) {
      Relation relation = relations.get(i);
      int from = columns.nextSetBit(relation.first());
      if (from >= 0 && from < relation.first() + relation.width()) {
        set |= 1 << i;
      }
    }
    return set;
  }

  /**
   * Conditions that move to the one relation that they read. Of a disjunction over several, what it
   * says of each one alone is added: {@code (a = 1 AND b = 2) OR (a = 3 AND b = 4)} says {@code a =
   * 1 OR a = 3}.
   */
  void filterRelations(Expressions expressions) {
    for (int i = 0; i < relations.size(); i++) {
      Relation relation = relations.get(i);
      if (relation.dependent()) {
        continue;
      }
      List<RexNode> own = new ArrayList<>();
      for (RexNode predicate : List.copyOf(predicates)) {
        int read = relationsOf(predicate);
        if (read == 1 << i) {
          own.add(predicate);
          predicates.remove(predicate);
        } else if ((read & 1 << i) != 0) {
          own.addAll(implied(predicate, 1 << i, expressions));
        }
      }
      if (!own.isEmpty()) {
        RexNode condition = RexUtil.shift(expressions.and(own), -relation.first());
        relations.set(i, relation.with(LogicalFilter.create(relation.rows(), condition)));
      }
    }
  }

  private List<RexNode> implied(RexNode predicate, int relation, Expressions expressions) {
    List<RexNode> branches = new ArrayList<>();
    for (RexNode branch : RelOptUtil.disjunctions(predicate)) {
      List<RexNode> own =
          RelOptUtil.conjunctions(branch).stream()
              .filter(part -> relationsOf(part) == relation)
              .toList();
      if (own.isEmpty()) {
        return List.of();
      }
      branches.add(expressions.and(own));
    }
    return branches.size() < 2 ? List.of() : List.of(expressions.or(branches));
  }
}
