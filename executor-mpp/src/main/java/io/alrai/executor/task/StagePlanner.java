package io.alrai.executor.task;

import io.alrai.executor.codegen.PipelineSpec;
import io.alrai.executor.codegen.PipelineSpec.Sink;
import io.alrai.executor.codegen.PipelineSpec.Source;
import io.alrai.executor.codegen.PipelineSpec.Step;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.fragment.PlanNode.SortKey;
import io.alrai.executor.fragment.ResultTypes;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Cuts a plan into stages: a pipeline ends where all rows must be there before the next can begin.
 * Plain computation; any thread.
 */
final class StagePlanner {
  private final List<Stage> stages = new ArrayList<>();
  private final Map<Integer, KeyFilter> filters = new HashMap<>();
  private Map<Integer, KeyFilter> worthwhile = Map.of();
  private int joins;

  /**
   * A join's table as a filter at a scan far below.
   *
   * @param probe looks for a partner
   * @param keys what it is given, by type
   */
  private record KeyFilter(Step.Probe probe, List<ValueType> keys) {
    /** The step over columns of a scan, or none where these are of other types. */
    Optional<Step> over(List<Integer> columns, List<ValueType> types) {
      List<Scalar> values = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        ValueType type = types.get(columns.get(i));
        if (!type.withNullable(true).equals(keys.get(i).withNullable(true))) {
          return Optional.empty();
        }
        values.add(new Scalar.Column(columns.get(i), type));
      }
      return Optional.of(new Step.KeyFilter(probe.semi(values)));
    }
  }

  /** A pipeline whose end is still open. */
  private record Open(
      Source source, Stage.Input input, List<Step> steps, List<ValueType> types, boolean ordered) {
    Open with(Step step, List<ValueType> newTypes) {
      List<Step> all = new ArrayList<>(steps);
      all.add(step);
      return new Open(source, input, all, newTypes, ordered);
    }
  }

  /** The stages of a plan; the last one's rows are the result. */
  static List<Stage> plan(PlanNode root) {
    StagePlanner planner = new StagePlanner();
    planner.keep(planner.open(root));
    return List.copyOf(planner.stages);
  }

  private Open open(PlanNode node) {
    return switch (node) {
      case PlanNode.ColumnScan scan -> scan(scan);
      case PlanNode.RowStoreScan scan ->
          new Open(
              new Source.Rows(scan.columns(), false),
              new Stage.Input.Fetched(scan),
              List.of(),
              scan.columns(),
              false);
      case PlanNode.Values values -> values(values);
      case PlanNode.Filter filter -> {
        Open open = open(filter.input());
        yield open.with(new Step.Filter(filter.predicate()), open.types());
      }
      case PlanNode.Project project ->
          open(project.input()).with(new Step.Project(project.expressions()), project.columns());
      case PlanNode.HashJoin join -> join(join);
      case PlanNode.Aggregate aggregate -> aggregate(aggregate);
      case PlanNode.Sort sort -> ordered(open(sort.input()), sort.keys(), 0, Long.MAX_VALUE);
      case PlanNode.TopN top ->
          ordered(
              open(top.input()),
              top.keys(),
              Binding.number(top.offset()),
              Binding.number(top.count()));
      case PlanNode.Limit limit ->
          ordered(
              open(limit.input()),
              List.of(),
              Binding.number(limit.offset()),
              Binding.number(limit.count()));
      case PlanNode.Window window -> window(window);
      case PlanNode.SetOperation set -> set(set);
      case PlanNode.Exchange exchange -> open(exchange.input());
    };
  }

  private Open scan(PlanNode.ColumnScan scan) {
    Open open =
        new Open(
            new Source.Batches(scan.columns()),
            new Stage.Input.Scan(scan),
            List.of(),
            scan.columns(),
            false);
    if (scan.predicate().isPresent()) {
      open = open.with(new Step.Filter(scan.predicate().get()), open.types());
    }
    for (PlanNode.BloomUse use : scan.blooms()) {
      KeyFilter filter = worthwhile.get(use.slot());
      if (filter != null) {
        Optional<Step> step = filter.over(use.keys(), scan.columns());
        if (step.isPresent()) {
          open = open.with(step.get(), open.types());
        }
      }
    }
    return open;
  }

  private int close(Open open, Sink sink, Stage.Outcome outcome, boolean single) {
    PipelineSpec spec = new PipelineSpec(open.source(), open.steps(), sink);
    stages.add(new Stage(spec, open.input(), outcome, single || open.ordered()));
    return stages.size() - 1;
  }

  private int keep(Open open) {
    return close(open, all(open.types()), new Stage.Outcome.Keep(), false);
  }

  private static Sink all(List<ValueType> types) {
    return new Sink.Rows(columns(types), types, List.of());
  }

  private static List<Scalar> columns(List<ValueType> types) {
    List<Scalar> all = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      all.add(new Scalar.Column(i, types.get(i)));
    }
    return all;
  }

  private static Open stored(List<Integer> from, List<ValueType> types, boolean parted) {
    return new Open(
        new Source.Rows(types, parted), new Stage.Input.Stored(from), List.of(), types, false);
  }

  private Open values(PlanNode.Values values) {
    List<Integer> parts = new ArrayList<>();
    for (List<Scalar> row : values.rows()) {
      List<Scalar> converted = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        converted.add(new Scalar.Cast(row.get(i), values.columns().get(i)));
      }
      Open one =
          stored(List.of(), List.of(), false).with(new Step.Project(converted), values.columns());
      if (values.rows().size() == 1) {
        return one;
      }
      parts.add(keep(one));
    }
    if (parts.isEmpty()) {
      Open none = stored(List.of(), List.of(), false);
      List<Scalar> nulls = new ArrayList<>();
      values.columns().forEach(type -> nulls.add(Scalar.nothing(type)));
      return none.with(new Step.Filter(Scalar.whole(0)), List.of())
          .with(new Step.Project(nulls), values.columns());
    }
    return stored(parts, values.columns(), false);
  }

  private Open join(PlanNode.HashJoin join) {
    boolean outer = join.kind() == JoinKind.LEFT;
    Open build = open(join.build());
    List<Scalar> values = new ArrayList<>(columns(build.types()));
    List<ValueType> types = new ArrayList<>();
    build.types().forEach(type -> types.add(outer ? type.withNullable(true) : type));
    List<Scalar> probeKeys = new ArrayList<>();
    List<Integer> keyColumns = new ArrayList<>();
    for (int i = 0; i < join.buildKeys().size(); i++) {
      Scalar buildKey = join.buildKeys().get(i);
      Scalar probeKey = join.probeKeys().get(i);
      ValueType type = ResultTypes.common(List.of(buildKey.type(), probeKey.type()));
      probeKeys.add(probeKey);
      if (buildKey instanceof Scalar.Column column
          && type.withNullable(true).equals(types.get(column.index()).withNullable(true))) {
        keyColumns.add(column.index());
      } else {
        keyColumns.add(values.size());
        values.add(buildKey);
        types.add(type.withNullable(outer || buildKey.type().nullable()));
      }
    }
    int number = joins++;
    int visible = build.types().size();
    close(
        build,
        new Sink.Rows(values, types, keyColumns),
        new Stage.Outcome.Build(number, join.kind()),
        false);
    Step.Probe step =
        new Step.Probe(
            number, join.kind(), probeKeys, types, visible, keyColumns, join.residual(), false);
    List<ValueType> keys = probeKeys.stream().map(Scalar::type).toList();
    join.bloomSlot().ifPresent(slot -> filters.put(slot, new KeyFilter(step, keys)));
    return open(join.probe()).with(step, join.columns());
  }

  private Open aggregate(PlanNode.Aggregate aggregate) {
    Aggregation parts = Aggregation.of(aggregate);
    Map<Integer, KeyFilter> outside = worthwhile;
    worthwhile = Map.copyOf(filters); // a join in the same pipeline looks soon enough
    Open open = open(aggregate.input());
    worthwhile = outside;
    if (parts.inner().isPresent()) {
      Aggregation.Level inner = parts.inner().get();
      open = grouped(open, inner.keys(), inner.calls());
    }
    if (!aggregate.rollup()) {
      return grouped(open, parts.outer().keys(), parts.outer().calls())
          .with(new Step.Project(parts.results()), aggregate.columns());
    }
    return rollup(aggregate, parts, open);
  }

  /** Each worker groups what it sees, then each merges the groups whose hashes are its own. */
  private Open grouped(Open input, List<Scalar> keys, List<AggregateCall> calls) {
    Sink.Groups sink = new Sink.Groups(keys, calls);
    int partial = close(input, sink, new Stage.Outcome.Keep(), false);
    return merged(List.of(partial), sink.types(), keys.size(), calls);
  }

  private Open merged(
      List<Integer> partial, List<ValueType> types, int keys, List<AggregateCall> calls) {
    List<Scalar> all = columns(types);
    List<AggregateCall> merging = new ArrayList<>();
    int offset = types.size() - calls.size();
    for (int i = 0; i < calls.size(); i++) {
      merging.add(Aggregation.merging(calls.get(i), all.get(offset + i)));
    }
    boolean parted = keys == offset && keys > 0;
    Sink.Groups sink = new Sink.Groups(all.subList(0, keys), merging);
    int stage = close(stored(partial, types, parted), sink, new Stage.Outcome.Keep(), !parted);
    return stored(List.of(stage), sink.types(), false);
  }

  /** Groups of all keys, then those of each shorter list made from these. */
  private Open rollup(PlanNode.Aggregate aggregate, Aggregation parts, Open input) {
    List<Scalar> keys = parts.outer().keys();
    List<AggregateCall> calls = parts.outer().calls();
    if (parts.inner().isPresent()) {
      throw NotTaken.error("DISTINCT aggregates WITH ROLLUP");
    }
    Sink.Groups finest = new Sink.Groups(keys, calls);
    int partial = close(input, finest, new Stage.Outcome.Keep(), false);
    List<Integer> levels = new ArrayList<>();
    for (int kept = keys.size(); kept >= 0; kept--) {
      Open level = merged(List.of(partial), finest.types(), kept, calls);
      List<Scalar> padded = new ArrayList<>(columns(level.types()).subList(0, kept));
      for (int i = kept; i < keys.size(); i++) {
        padded.add(Scalar.nothing(keys.get(i).type()));
      }
      padded.addAll(columns(level.types()).subList(kept, level.types().size()));
      List<ValueType> types = padded.stream().map(Scalar::type).toList();
      List<Scalar> results = new ArrayList<>(parts.results());
      results.add(Scalar.whole(keys.size() - kept));
      Open finished =
          level
              .with(new Step.Project(padded), types)
              .with(new Step.Project(results), aggregate.columns());
      levels.add(keep(finished));
    }
    return stored(levels, aggregate.columns(), false);
  }

  private Open ordered(Open input, List<SortKey> keys, long offset, long count) {
    List<Scalar> values = new ArrayList<>(columns(input.types()));
    List<SortKey> stored = withKeys(keys, values);
    List<ValueType> types = values.stream().map(Scalar::type).toList();
    boolean single = keys.isEmpty() && input.ordered();
    int stage =
        close(
            input,
            new Sink.Rows(values, types, List.of()),
            new Stage.Outcome.Order(stored, offset, count),
            single);
    Open open = stored(List.of(stage), types, false);
    Open result = new Open(open.source(), open.input(), List.of(), types, true);
    return types.size() == input.types().size()
        ? result
        : result.with(
            new Step.Project(columns(types).subList(0, input.types().size())), input.types());
  }

  /** Adds what keys compute to the values; the keys that come back are columns of them. */
  private static List<SortKey> withKeys(List<SortKey> keys, List<Scalar> values) {
    List<SortKey> stored = new ArrayList<>();
    for (SortKey key : keys) {
      int column = values.indexOf(key.value());
      if (column < 0) {
        column = values.size();
        values.add(key.value());
      }
      stored.add(new SortKey(new Scalar.Column(column, key.value().type()), key.descending()));
    }
    return stored;
  }

  private Open window(PlanNode.Window window) {
    Open input = open(window.input());
    List<Scalar> values = new ArrayList<>(columns(input.types()));
    List<SortKey> keys = new ArrayList<>();
    window.partitionBy().forEach(key -> keys.add(new SortKey(key, false)));
    keys.addAll(window.orderBy());
    List<SortKey> stored = withKeys(keys, values);
    List<Integer> arguments = new ArrayList<>();
    for (PlanNode.WindowCall call : window.calls()) {
      int column = -1;
      if (!call.arguments().isEmpty()) {
        column = values.size();
        values.add(call.arguments().getFirst());
      }
      arguments.add(column);
    }
    int first = values.size();
    window.calls().forEach(call -> values.add(Scalar.nothing(call.type())));
    List<ValueType> types = values.stream().map(Scalar::type).toList();
    int stage =
        close(
            input,
            new Sink.Rows(values, types, List.of()),
            new Stage.Outcome.Windows(
                stored, window.partitionBy().size(), window.calls(), arguments),
            false);
    List<Scalar> visible = new ArrayList<>(columns(types).subList(0, input.types().size()));
    visible.addAll(columns(types).subList(first, types.size()));
    return stored(List.of(stage), types, false).with(new Step.Project(visible), window.columns());
  }

  private Open set(PlanNode.SetOperation set) {
    boolean tagged =
        switch (set.kind()) {
          case UNION_ALL, UNION -> false;
          case INTERSECT, EXCEPT -> true;
          case INTERSECT_ALL, EXCEPT_ALL -> throw NotTaken.error(set.kind().name());
        };
    List<Integer> parts = new ArrayList<>();
    int width = set.columns().size();
    for (int i = 0; i < set.inputs().size(); i++) {
      Open open = open(set.inputs().get(i));
      List<Scalar> values = new ArrayList<>();
      for (int c = 0; c < width; c++) {
        values.add(
            new Scalar.Cast(new Scalar.Column(c, open.types().get(c)), set.columns().get(c)));
      }
      for (int j = 0; tagged && j < set.inputs().size(); j++) {
        values.add(Scalar.whole(i == j ? 1 : 0));
      }
      List<ValueType> types = values.stream().map(Scalar::type).toList();
      parts.add(keep(open.with(new Step.Project(values), types)));
    }
    List<ValueType> types = new ArrayList<>(set.columns());
    for (int j = 0; tagged && j < set.inputs().size(); j++) {
      types.add(Scalar.whole(1).type());
    }
    Open union = stored(parts, types, false);
    if (set.kind() == PlanNode.SetKind.UNION_ALL) {
      return union;
    }
    return SetFilter.filtered(
        set,
        grouped(union, columns(types).subList(0, width), SetFilter.marks(types, width)),
        (open, predicate) -> open.with(new Step.Filter(predicate), open.types()),
        open ->
            open.with(new Step.Project(columns(open.types()).subList(0, width)), set.columns()));
  }
}
