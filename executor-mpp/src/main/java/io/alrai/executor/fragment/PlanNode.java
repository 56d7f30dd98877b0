package io.alrai.executor.fragment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A relational operator of an analytical plan; scalars in it are over the columns of its input. A
 * tree of these is what the planner lowers to and what the executor generates code from.
 */
public sealed interface PlanNode {
  /** The types of its output columns. */
  List<ValueType> columns();

  /** What it reads. */
  List<PlanNode> inputs();

  /**
   * A column index at the query's snapshot.
   *
   * @param names of the columns that are read
   * @param predicate over these columns; rows for which it is not true are not delivered
   * @param blooms filters that joins above fill before the scan starts
   */
  record ColumnScan(
      String schema,
      String table,
      List<String> names,
      List<ValueType> columns,
      Optional<Scalar> predicate,
      List<BloomUse> blooms)
      implements PlanNode {
    public ColumnScan {
      names = List.copyOf(names);
      columns = List.copyOf(columns);
      blooms = List.copyOf(blooms);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of();
    }
  }

  /**
   * A bloom filter that drops rows of a scan.
   *
   * @param slot the number that the join which fills it has
   * @param keys columns of the scan, in the order of the join's keys
   */
  record BloomUse(int slot, List<Integer> keys) {
    public BloomUse {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Rows of the row store: SQL that runs at each place, whose result columns are {@code columns}.
   */
  record RowStoreScan(Targets targets, SqlTemplate shardSql, List<ValueType> columns)
      implements PlanNode {
    public RowStoreScan {
      columns = List.copyOf(columns);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of();
    }
  }

  /** Rows that the plan knows: literals and parameters. One row of no columns for no FROM. */
  record Values(List<List<Scalar>> rows, List<ValueType> columns) implements PlanNode {
    public Values {
      rows = rows.stream().map(List::copyOf).toList();
      columns = List.copyOf(columns);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of();
    }
  }

  /** Rows for which the predicate is true. */
  record Filter(PlanNode input, Scalar predicate) implements PlanNode {
    @Override
    public List<ValueType> columns() {
      return input.columns();
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /** New columns. */
  record Project(PlanNode input, List<Scalar> expressions) implements PlanNode {
    public Project {
      expressions = List.copyOf(expressions);
    }

    @Override
    public List<ValueType> columns() {
      return expressions.stream().map(Scalar::type).toList();
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /** What a join delivers. */
  enum JoinKind {
    /** Pairs. */
    INNER,
    /** Pairs, and probe rows without a partner beside NULLs. */
    LEFT,
    /** Only probe rows with a partner: EXISTS, IN. */
    SEMI,
    /** Probe rows without a partner: NOT EXISTS. */
    ANTI,
    /**
     * NOT IN: as ANTI, but a probe row whose key is NULL is delivered only when the build side is
     * empty, and a NULL key on the build side drops all. One key, no residual.
     */
    NULL_AWARE_ANTI
  }

  /**
   * A hash join; without keys a cross join, which must be INNER, SEMI, ANTI or LEFT too.
   *
   * @param probe streams through; its columns come first
   * @param build is held in a hash table
   * @param probeKeys over the probe side, each compared for equality with the build key of the same
   *     position; both of one kind, decimals of one scale, strings of one collation
   * @param residual over probe columns, then build columns; pairs for which it is not true are none
   * @param bloomSlot where present, the build keys fill this filter before scans of the probe side
   *     start
   */
  record HashJoin(
      JoinKind kind,
      PlanNode probe,
      PlanNode build,
      List<Scalar> probeKeys,
      List<Scalar> buildKeys,
      Optional<Scalar> residual,
      OptionalInt bloomSlot)
      implements PlanNode {
    public HashJoin {
      probeKeys = List.copyOf(probeKeys);
      buildKeys = List.copyOf(buildKeys);
      if (probeKeys.size() != buildKeys.size()) {
        throw new IllegalArgumentException("keys of different number");
      }
    }

    @Override
    public List<ValueType> columns() {
      List<ValueType> all = new ArrayList<>(probe.columns());
      switch (kind) {
        case INNER -> all.addAll(build.columns());
        case LEFT -> build.columns().forEach(type -> all.add(type.withNullable(true)));
        case SEMI, ANTI, NULL_AWARE_ANTI -> {}
      }
      return List.copyOf(all);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(probe, build);
    }
  }

  /**
   * Groups; its columns are the keys, then the calls. One row over all without keys.
   *
   * @param rollup WITH ROLLUP: also the groups of each shorter list of keys, whose missing keys are
   *     NULL; the last column is then the number of keys that are missing
   */
  record Aggregate(PlanNode input, List<Scalar> keys, List<AggregateCall> calls, boolean rollup)
      implements PlanNode {
    public Aggregate {
      keys = List.copyOf(keys);
      calls = List.copyOf(calls);
    }

    @Override
    public List<ValueType> columns() {
      List<ValueType> all = new ArrayList<>();
      keys.forEach(key -> all.add(rollup ? key.type().withNullable(true) : key.type()));
      calls.forEach(call -> all.add(call.type()));
      if (rollup) {
        all.add(ValueType.whole(2, false));
      }
      return List.copyOf(all);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /**
   * One aggregate.
   *
   * @param arguments none for COUNT(*); several only for COUNT(DISTINCT a, b)
   */
  record AggregateCall(
      AggregateFunction function, List<Scalar> arguments, boolean distinct, ValueType type) {
    public AggregateCall {
      arguments = List.copyOf(arguments);
    }

    /** With the type that MySQL gives it; AVG has all digits that MySQL computes. */
    public static AggregateCall of(
        AggregateFunction function, boolean distinct, Scalar... arguments) {
      List<Scalar> all = List.of(arguments);
      ValueType type = ResultTypes.of(function, all.stream().map(Scalar::type).toList());
      boolean average = function == AggregateFunction.AVG && type.kind() == ValueKind.DECIMAL;
      return new AggregateCall(
          function, all, distinct, average ? ResultTypes.ofAverage(all.getFirst().type()) : type);
    }
  }

  /** A sort key; NULLs come first ascending, last descending. */
  record SortKey(Scalar value, boolean descending) {}

  /** All rows in order. */
  record Sort(PlanNode input, List<SortKey> keys) implements PlanNode {
    public Sort {
      keys = List.copyOf(keys);
    }

    @Override
    public List<ValueType> columns() {
      return input.columns();
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /** The first rows in order: ORDER BY with LIMIT. Numbers are literals or parameters. */
  record TopN(PlanNode input, List<SortKey> keys, Scalar offset, Scalar count) implements PlanNode {
    public TopN {
      keys = List.copyOf(keys);
    }

    @Override
    public List<ValueType> columns() {
      return input.columns();
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /** Some rows, up to a number: LIMIT. Keeps the order of a sorted input. */
  record Limit(PlanNode input, Scalar offset, Scalar count) implements PlanNode {
    @Override
    public List<ValueType> columns() {
      return input.columns();
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /**
   * Window functions over one partitioning and order; the input's columns, then the calls.
   *
   * @param partitionBy rows with equal values form a partition
   */
  record Window(
      PlanNode input, List<Scalar> partitionBy, List<SortKey> orderBy, List<WindowCall> calls)
      implements PlanNode {
    public Window {
      partitionBy = List.copyOf(partitionBy);
      orderBy = List.copyOf(orderBy);
      calls = List.copyOf(calls);
    }

    @Override
    public List<ValueType> columns() {
      List<ValueType> all = new ArrayList<>(input.columns());
      calls.forEach(call -> all.add(call.type()));
      return List.copyOf(all);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /** One window function. */
  record WindowCall(
      WindowFunction function, List<Scalar> arguments, WindowFrame frame, ValueType type) {
    public WindowCall {
      arguments = List.copyOf(arguments);
    }
  }

  /** How rows of several inputs are combined. */
  enum SetKind {
    UNION_ALL,
    UNION,
    INTERSECT,
    INTERSECT_ALL,
    EXCEPT,
    EXCEPT_ALL
  }

  /** A set operation over inputs whose columns have the same kinds, scales and collations. */
  record SetOperation(SetKind kind, List<PlanNode> inputs, List<ValueType> columns)
      implements PlanNode {
    public SetOperation {
      inputs = List.copyOf(inputs);
      columns = List.copyOf(columns);
    }
  }

  /** How rows move between the tasks of a query. */
  enum ExchangeKind {
    /** By the hash of the keys. */
    HASH,
    /** Each row to every task. */
    BROADCAST,
    /** All rows to one task. */
    GATHER
  }

  /** The border between two fragments; inside one process rows pass by reference. */
  record Exchange(PlanNode input, ExchangeKind kind, List<Scalar> keys) implements PlanNode {
    public Exchange {
      keys = List.copyOf(keys);
    }

    @Override
    public List<ValueType> columns() {
      return input.columns();
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }
}
