package io.alrai.optimizer.lower;

import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.fragment.PlanNode.SortKey;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueType;
import io.alrai.optimizer.cost.Estimator;
import io.alrai.optimizer.logical.Aggregates;
import io.alrai.optimizer.logical.CatalogTable;
import io.alrai.optimizer.logical.Expressions;
import io.alrai.optimizer.logical.JoinKeys;
import io.alrai.optimizer.logical.NotCovered;
import io.alrai.optimizer.logical.ValueTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/** Relational nodes. One thread. */
final class TreeLowering {
  /** A bloom filter that keeps more than this part of the probe side's keys is not worth it. */
  private static final double MOST_KEPT = 0.7;

  private final ScalarLowering scalars;
  private final Estimator estimator;
  private int bloomSlots;

  TreeLowering(ScalarLowering scalars, Estimator estimator, int firstBloomSlot) {
    this.scalars = scalars;
    this.estimator = estimator;
    this.bloomSlots = firstBloomSlot;
  }

  /** How many bloom filters there are so far. */
  int bloomSlots() {
    return bloomSlots;
  }

  PlanNode lower(RelNode node) {
    return switch (node) {
      case Project project -> project(project);
      case Filter filter when filter.getInput() instanceof TableScan scan -> {
        List<RexNode> all = new ArrayList<>();
        for (int i = 0; i < scan.getRowType().getFieldCount(); i++) {
          all.add(RexInputRef.of(i, scan.getRowType()));
        }
        yield scan(scan, Optional.of(filter.getCondition()), all);
      }
      case Filter filter -> {
        PlanNode input = lower(filter.getInput());
        yield new PlanNode.Filter(input, scalars.lower(filter.getCondition(), input.columns()));
      }
      case TableScan scan -> {
        List<RexNode> all = new ArrayList<>();
        for (int i = 0; i < scan.getRowType().getFieldCount(); i++) {
          all.add(RexInputRef.of(i, scan.getRowType()));
        }
        yield scan(scan, Optional.empty(), all);
      }
      case Join join -> join(join);
      case Aggregate aggregate -> aggregate(aggregate);
      case Sort sort -> sort(sort);
      case Values values when values.getTuples().size() == 1 ->
          new PlanNode.Values(List.of(List.of()), List.of());
      default -> throw new NotCovered("a " + node.getRelTypeName());
    };
  }

  private PlanNode project(Project project) {
    if (project.getInput() instanceof TableScan scan) {
      return scan(scan, Optional.empty(), project.getProjects());
    }
    if (project.getInput() instanceof Filter filter
        && filter.getInput() instanceof TableScan scan) {
      return scan(scan, Optional.of(filter.getCondition()), project.getProjects());
    }
    PlanNode input = lower(project.getInput());
    return new PlanNode.Project(input, scalars.lower(project.getProjects(), input.columns()));
  }

  /** Reads the columns that the condition and the expressions read, and no others. */
  private PlanNode scan(TableScan scan, Optional<RexNode> condition, List<RexNode> expressions) {
    ImmutableBitSet used = RelOptUtil.InputFinder.bits(expressions, null);
    if (condition.isPresent()) {
      used = used.union(RelOptUtil.InputFinder.bits(condition.get()));
    }
    CatalogTable table = CatalogTable.of(scan);
    if (scan.getRowType().getFieldCount() == 0) {
      throw new NotCovered("a scan of " + table.table().name() + ", of which no column is covered");
    }
    if (used.isEmpty()) {
      used = ImmutableBitSet.of(0);
    }
    List<String> names = new ArrayList<>();
    List<ValueType> types = new ArrayList<>();
    for (int column : used) {
      String name = scan.getRowType().getFieldNames().get(column);
      names.add(name);
      types.add(ValueTypes.of(table.table().column(name).orElseThrow()));
    }
    ImmutableBitSet read = used;
    Optional<Scalar> predicate = condition.map(node -> scalars.lower(narrowed(node, read), types));
    PlanNode rows =
        new PlanNode.ColumnScan(
            table.table().schema(), table.table().name(), names, types, predicate, List.of());
    List<RexNode> projected = expressions.stream().map(node -> narrowed(node, read)).toList();
    return isIdentity(projected, names.size())
        ? rows
        : new PlanNode.Project(rows, scalars.lower(projected, types));
  }

  private static RexNode narrowed(RexNode node, ImmutableBitSet read) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return new RexInputRef(read.indexOf(ref.getIndex()), ref.getType());
          }
        });
  }

  private static boolean isIdentity(List<RexNode> nodes, int width) {
    for (int i = 0; i < nodes.size(); i++) {
      if (!(nodes.get(i) instanceof RexInputRef ref) || ref.getIndex() != i) {
        return false;
      }
    }
    return nodes.size() == width;
  }

  private PlanNode join(Join join) {
    JoinKind kind =
        switch (join.getJoinType()) {
          case INNER -> JoinKind.INNER;
          case LEFT -> JoinKind.LEFT;
          case SEMI -> JoinKind.SEMI;
          case ANTI -> JoinKind.ANTI;
          default -> throw new NotCovered("a join of kind " + join.getJoinType());
        };
    Expressions expressions = Expressions.of(join.getCluster().getRexBuilder());
    int width = join.getLeft().getRowType().getFieldCount();
    List<JoinKeys> keys = new ArrayList<>();
    List<RexNode> residual = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(join.getCondition())) {
      keys(condition, width, expressions).ifPresentOrElse(keys::add, () -> residual.add(condition));
    }
    PlanNode probe = lower(join.getLeft());
    PlanNode build = lower(join.getRight());
    List<ValueType> both = new ArrayList<>(probe.columns());
    both.addAll(build.columns());
    List<Scalar> probeKeys =
        scalars.lower(keys.stream().map(JoinKeys::left).toList(), probe.columns());
    List<Scalar> buildKeys =
        scalars.lower(keys.stream().map(JoinKeys::right).toList(), build.columns());
    Optional<Scalar> rest =
        residual.isEmpty()
            ? Optional.empty()
            : Optional.of(scalars.lower(expressions.and(residual), both));
    OptionalInt slot = OptionalInt.empty();
    if ((kind == JoinKind.INNER || kind == JoinKind.SEMI) && isSelective(join, keys)) {
      Optional<PlanNode> filtered = BloomFilters.push(probe, probeKeys, bloomSlots);
      if (filtered.isPresent()) {
        probe = filtered.get();
        slot = OptionalInt.of(bloomSlots++);
      }
    }
    return new PlanNode.HashJoin(kind, probe, build, probeKeys, buildKeys, rest, slot);
  }

  /** An equality of one side's expression with the other's. */
  private static Optional<JoinKeys> keys(RexNode condition, int width, Expressions expressions) {
    if (condition.getKind() != SqlKind.EQUALS) {
      return Optional.empty();
    }
    RexNode one = ((RexCall) condition).getOperands().get(0);
    RexNode other = ((RexCall) condition).getOperands().get(1);
    if (isOfLeft(one, width) && isOfRight(other, width)) {
      return Optional.of(JoinKeys.of(expressions, one, RexUtil.shift(other, -width)));
    }
    return isOfLeft(other, width) && isOfRight(one, width)
        ? Optional.of(JoinKeys.of(expressions, other, RexUtil.shift(one, -width)))
        : Optional.empty();
  }

  private static boolean isOfLeft(RexNode node, int width) {
    ImmutableBitSet bits = RelOptUtil.InputFinder.bits(node);
    return !bits.isEmpty() && bits.nextSetBit(width) < 0;
  }

  private static boolean isOfRight(RexNode node, int width) {
    ImmutableBitSet bits = RelOptUtil.InputFinder.bits(node);
    return !bits.isEmpty() && bits.nth(0) >= width;
  }

  /** Whether the build side has few of the probe side's keys. */
  private boolean isSelective(Join join, List<JoinKeys> keys) {
    double kept = 1;
    for (JoinKeys key : keys) {
      if (key.left() instanceof RexInputRef left && key.right() instanceof RexInputRef right) {
        double probe = estimator.of(join.getLeft()).columns().get(left.getIndex()).distinct();
        double build = estimator.of(join.getRight()).columns().get(right.getIndex()).distinct();
        kept = Math.min(kept, build / probe);
      }
    }
    return kept < MOST_KEPT;
  }

  private PlanNode aggregate(Aggregate aggregate) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
      throw new NotCovered("groups of several kinds");
    }
    PlanNode input = lower(aggregate.getInput());
    List<ValueType> columns = input.columns();
    List<Scalar> keys = new ArrayList<>();
    for (int key : aggregate.getGroupSet()) {
      keys.add(new Scalar.Column(key, columns.get(key)));
    }
    List<AggregateCall> calls = new ArrayList<>();
    for (var call : aggregate.getAggCallList()) {
      var function =
          Aggregates.function(call.getAggregation())
              .orElseThrow(() -> new NotCovered("the aggregate " + call.getAggregation()));
      Scalar[] arguments =
          call.getArgList().stream()
              .map(index -> new Scalar.Column(index, columns.get(index)))
              .toArray(Scalar[]::new);
      calls.add(AggregateCall.of(function, call.isDistinct(), arguments));
    }
    return new PlanNode.Aggregate(input, keys, calls, false);
  }

  private PlanNode sort(Sort sort) {
    PlanNode input = lower(sort.getInput());
    List<SortKey> keys = new ArrayList<>();
    for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
      int index = key.getFieldIndex();
      keys.add(
          new SortKey(
              new Scalar.Column(index, input.columns().get(index)),
              key.getDirection().isDescending()));
    }
    if (sort.fetch == null) {
      if (sort.offset != null) {
        throw new NotCovered("OFFSET without LIMIT");
      }
      return new PlanNode.Sort(input, keys);
    }
    Scalar count = scalars.lower(sort.fetch, List.of());
    Scalar offset = sort.offset == null ? Scalar.whole(0) : scalars.lower(sort.offset, List.of());
    return keys.isEmpty()
        ? new PlanNode.Limit(input, offset, count)
        : new PlanNode.TopN(input, keys, offset, count);
  }
}
