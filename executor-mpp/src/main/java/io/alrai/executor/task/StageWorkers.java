package io.alrai.executor.task;

import io.alrai.executor.codegen.PipelineSpec.Sink;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.vector.GroupTable;
import io.alrai.executor.vector.JoinTable;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.LaneRows;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The workers of one stage of a query that spills: each gathers rows up to its share, then a sink
 * takes them. Belongs to the query's own thread.
 */
final class StageWorkers implements AutoCloseable {
  private final RowLayout layout;
  private final List<Lane> lanes = new ArrayList<>();
  private final QueryMemory stored;
  private final QueryMemory scratch;

  /**
   * The workers of a stage.
   *
   * @param joins the tables of the query's joins
   * @param most what each may gather
   */
  StageWorkers(
      Stage stage,
      QueryWork work,
      SpillShares shares,
      List<JoinTable> joins,
      long most,
      int workers,
      SpillSink sink) {
    this.layout = new RowLayout(stage.spec().sink().types());
    this.stored = work.memory().part();
    this.scratch = work.memory().part();
    for (int i = 0; i < workers; i++) {
      int worker = i;
      RowChunks.Overflow overflow = rows -> sink.take(worker, rows);
      long dictionaries = shares.dictionaries(workers);
      LaneRows rows =
          stage.spec().sink() instanceof Sink.Groups
              ? LaneRows.of(new GroupTable(layout, stored, most, overflow), dictionaries)
              : LaneRows.of(new RowChunks(layout, stored, most, overflow), dictionaries);
      lanes.add(new Lane(scratch, joins, rows, work.pace(), i, workers));
    }
  }

  RowLayout layout() {
    return layout;
  }

  List<Lane> lanes() {
    return lanes;
  }

  /** Memory that is free when the stage has ended. */
  QueryMemory scratch() {
    return scratch;
  }

  /** Where the rows lie. */
  QueryMemory stored() {
    return stored;
  }

  /** Bytes of the rows that are in memory. */
  long storedBytes() {
    return lanes.stream().mapToLong(lane -> lane.rows().rows()).sum() * layout.size();
  }

  /** Has the sink take what is left: a step for each worker. */
  List<Runnable> spilling(SpillSink sink) {
    List<Runnable> steps = new ArrayList<>();
    for (int i = 0; i < lanes.size(); i++) {
      int worker = i;
      RowChunks rows = lanes.get(i).rows();
      steps.add(() -> {
        sink.take(worker, rows.chunks());
        rows.restart();
      });
    }
    return steps;
  }

  /** Frees rows and all. */
  @Override
  public void close() {
    scratch.close();
    stored.close();
  }
}
