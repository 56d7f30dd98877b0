package io.alrai.executor.codegen;

import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one pipeline does with each row of its source. A plain value: equal specifications share
 * their generated classes, whatever query they belong to.
 *
 * @param source where rows come from
 * @param steps in order
 * @param sink where rows go
 */
public record PipelineSpec(Source source, List<Step> steps, Sink sink) {
  public PipelineSpec {
    steps = List.copyOf(steps);
  }

  /** Where rows come from. */
  public sealed interface Source {
    /** The columns' types. */
    List<ValueType> types();

    /** Batches of a column index. */
    record Batches(List<ValueType> types) implements Source {
      public Batches {
        types = List.copyOf(types);
      }
    }

    /**
     * Rows of an earlier pipeline, laid out for these types.
     *
     * @param parted whether a worker takes the rows only whose hashes are its own
     */
    record Rows(List<ValueType> types, boolean parted) implements Source {
      public Rows {
        types = List.copyOf(types);
      }
    }
  }

  /** What happens to a row between source and sink. */
  public sealed interface Step {
    /** Drops rows. */
    record Filter(Scalar predicate) implements Step {}

    /** New columns. */
    record Project(List<Scalar> expressions) implements Step {
      public Project {
        expressions = List.copyOf(expressions);
      }
    }

    /**
     * Looks for partners in a join's table.
     *
     * @param join its number in the query
     * @param keys of the probe side, of the types of the key columns
     * @param buildTypes of the table's rows
     * @param visible how many of the first of these are columns of the join
     * @param keyColumns where the keys are in the table's rows
     * @param residual over the probe's columns, then the visible ones
     * @param sliced whether the table has a slice of its rows at a time: a row whose partners are
     *     in another slice is dropped
     */
    record Probe(
        int join,
        JoinKind kind,
        List<Scalar> keys,
        List<ValueType> buildTypes,
        int visible,
        List<Integer> keyColumns,
        Optional<Scalar> residual,
        boolean sliced)
        implements Step {
      public Probe {
        keys = List.copyOf(keys);
        buildTypes = List.copyOf(buildTypes);
        keyColumns = List.copyOf(keyColumns);
      }

      /** Asks only whether there is a partner. */
      public Probe semi(List<Scalar> otherKeys) {
        return new Probe(
            join,
            JoinKind.SEMI,
            otherKeys,
            buildTypes,
            visible,
            keyColumns,
            Optional.empty(),
            false);
      }

      /** A copy that probes one slice at a time. */
      public Probe bySlices() {
        return new Probe(join, kind, keys, buildTypes, visible, keyColumns, residual, true);
      }
    }

    /**
     * Drops rows that a join further on would drop for want of a partner: it spares work, and may
     * be left out.
     *
     * @param probe of kind SEMI
     */
    record KeyFilter(Probe probe) implements Step {}
  }

  /** Where rows go. */
  public sealed interface Sink {
    /** The columns of the rows that come out. */
    List<ValueType> types();

    /**
     * Rows, stored.
     *
     * @param values what a row holds
     * @param types of it
     * @param keys which of the values make the row's hash; rows with a NULL among them are left out
     */
    record Rows(List<Scalar> values, List<ValueType> types, List<Integer> keys) implements Sink {
      public Rows {
        values = List.copyOf(values);
        types = List.copyOf(types);
        keys = List.copyOf(keys);
      }
    }

    /** Groups: keys, then the states of the calls, which are their results too. */
    record Groups(List<Scalar> keys, List<AggregateCall> calls) implements Sink {
      public Groups {
        keys = List.copyOf(keys);
        calls = List.copyOf(calls);
      }

      @Override
      public List<ValueType> types() {
        List<ValueType> all = new ArrayList<>();
        keys.forEach(key -> all.add(key.type()));
        calls.forEach(call -> all.add(call.type()));
        return List.copyOf(all);
      }
    }
  }
}
