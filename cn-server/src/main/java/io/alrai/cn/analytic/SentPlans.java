package io.alrai.cn.analytic;

import io.alrai.cn.columnar.RemotePlans;
import io.alrai.columnar.serve.ColumnIndexes;
import io.alrai.executor.exchange.PlanRows;
import io.alrai.executor.task.Cancellation;
import io.alrai.executor.task.ResultRows;
import io.alrai.executor.timeslice.SliceScheduler;
import java.util.function.Consumer;

/** Runs plans that CNs have made over the indexes of this process. Blocking; thread-safe. */
public final class SentPlans {
  private final AnalyticResources resources;

  /** A runner whose plans share these resources. */
  public SentPlans(AnalyticResources resources) {
    this.resources = resources;
  }

  /**
   * A plan that has run to its end.
   *
   * @param rows of it
   * @param pace waits while queries have had more of the processors than they may; for the thread
   *     that reads, now and then
   */
  public record Opened(PlanRows rows, Runnable pace) {}

  /**
   * Runs a plan and passes its rows on; afterwards its memory is free.
   *
   * @param indexes that it reads
   * @param turn called, when it has its turn, with the account of its time; perhaps twice
   * @throws io.alrai.common.error.AlraiException 1317 when it was cancelled, else what it failed
   *     with
   */
  public void run(
      RemotePlans.Sent sent,
      ColumnIndexes indexes,
      Cancellation cancellation,
      Consumer<SliceScheduler.Account> turn,
      Consumer<Opened> reader) {
    resources
        .threads()
        .call(() -> {
          read(sent, indexes, cancellation, turn, reader);
          return true;
        });
  }

  private void read(
      RemotePlans.Sent sent,
      ColumnIndexes indexes,
      Cancellation cancellation,
      Consumer<SliceScheduler.Account> turn,
      Consumer<Opened> reader) {
    AnalyticResources own = resources.withQueryBytes(sent::mostBytes);
    AnalyticRun.Attempt<Running> attempt =
        (run, leastBytes) -> {
          run.enter(own, leastBytes);
          turn.accept(run.account());
          run.over(StatementTables.at(indexes, sent.at()));
          return new Running(run, run.execute(own, sent.plan()));
        };
    try (Running running = AnalyticRun.begin(cancellation, own.queryBytes(), attempt)) {
      reader.accept(new Opened(running.rows(), () -> running.run().pace(resources.threads())));
    }
  }

  private record Running(AnalyticRun run, ResultRows rows) implements AutoCloseable {
    @Override
    public void close() {
      rows.close();
      run.close();
    }
  }
}
