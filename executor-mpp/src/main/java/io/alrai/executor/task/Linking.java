package io.alrai.executor.task;

import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.JoinTable;
import io.alrai.executor.vector.Pace;
import java.util.ArrayList;
import java.util.List;

/** Puts one worker's pieces of a join's rows into their buckets. */
final class Linking implements SliceScheduler.Task {
  private final JoinTable table;
  private final Pace pace;
  private final int workers;
  private int next;

  private Linking(JoinTable table, Pace pace, int first, int workers) {
    this.table = table;
    this.pace = pace;
    this.workers = workers;
    this.next = first;
  }

  /** Links all rows of a table. */
  static void link(JoinTable table, QueryWork work) {
    List<Linking> tasks = new ArrayList<>();
    for (int i = 0; i < work.lanes(); i++) {
      tasks.add(new Linking(table, work.pace(), i, work.lanes()));
    }
    work.await(tasks);
  }

  @Override
  public SliceScheduler.Turn run(long deadlineNanos) {
    pace.begin(deadlineNanos);
    pace.check();
    while (next < table.pieces()) {
      table.link(next);
      next += workers;
      if (!pace.goesOn()) {
        return SliceScheduler.Turn.YIELDED;
      }
    }
    return SliceScheduler.Turn.DONE;
  }
}
