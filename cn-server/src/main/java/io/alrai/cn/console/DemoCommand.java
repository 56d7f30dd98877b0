package io.alrai.cn.console;

import io.alrai.cn.process.ClusterConfig;
import io.alrai.cn.process.ConsoleProgress;
import io.alrai.cn.process.EmbeddedCluster;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.tpcc.TpccOptions;
import io.alrai.tpcc.TpccReport;
import io.alrai.tpch.TpchReport;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code alrai demo}: a cluster of its own, TPC-C through it, and a report. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Starts an embedded cluster in a temporary directory, loads TPC-C, runs it through the"
            + " endpoint and prints a report; then again beside the 22 TPC-H queries, which column"
            + " indexes answer. The exit code is 0 only if there was no unexpected error, all"
            + " twelve consistency conditions hold and every answer is right. With --replicas 3"
            + " --kill: TPC-C on DNs of three members, every role as a process of its own; in the"
            + " middle the leader of dn-1 is killed (kill -9). The exit code is 0 only if nothing"
            + " acknowledged is lost and all twelve conditions hold.")
final class DemoCommand implements Callable<Integer> {
  @Option(names = "--seconds", defaultValue = "60", description = "Measured (default: 60).")
  private int seconds = 60;

  @Option(
      names = "--analytics-seconds",
      defaultValue = "20",
      description = "Measured beside TPC-H; 0: not at all (default: 20).")
  private int analyticsSeconds = 20;

  @Option(names = "--warehouses", defaultValue = "2", description = "Scale (default: 2).")
  private int warehouses = 2;

  @Option(names = "--terminals", defaultValue = "8", description = "Connections (default: 8).")
  private int terminals = 8;

  @Option(names = "--dns", defaultValue = "2", description = "MySQL servers (default: 2).")
  private int dns = 2;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "1",
      description = "Members of each DN: 1, or 3 with --kill (default: 1).")
  private int replicas = 1;

  @Option(names = "--kill", description = "Kill the leader of dn-1 in the middle of TPC-C.")
  private boolean kill;

  private final ConsoleProgress progress = new ConsoleProgress(System.err);

  @Override
  public Integer call() throws Exception {
    if (replicas != (kill ? 3 : 1)) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "--kill needs --replicas 3, and --replicas 3 needs --kill");
    }
    return kill ? killed() : throughput();
  }

  private int killed() throws Exception {
    try (ScratchDirectory scratch = ScratchDirectory.create("alrai-demo-")) {
      TpccOptions.Run load =
          new TpccOptions.Run(terminals, Duration.ZERO, Duration.ofSeconds(seconds), 0, 1);
      return new KillDemo(scratch.path(), dns, load, warehouses).run() ? 0 : 1;
    }
  }

  private int throughput() throws IOException, SQLException, InterruptedException {
    try (ScratchDirectory scratch = ScratchDirectory.create("alrai-demo-");
        EmbeddedCluster cluster =
            EmbeddedCluster.start(
                new ClusterConfig(scratch.path(), "127.0.0.1", 0, dns), progress)) {
      String server = "mysql://root@127.0.0.1:" + cluster.port();
      System.out.println("cluster of " + dns + " MySQL servers serves " + server + "/");
      TpccOptions options =
          TpccOptions.of(MysqlEndpoint.parse(server + "/tpcc", "tpcc"))
              .withWarehouses(warehouses)
              .withTerminals(terminals)
              .withPartitions(dns)
              .withSeconds(5, seconds);
      TpccSession session = new TpccSession(options, System.out);
      session.load();
      progress.step("TPC-C alone: 5 s to warm up, then " + seconds + " s are measured");
      TpccReport report = session.run();
      boolean right = report.unexpectedErrors() == 0;
      if (analyticsSeconds > 0) {
        right &= besideAnalytics(server, options, report.tpmC());
      }
      progress.step("checking the twelve conditions of TPC-C");
      right &= session.check();
      return right ? 0 : 1;
    }
  }

  private boolean besideAnalytics(String server, TpccOptions options, double alone)
      throws SQLException, InterruptedException {
    DemoAnalytics analytics = new DemoAnalytics(server, progress, System.out);
    analytics.load();
    progress.step("both: 5 s to warm up, then " + analyticsSeconds + " s of TPC-C are measured");
    CompletableFuture<List<TpchReport>> rounds = analytics.start();
    TpccReport beside = new TpccSession(options.withSeconds(5, analyticsSeconds), System.out).run();
    analytics.stop();
    progress.step("TPC-H: the last round");
    boolean right = analytics.report(rounds.join());
    System.out.printf(Locale.ROOT, "tpmC alone %.0f, beside TPC-H %.0f%n", alone, beside.tpmC());
    return right && beside.unexpectedErrors() == 0;
  }
}
