package io.alrai.cn.console;

import io.alrai.cn.process.ConsoleProgress;
import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.tpch.TpchAnswers;
import io.alrai.tpch.TpchLoader;
import io.alrai.tpch.TpchOptions;
import io.alrai.tpch.TpchReference;
import io.alrai.tpch.TpchReport;
import io.alrai.tpch.TpchRun;
import io.alrai.tpch.TpchSchema;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * The analytical half of the demo: TPC-H out of column indexes, in rounds on a thread of its own.
 */
final class DemoAnalytics {
  /** The one of which all answers are known. */
  private static final double SCALE = 0.01;

  private final TpchOptions options;
  private final PrintStream out;
  private final ConsoleProgress progress;
  private final List<String> wrong = new ArrayList<>();
  private volatile boolean stopping;

  DemoAnalytics(String server, ConsoleProgress progress, PrintStream out) {
    this.options =
        TpchOptions.of(MysqlEndpoint.parse(server + "/tpch", "tpch"))
            .withScaleFactor(SCALE)
            .withRounds(1);
    this.progress = progress;
    this.out = out;
  }

  /** Loads the tables and makes their indexes. */
  void load() throws SQLException, InterruptedException {
    progress.step("loading TPC-H and making column indexes");
    TpchSchema schema = TpchSchema.of(options);
    schema.recreate(options.endpoint());
    new TpchLoader(options, (table, loaded, expected) -> progress.count(loaded, expected, "rows"))
        .load();
    try (Connection connection = options.endpoint().connect()) {
      schema.indexColumns(connection);
    }
  }

  /** Begins to ask; the future completes with all rounds after {@link #stop}, two at least. */
  CompletableFuture<List<TpchReport>> start() {
    CompletableFuture<List<TpchReport>> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .name("tpch")
        .daemon()
        .start(() -> {
          try {
            List<TpchReport> rounds = new ArrayList<>();
            while (!stopping || rounds.size() < 2) {
              rounds.add(round());
            }
            done.complete(rounds);
          } catch (SQLException | RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  private TpchReport round() throws SQLException {
    return new TpchRun(
            options,
            (round, query, rows, took) ->
                TpchAnswers.compareWithReference(
                        query, rows, TpchReference.answer(query, SCALE).orElseThrow())
                    .ifPresent(difference -> wrong.add(query.name() + ": " + difference)))
        .run();
  }

  /** The round at work is the last. */
  void stop() {
    stopping = true;
  }

  /**
   * Prints what came of it.
   *
   * @return whether every query was answered, and right
   */
  boolean report(List<TpchReport> rounds) {
    long errors = rounds.stream().mapToLong(TpchReport::errors).sum();
    out.print(TpchRounds.text(rounds));
    wrong.forEach(out::println);
    out.printf(
        Locale.ROOT,
        "TPC-H: %d rounds of 22 queries; %d errors, %d wrong answers%n",
        rounds.size(),
        errors,
        wrong.size());
    return errors == 0 && wrong.isEmpty();
  }
}
