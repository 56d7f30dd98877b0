package io.alrai.cn.console;

import io.alrai.cn.process.ConsoleProgress;
import io.alrai.tpcc.TpccConsistency;
import io.alrai.tpcc.TpccLoader;
import io.alrai.tpcc.TpccObserver;
import io.alrai.tpcc.TpccOptions;
import io.alrai.tpcc.TpccReport;
import io.alrai.tpcc.TpccRun;
import io.alrai.tpcc.TpccSchema;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;

/** A TPC-C load, run and check as a person follows it. */
final class TpccSession {
  private final TpccOptions options;
  private final PrintStream out;
  private final ConsoleProgress progress;

  TpccSession(TpccOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
    this.progress = new ConsoleProgress(System.err);
  }

  void load() throws SQLException, InterruptedException {
    progress.step("creating the tables and loading " + options.endpoint());
    TpccSchema.of(options).recreate(options.endpoint());
    long rows =
        new TpccLoader(
                options,
                Clock.system(ZoneId.systemDefault()),
                (table, loaded, expected) -> progress.count(loaded, expected, "rows"))
            .load();
    progress.step(String.format("%,d rows loaded", rows));
  }

  TpccReport run() throws SQLException, InterruptedException {
    long all = options.run().warmUp().plus(options.run().measure()).toSeconds();
    TpccReport report =
        new TpccRun(
                options,
                new TpccObserver() {
                  @Override
                  public void second(int secondsToGo, TpccReport.Second second) {
                    progress.count(all - secondsToGo, all, "seconds");
                  }
                })
            .run();
    out.println(report.text());
    return report;
  }

  /** Whether all twelve conditions hold. */
  boolean check() throws SQLException {
    List<TpccConsistency.Result> results = TpccConsistency.of(options.endpoint()).check();
    results.forEach(result -> out.println(result.text()));
    boolean all = results.stream().allMatch(TpccConsistency.Result::holds);
    out.println(all ? "all twelve conditions hold" : "CONDITIONS VIOLATED");
    return all;
  }
}
