package io.alrai.executor.task;

import io.alrai.executor.spill.RowMerge;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.Pace;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Passes the rows of several runs on in order, those between offset and offset + count only. */
final class RunMerging implements SliceScheduler.Task {
  private static final int ROWS_BETWEEN_LOOKS = 1024;

  private final Supplier<RowMerge> runs;
  private final Pace pace;
  private final LongConsumer rows;
  private long skip;
  private long left;
  private Optional<RowMerge> merge = Optional.empty();

  /**
   * A merge.
   *
   * @param runs opened with the first slice, as it reads from disk
   * @param rows takes the address of each row
   */
  RunMerging(Supplier<RowMerge> runs, Pace pace, long offset, long count, LongConsumer rows) {
    this.runs = runs;
    this.pace = pace;
    this.skip = offset;
    this.left = count;
    this.rows = rows;
  }

  @Override
  public SliceScheduler.Turn run(long deadlineNanos) {
    pace.begin(deadlineNanos);
    pace.check();
    RowMerge from = merge.orElseGet(runs);
    merge = Optional.of(from);
    while (left > 0) {
      for (int i = 0; i < ROWS_BETWEEN_LOOKS && left > 0; i++) {
        if (!from.advance()) {
          return SliceScheduler.Turn.DONE;
        }
        if (skip > 0) {
          skip--;
        } else {
          left--;
          rows.accept(from.row());
        }
      }
      if (!pace.goesOn()) {
        return SliceScheduler.Turn.YIELDED;
      }
    }
    return SliceScheduler.Turn.DONE;
  }
}
