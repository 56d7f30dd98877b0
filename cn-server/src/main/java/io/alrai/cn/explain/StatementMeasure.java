package io.alrai.cn.explain;

import io.alrai.cn.statement.DataExecutor;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.trace.SessionTrace;
import io.alrai.cn.trace.TraceStep;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.Plan;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.optimizer.api.shape.ShapedText;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs a SELECT as its client would have it, once, and says what it took; its rows are dropped.
 * Virtual threads; thread-safe.
 */
public final class StatementMeasure {
  private final DataExecutor data;
  private final Supplier<Catalog> catalog;
  private final LongSupplier nanoTime;

  /** Measures what runs here. */
  public StatementMeasure(DataExecutor data, Supplier<Catalog> catalog, LongSupplier nanoTime) {
    this.data = data;
    this.catalog = catalog;
    this.nanoTime = nanoTime;
  }

  /**
   * Runs it; its warnings are the session's diagnostics then.
   *
   * @param run of the EXPLAIN
   * @param statement what is explained
   * @param root its last step
   */
  Measured of(
      StatementRun run, Plan.Select select, ShapedText statement, Step root, LogicalNames names) {
    if (select.gather().filter(gather -> !gather.functions().isEmpty()).isPresent()) {
      throw AlraiException.unsupported(
          "'EXPLAIN ANALYZE' of a statement whose functions the CN calls;"
              + " EXPLAIN shows its plan without running it");
    }
    Charset charset = run.session().variables().lexicalMode().charset();
    byte[] text = statement.text().getBytes(charset);
    StatementRows rows = new StatementRows(run.writer().output(), nanoTime);
    Recorded<Actual> ran =
        recorded(
            run,
            () -> {
              data.run(run.with(statement, text, run.values()).with(rows), select);
              return rows.actual();
            });
    return new Measured(ran.result(), ran.commands(), root, names, seesTexts(run));
  }

  /**
   * Does work that ends in lines.
   *
   * @return them and, if there are any, a line for each command that DNs got meanwhile
   */
  public Optional<List<String>> lines(
      StatementRun run, LogicalNames names, Supplier<Optional<List<String>>> work) {
    Recorded<Optional<List<String>>> made = recorded(run, work);
    return made.result()
        .map(lines -> {
          List<String> all = new ArrayList<>(lines);
          Measured.beside(made.commands(), names, seesTexts(run))
              .forEach((what, took) -> all.add("asked " + what + "  " + took.text()));
          return all;
        });
  }

  private record Recorded<T>(T result, List<TraceStep> commands) {}

  private <T> Recorded<T> recorded(StatementRun run, Supplier<T> work) {
    SessionTrace trace = run.session().trace();
    SessionTrace.Branches open = run.session().transaction()::eachBranch;
    List<TraceStep> commands = new ArrayList<>();
    run.shards()
        .onLoop(() -> {
          trace.measures(nanoTime, open);
          return CompletableFuture.completedFuture(true);
        });
    T result;
    try {
      result = work.get();
    } finally {
      commands.addAll(
          run.shards().onLoop(() -> CompletableFuture.completedFuture(trace.measured(open))));
    }
    return new Recorded<>(result, commands);
  }

  /** Steps have the queries of views, and what definers' routines do. */
  private boolean seesTexts(StatementRun run) {
    return run.session().user().access(catalog.get()).has(Privilege.PROCESS);
  }
}
