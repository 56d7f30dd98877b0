package io.alrai.executor.task;

import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.PlanNode.SortKey;
import io.alrai.executor.fragment.PlanNode.WindowCall;
import io.alrai.executor.fragment.Scalar;
import java.util.List;
import java.util.function.Function;

/** Puts literals where a plan has parameters and subqueries. */
final class Binding {
  private final Function<Scalar, Scalar> known;

  /** A binding with the values of parameters and subqueries. */
  Binding(Function<Scalar, Scalar> known) {
    this.known = known;
  }

  /** The whole number that a bound LIMIT has. */
  static long number(Scalar scalar) {
    if (scalar instanceof Scalar.Literal literal
        && literal.value() instanceof Constant.Whole whole
        && whole.value() >= 0) {
      return whole.value();
    }
    throw NotTaken.error("LIMIT " + scalar);
  }

  PlanNode bind(PlanNode node) {
    return switch (node) {
      case PlanNode.ColumnScan scan ->
          new PlanNode.ColumnScan(
              scan.schema(),
              scan.table(),
              scan.names(),
              scan.columns(),
              scan.predicate().map(this::bind),
              scan.blooms());
      case PlanNode.RowStoreScan scan -> scan;
      case PlanNode.Values values ->
          new PlanNode.Values(values.rows().stream().map(this::bindAll).toList(), values.columns());
      case PlanNode.Filter filter ->
          new PlanNode.Filter(bind(filter.input()), bind(filter.predicate()));
      case PlanNode.Project project ->
          new PlanNode.Project(bind(project.input()), bindAll(project.expressions()));
      case PlanNode.HashJoin join ->
          new PlanNode.HashJoin(
              join.kind(),
              bind(join.probe()),
              bind(join.build()),
              bindAll(join.probeKeys()),
              bindAll(join.buildKeys()),
              join.residual().map(this::bind),
              join.bloomSlot());
      case PlanNode.Aggregate aggregate ->
          new PlanNode.Aggregate(
              bind(aggregate.input()),
              bindAll(aggregate.keys()),
              aggregate.calls().stream().map(this::bind).toList(),
              aggregate.rollup());
      case PlanNode.Sort sort -> new PlanNode.Sort(bind(sort.input()), bindKeys(sort.keys()));
      case PlanNode.TopN top ->
          new PlanNode.TopN(
              bind(top.input()), bindKeys(top.keys()), bind(top.offset()), bind(top.count()));
      case PlanNode.Limit limit ->
          new PlanNode.Limit(bind(limit.input()), bind(limit.offset()), bind(limit.count()));
      case PlanNode.Window window ->
          new PlanNode.Window(
              bind(window.input()),
              bindAll(window.partitionBy()),
              bindKeys(window.orderBy()),
              window.calls().stream()
                  .map(call ->
                      new WindowCall(
                          call.function(), bindAll(call.arguments()), call.frame(), call.type()))
                  .toList());
      case PlanNode.SetOperation set ->
          new PlanNode.SetOperation(
              set.kind(), set.inputs().stream().map(this::bind).toList(), set.columns());
      case PlanNode.Exchange exchange ->
          new PlanNode.Exchange(bind(exchange.input()), exchange.kind(), bindAll(exchange.keys()));
    };
  }

  private AggregateCall bind(AggregateCall call) {
    return new AggregateCall(
        call.function(), bindAll(call.arguments()), call.distinct(), call.type());
  }

  private List<SortKey> bindKeys(List<SortKey> keys) {
    return keys.stream().map(key -> new SortKey(bind(key.value()), key.descending())).toList();
  }

  private List<Scalar> bindAll(List<Scalar> scalars) {
    return scalars.stream().map(this::bind).toList();
  }

  private Scalar bind(Scalar scalar) {
    return switch (scalar) {
      case Scalar.Column column -> column;
      case Scalar.Literal literal -> literal;
      case Scalar.Parameter parameter -> known.apply(parameter);
      case Scalar.SubqueryValue value -> known.apply(value);
      case Scalar.Call call ->
          new Scalar.Call(call.function(), bindAll(call.arguments()), call.type());
      case Scalar.Case choice ->
          new Scalar.Case(
              choice.branches().stream()
                  .map(branch -> new Scalar.Branch(bind(branch.condition()), bind(branch.value())))
                  .toList(),
              choice.otherwise().map(this::bind),
              choice.type());
      case Scalar.Cast cast -> new Scalar.Cast(bind(cast.argument()), cast.type());
      case Scalar.InList in ->
          new Scalar.InList(bind(in.argument()), bindAll(in.values()), in.type());
      case Scalar.Like like ->
          new Scalar.Like(bind(like.argument()), bind(like.pattern()), like.escape(), like.type());
      case Scalar.Extract extract ->
          new Scalar.Extract(extract.unit(), bind(extract.argument()), extract.type());
      case Scalar.DateAdd add ->
          new Scalar.DateAdd(bind(add.argument()), bind(add.amount()), add.unit(), add.type());
    };
  }
}
