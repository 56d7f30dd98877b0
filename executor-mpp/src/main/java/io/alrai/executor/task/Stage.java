package io.alrai.executor.task;

import io.alrai.executor.codegen.PipelineSpec;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.fragment.PlanNode.SortKey;
import io.alrai.executor.fragment.PlanNode.WindowCall;
import java.util.List;

/**
 * One pipeline of a query and what becomes of its rows. Stages run one after the other; one refers
 * to those before it.
 *
 * @param spec what its generated code does
 * @param input where its rows come from
 * @param outcome what is made of what its workers stored
 * @param single whether one worker must do it alone, because order matters or there is one group
 */
record Stage(PipelineSpec spec, Input input, Outcome outcome, boolean single) {

  /** Where rows come from. */
  sealed interface Input {
    /** A column index. */
    record Scan(PlanNode.ColumnScan scan) implements Input {}

    /** The row store. */
    record Fetched(PlanNode.RowStoreScan scan) implements Input {}

    /** What other stages stored, one after the other; none: one row of no columns. */
    record Stored(List<Integer> stages) implements Input {}
  }

  /** What is made of stored rows. */
  sealed interface Outcome {
    /** The rows stay as they are. */
    record Keep() implements Outcome {}

    /** A join's table. */
    record Build(int join, JoinKind kind) implements Outcome {}

    /** Rows in order, those between offset and offset + count only. */
    record Order(List<SortKey> keys, long offset, long count) implements Outcome {
      public Order {
        keys = List.copyOf(keys);
      }
    }

    /**
     * Rows with window functions: the last {@code calls} columns are theirs.
     *
     * @param keys first those of the partition, then those of the order
     * @param partitionKeys how many of the keys are of the partition
     * @param arguments the column of each call's argument; -1 for none
     */
    record Windows(
        List<SortKey> keys, int partitionKeys, List<WindowCall> calls, List<Integer> arguments)
        implements Outcome {
      public Windows {
        keys = List.copyOf(keys);
        calls = List.copyOf(calls);
        arguments = List.copyOf(arguments);
      }
    }
  }
}
