package io.alrai.cn.console;

import io.alrai.cn.process.ConsoleProgress;
import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.tpcc.TpccOptions;
import io.alrai.tpch.TpchLoader;
import io.alrai.tpch.TpchOptions;
import io.alrai.tpch.TpchReport;
import io.alrai.tpch.TpchRun;
import io.alrai.tpch.TpchSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code alrai bench}: the drivers on any MySQL endpoint. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Runs a benchmark driver against any MySQL endpoint.",
    subcommands = {
      BenchCommand.Tpcc.class,
      BenchCommand.Tpch.class,
      MixedCommand.class,
      FailoverCommand.class
    })
final class BenchCommand implements Callable<Integer> {
  static final String DEFAULT_SERVER = "mysql://root@127.0.0.1:8527/";

  @Override
  public Integer call() {
    System.err.println("alrai bench: choose tpcc, tpch, mixed or failover, see --help");
    return 2;
  }

  /** TPC-C. */
  @Command(
      name = "tpcc",
      mixinStandardHelpOptions = true,
      description = "TPC-C: load, run the standard mix, check the consistency conditions.")
  static final class Tpcc implements Callable<Integer> {
    @Option(names = "--url", defaultValue = DEFAULT_SERVER + "tpcc", description = "Endpoint.")
    private String url = DEFAULT_SERVER + "tpcc";

    @Option(names = "--warehouses", defaultValue = "2", description = "Scale of a load.")
    private int warehouses = 2;

    @Option(names = "--terminals", defaultValue = "8", description = "Connections of the run.")
    private int terminals = 8;

    @Option(names = "--seconds", defaultValue = "60", description = "Measured; 0: no run.")
    private int seconds = 60;

    @Option(names = "--warm-up", defaultValue = "5", description = "Seconds before that.")
    private int warmUp = 5;

    @Option(names = "--partitions", defaultValue = "2", description = "Of the tables, on Alrai.")
    private int partitions = 2;

    @Option(names = "--load", description = "Recreate and load the tables first.")
    private boolean load;

    @Option(names = "--check", description = "Check the twelve conditions afterwards.")
    private boolean check;

    @Override
    public Integer call() throws SQLException, InterruptedException {
      TpccOptions options =
          TpccOptions.of(MysqlEndpoint.parse(url, "tpcc"))
              .withWarehouses(warehouses)
              .withTerminals(terminals)
              .withPartitions(partitions);
      if (seconds > 0) {
        options = options.withSeconds(warmUp, seconds);
      }
      TpccSession session = new TpccSession(options, System.out);
      if (load) {
        session.load();
      }
      boolean right = seconds == 0 || session.run().unexpectedErrors() == 0;
      if (check) {
        right &= session.check();
      }
      return right ? 0 : 1;
    }
  }

  /** TPC-H. */
  @Command(
      name = "tpch",
      mixinStandardHelpOptions = true,
      description = "TPC-H: load, and run the 22 queries in rounds.")
  static final class Tpch implements Callable<Integer> {
    @Option(names = "--url", defaultValue = DEFAULT_SERVER + "tpch", description = "Endpoint.")
    private String url = DEFAULT_SERVER + "tpch";

    @Option(names = "--scale", defaultValue = "0.01", description = "Scale factor.")
    private double scale = 0.01;

    @Option(names = "--rounds", defaultValue = "1", description = "Rounds; 0: no run.")
    private int rounds = 1;

    @Option(names = "--load", description = "Recreate and load the tables first.")
    private boolean load;

    @Option(names = "--columns", description = "Make column indexes behind the load, on Alrai.")
    private boolean columns;

    @Override
    public Integer call() throws SQLException, InterruptedException {
      TpchOptions options = TpchOptions.of(MysqlEndpoint.parse(url, "tpch")).withScaleFactor(scale);
      ConsoleProgress progress = new ConsoleProgress(System.err);
      if (load) {
        progress.step("creating the tables and loading " + options.endpoint());
        TpchSchema schema = TpchSchema.of(options);
        schema.recreate(options.endpoint());
        new TpchLoader(
                options, (table, loaded, expected) -> progress.count(loaded, expected, "rows"))
            .load();
        try (Connection connection = options.endpoint().connect()) {
          schema.analyze(connection);
          if (columns) {
            progress.step("making column indexes");
            schema.indexColumns(connection);
          }
        }
      }
      if (rounds == 0) {
        return 0;
      }
      TpchReport report =
          new TpchRun(
                  options.withRounds(rounds),
                  (round, query, rows, took) ->
                      progress.step(
                          String.format(
                              "round %d Q%d: %d rows, %d ms",
                              round, query.number(), rows.rows().size(), took.toMillis())))
              .run();
      System.out.println(report.text());
      return report.errors() == 0 ? 0 : 1;
    }
  }
}
