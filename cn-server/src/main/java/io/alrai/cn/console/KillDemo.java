package io.alrai.cn.console;

import io.alrai.cn.launch.ProcessCluster;
import io.alrai.cn.process.ClusterConfig;
import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.common.net.ListenPorts;
import io.alrai.tpcc.AcknowledgedOrders;
import io.alrai.tpcc.SteadyWriters;
import io.alrai.tpcc.TpccObserver;
import io.alrai.tpcc.TpccOptions;
import io.alrai.tpcc.TpccReport;
import io.alrai.tpcc.TpccRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A failover as a person sees it: TPC-C on DNs of three members, second by second; in the middle
 * the leader of dn-1 is killed.
 */
final class KillDemo {
  private static final Logger log = LoggerFactory.getLogger(KillDemo.class);
  private static final int LAST_LINES = 200;

  private final ClusterConfig config;
  private final TpccOptions options;
  private final GroupProcesses processes;
  private final AcknowledgedOrders acknowledged = new AcknowledgedOrders();
  private final SteadyWriters writers;

  /**
   * A demo in a new directory.
   *
   * @param load its warehouses, terminals and seconds
   */
  KillDemo(Path directory, int dns, TpccOptions.Run load, int warehouses) throws IOException {
    this.config =
        new ClusterConfig(directory, "127.0.0.1", ListenPorts.free(), dns).withReplicas(3);
    String server = "mysql://root@127.0.0.1:" + config.port();
    this.options =
        TpccOptions.of(MysqlEndpoint.parse(server + "/tpcc", "tpcc"))
            .withWarehouses(warehouses)
            .withPartitions(dns)
            .withRun(load);
    this.processes = new GroupProcesses(directory);
    this.writers = new SteadyWriters(server, dns);
  }

  /** Whether all that was acknowledged is there, and all conditions hold. */
  boolean run() throws Exception {
    boolean ended = false;
    try {
      boolean held = runToItsEnd();
      ended = true;
      return held;
    } finally {
      if (!ended) {
        keepLogs();
      }
    }
  }

  /** The directory goes, and with it what the processes have logged: their ends are kept. */
  private void keepLogs() throws IOException {
    Path logs = config.data().resolve("log");
    if (!Files.isDirectory(logs)) {
      return;
    }
    try (Stream<Path> files = Files.list(logs)) {
      for (Path file : files.sorted().toList()) {
        List<String> lines = Files.readAllLines(file);
        List<String> last = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
        log.error("the end of {}:\n{}", file.getFileName(), String.join("\n", last));
      }
    }
  }

  private boolean runToItsEnd() throws Exception {
    System.out.println("starting three members of each DN, every role as a process of its own");
    try (AutoCloseable _ = new ProcessCluster(config, 1, 1, 0).start().parts()) {
      TpccSession session = new TpccSession(options, System.out);
      session.load();
      writers.create();
      Seconds seconds = new Seconds();
      double gapMillis;
      try (writers) {
        writers.start();
        new TpccRun(options, seconds).run();
        gapMillis = writers.longestGapMillis();
      }
      System.out.printf(
          Locale.ROOT, "after the kill no row was acknowledged for %.0f ms%n", gapMillis);
      return judge() & session.check() & seconds.killed;
    }
  }

  /** Prints each second, and kills in the middle. */
  private final class Seconds implements TpccObserver {
    private int second;
    private boolean killed;

    @Override
    public void second(int secondsToGo, TpccReport.Second figures) {
      second++;
      System.out.printf(
          Locale.ROOT,
          "%3d s  tpmC %,7d  errors %3d  %s%n",
          second,
          figures.newOrders() * 60,
          figures.errors(),
          leaders());
      if (!killed && second >= secondsToGo) {
        processes
            .leader("dn-1")
            .ifPresent(leader -> {
              killed = true;
              System.out.println("       kill -9 of " + leader + ", which leads dn-1");
              writers.mark();
              processes.role(leader).destroyForcibly();
            });
      }
    }

    @Override
    public void orderAcknowledged(int warehouse, int district, int order) {
      acknowledged.orderAcknowledged(warehouse, district, order);
    }
  }

  private String leaders() {
    return processes.dns().stream()
        .map(dn -> dn + ": " + processes.leader(dn).orElse("nobody leads"))
        .collect(Collectors.joining("  "));
  }

  private boolean judge() throws Exception {
    List<String> wrong = writers.wrong();
    int lost = acknowledged.missing(options.endpoint()).size();
    System.out.printf(
        Locale.ROOT,
        "of %,d orders and %,d rows that were acknowledged %d are lost%n",
        acknowledged.count(),
        writers.acknowledged(),
        lost + wrong.size());
    wrong.forEach(System.out::println);
    return lost == 0 && wrong.isEmpty();
  }
}
