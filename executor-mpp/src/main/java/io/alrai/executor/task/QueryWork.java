package io.alrai.executor.task;

import io.alrai.columnar.scan.TableScan;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.source.RowStore;
import io.alrai.executor.timeslice.SliceScheduler;
import io.alrai.executor.vector.Pace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * What the stages of one query work with, and how their tasks are run. Belongs to the query's own
 * thread.
 *
 * @param executor has the pipelines
 * @param scans opens the scans of a column index
 * @param shards where other rows are
 * @param memory of the query
 * @param cancellation is cancelled when one of its tasks fails
 * @param account what the time of its tasks goes to
 */
record QueryWork(
    AnalyticExecutor executor,
    Function<PlanNode.ColumnScan, List<TableScan>> scans,
    RowStore shards,
    QueryMemory memory,
    Cancellation cancellation,
    SliceScheduler.Account account) {

  /** How many tasks are worth while. */
  int lanes() {
    return executor.scheduler().lanes();
  }

  /** A worker's pace. */
  Pace pace() {
    return executor.pace(cancellation);
  }

  /**
   * Runs tasks beside each other and waits for all of them.
   *
   * @throws RuntimeException what the first of them failed with; the others are cancelled then
   */
  void await(List<? extends SliceScheduler.Task> tasks) {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (SliceScheduler.Task task : tasks) {
      ends.add(
          executor
              .scheduler()
              .submit(account, task)
              .whenComplete((none, failure) -> {
                if (failure != null) {
                  cancellation.cancel();
                }
              }));
    }
    List<RuntimeException> failures = new ArrayList<>();
    for (CompletableFuture<Void> end : ends) {
      try {
        end.join();
      } catch (CompletionException e) {
        failures.add(AlraiException.causeOf(e));
      }
    }
    if (!failures.isEmpty()) {
      throw failures.stream()
          .filter(failure -> !isInterruption(failure))
          .findFirst()
          .orElse(failures.getFirst());
    }
  }

  private static boolean isInterruption(RuntimeException failure) {
    return failure instanceof AlraiException known && known.is(ErrorCode.ER_QUERY_INTERRUPTED);
  }

  /**
   * Does work that cannot yield: its time is counted, and it does not run on the query's own
   * thread.
   */
  void inOneTask(Runnable work) {
    inSteps(List.of(work));
  }

  /** Does several things in one task, which yields between them. */
  void inSteps(List<Runnable> steps) {
    Queue<Runnable> left = new ArrayDeque<>(steps);
    Pace pace = pace();
    await(
        List.of(deadline -> {
          pace.begin(deadline);
          pace.check();
          while (!left.isEmpty()) {
            left.remove().run();
            if (!pace.goesOn()) {
              return SliceScheduler.Turn.YIELDED;
            }
          }
          return SliceScheduler.Turn.DONE;
        }));
  }
}
