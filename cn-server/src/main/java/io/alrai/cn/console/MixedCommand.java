package io.alrai.cn.console;

import io.alrai.cn.process.ConsoleProgress;
import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.tpcc.TpccObserver;
import io.alrai.tpcc.TpccOptions;
import io.alrai.tpcc.TpccReport;
import io.alrai.tpcc.TpccRun;
import io.alrai.tpch.TpchLoader;
import io.alrai.tpch.TpchOptions;
import io.alrai.tpch.TpchRun;
import io.alrai.tpch.TpchSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code alrai bench mixed}: what TPC-H out of column indexes costs TPC-C. */
@Command(
    name = "mixed",
    mixinStandardHelpOptions = true,
    description =
        "TPC-C in one run, in turns alone and beside rounds of TPC-H: with isolation off, with"
            + " isolation on, and held to half a processor. Prints name, value, unit, baseline,"
            + " ratio; the baseline is TPC-C alone before and behind.")
final class MixedCommand implements Callable<Integer> {
  @Option(
      names = "--url",
      defaultValue = BenchCommand.DEFAULT_SERVER,
      description = "Alrai, without a schema.")
  private String url = BenchCommand.DEFAULT_SERVER;

  @Option(names = "--warehouses", defaultValue = "2", description = "Scale of TPC-C.")
  private int warehouses = 2;

  @Option(names = "--terminals", defaultValue = "8", description = "Connections of TPC-C.")
  private int terminals = 8;

  @Option(names = "--partitions", defaultValue = "2", description = "Of the tables of TPC-C.")
  private int partitions = 2;

  @Option(names = "--scale", defaultValue = "0.1", description = "Scale factor of TPC-H.")
  private double scale = 0.1;

  @Option(names = "--phase-seconds", defaultValue = "20", description = "Of each of 7 phases.")
  private int phaseSeconds = 20;

  @Option(names = "--warm-up", defaultValue = "40", description = "Seconds of TPC-C before them.")
  private int warmUp = 40;

  @Option(
      names = "--rounds",
      defaultValue = "4",
      description = "Rounds of TPC-H before, so that its code is compiled.")
  private int rounds = 4;

  @Option(names = "--load", description = "Recreate and load all tables first.")
  private boolean load;

  private final ConsoleProgress progress = new ConsoleProgress(System.err);
  private final List<String> errors = new ArrayList<>();
  private Optional<AnalyticLoad> analytics = Optional.empty();

  /** Replaced before the command runs. */
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws SQLException, InterruptedException {
    MixedPhases phases = phases();
    TpccOptions tpcc =
        TpccOptions.of(MysqlEndpoint.parse(url + "tpcc", "tpcc"))
            .withWarehouses(warehouses)
            .withTerminals(terminals)
            .withPartitions(partitions);
    TpchOptions tpch =
        TpchOptions.of(MysqlEndpoint.parse(url + "tpch", "tpch")).withScaleFactor(scale);
    if (load) {
      new TpccSession(tpcc, System.err).load();
      loadTpch(tpch);
    }
    if (rounds > 0) {
      progress.step("warming TPC-H up");
      new TpchRun(tpch.withRounds(rounds), (round, query, rows, took) -> {}).run();
    }
    TpccReport report = run(tpcc, tpch, phases);
    System.err.println(report.text());
    phases.phases().forEach(System.err::println);
    phases.lines().forEach(System.out::println);
    errors.forEach(System.err::println);
    return errors.isEmpty() && report.unexpectedErrors() == 0 ? 0 : 1;
  }

  private MixedPhases phases() {
    try {
      return new MixedPhases(warmUp, phaseSeconds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private void loadTpch(TpchOptions tpch) throws SQLException, InterruptedException {
    progress.step("loading TPC-H and making column indexes");
    TpchSchema schema = TpchSchema.of(tpch);
    schema.recreate(tpch.endpoint());
    new TpchLoader(tpch, (table, loaded, expected) -> progress.count(loaded, expected, "rows"))
        .load();
    try (Connection connection = tpch.endpoint().connect()) {
      schema.indexColumns(connection);
    }
  }

  private TpccReport run(TpccOptions tpcc, TpchOptions tpch, MixedPhases phases)
      throws SQLException, InterruptedException {
    try (Connection connection = tpch.endpoint().connect();
        Statement statement = connection.createStatement()) {
      TpccObserver observer =
          new TpccObserver() {
            @Override
            public void second(int secondsToGo, TpccReport.Second second) {
              phases.second(second.newOrders());
              int phase = phases.begins();
              if (phase >= 0) {
                begin(phase, tpch, statement);
              }
            }
          };
      TpccReport report =
          new TpccRun(tpcc.withSeconds(warmUp, phases.measuredSeconds()), observer).run();
      end();
      return report;
    } finally {
      restore(tpch);
    }
  }

  /** Also what an interrupted run has changed. */
  private static void restore(TpchOptions tpch) throws SQLException {
    try (Connection connection = tpch.endpoint().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET GLOBAL ap_isolation = DEFAULT, GLOBAL ap_cpu_quota = DEFAULT");
    }
  }

  private void begin(int phase, TpchOptions tpch, Statement statement) {
    if (phase % 2 == 0) {
      analytics.ifPresent(AnalyticLoad::stop);
      return;
    }
    MixedPhases.Mode mode = MixedPhases.mode(phase);
    try {
      end();
      for (String setting : mode.settings()) {
        statement.execute("SET GLOBAL " + setting);
      }
    } catch (SQLException e) {
      errors.add(mode.name() + ": " + e.getErrorCode() + " " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    progress.step("beside TPC-H, isolation " + mode.name());
    analytics = Optional.of(new AnalyticLoad(tpch.endpoint()));
  }

  /** The analytical work of the last phase; it has stopped long ago. */
  private void end() throws InterruptedException {
    if (analytics.isPresent()) {
      errors.addAll(analytics.get().join());
      System.err.println(analytics.get().text());
      analytics = Optional.empty();
    }
  }
}
