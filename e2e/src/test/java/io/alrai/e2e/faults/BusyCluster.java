package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.tpcc.AcknowledgedOrders;
import io.alrai.tpcc.TpccConsistency;
import io.alrai.tpcc.TpccErrorKind;
import io.alrai.tpcc.TpccLoader;
import io.alrai.tpcc.TpccOptions;
import io.alrai.tpcc.TpccReport;
import io.alrai.tpcc.TpccRun;
import io.alrai.tpcc.TpccScale;
import io.alrai.tpcc.TpccSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** TPC-C on a cluster that loses parts meanwhile, and what must be true of its tables then. */
final class BusyCluster {
  private static final int WAREHOUSES = 4;
  private static final int TERMINALS = 8;
  private static final int PREPARED_SECONDS = 5;

  /** A member that was killed may still have to start, and to apply what it has missed. */
  private static final int PREPARED_SECONDS_OF_GROUPS = 60;

  /** On a busy machine a JVM may take longer to start than a run lasts. */
  private static final int MORE_RUNS = 5;

  private static final TpccScale SCALE = TpccScale.small(WAREHOUSES);

  private final ClusterProcess cluster;
  private final List<MysqlEndpoint> endpoints;
  private final List<String> members;
  private final int preparedSeconds;
  private final AcknowledgedOrders acknowledged = new AcknowledgedOrders();
  private final List<TpccErrorKind> excused = new ArrayList<>(List.of(TpccErrorKind.values()));
  private long seed;

  /** TPC-C on so many CNs of a cluster of two DNs of one replica. */
  BusyCluster(ClusterProcess cluster, int cns, long seed) {
    this(cluster, cns, List.of("dn-1", "dn-2"), PREPARED_SECONDS, seed);
  }

  /**
   * TPC-C on so many CNs of a cluster of groups.
   *
   * @param members all that have a mysqld
   */
  static BusyCluster ofGroups(ClusterProcess cluster, int cns, List<String> members, long seed) {
    return new BusyCluster(cluster, cns, members, PREPARED_SECONDS_OF_GROUPS, seed);
  }

  private BusyCluster(
      ClusterProcess cluster, int cns, List<String> members, int preparedSeconds, long seed) {
    this.preparedSeconds = preparedSeconds;
    this.cluster = cluster;
    this.members = members;
    this.seed = seed;
    this.endpoints = new ArrayList<>();
    excused.remove(TpccErrorKind.WRONG_ANSWER);
    for (int i = 0; i < cns; i++) {
      endpoints.add(
          MysqlEndpoint.parse(
              "mysql://root@127.0.0.1:" + (cluster.port() + i) + "/tpcc?socketTimeout=60000",
              "tpcc"));
    }
  }

  /** From now on no fault may be an error to clients, but that they have to try again. */
  void withoutErrors() {
    excused.retainAll(List.of(TpccErrorKind.RETRIED));
  }

  void load() throws SQLException, InterruptedException {
    TpccOptions options = TpccOptions.of(endpoints.getFirst()).withScale(SCALE);
    TpccSchema.of(options).recreate(options.endpoint());
    new TpccLoader(options, Clock.systemUTC(), (_, _, _) -> {}).load();
  }

  /** What is done to the cluster while it is busy. */
  interface Fault {
    void strike() throws Exception;
  }

  /**
   * Runs TPC-C and lets the fault strike in its middle.
   *
   * @param beforeMillis how long orders have been coming in when it strikes
   * @param comesBack whether orders must come in again after the fault
   */
  void run(int seconds, long beforeMillis, boolean comesBack, Fault fault) throws Exception {
    try (ExecutorService drivers = Executors.newVirtualThreadPerTaskExecutor()) {
      int before = acknowledged.count();
      List<Future<TpccReport>> reports = drive(drivers, seconds);
      ClusterProcess.await("the first orders", () -> acknowledged.count() > before + TERMINALS);
      TimeUnit.MILLISECONDS.sleep(beforeMillis);
      int atFault = acknowledged.count();
      fault.strike();
      int behind = acknowledged.count();
      judge(reports);
      for (int more = 0; comesBack && more < MORE_RUNS && acknowledged.count() == behind; more++) {
        awaitService();
        judge(drive(drivers, seconds));
      }
      System.out.printf(
          "%d orders acknowledged before the fault, %d behind it%n",
          atFault - before, acknowledged.count() - behind);
      assertTrue(!comesBack || acknowledged.count() > behind, "no order came in behind the fault");
    }
  }

  private List<Future<TpccReport>> drive(ExecutorService drivers, int seconds) {
    List<Future<TpccReport>> reports = new ArrayList<>();
    for (MysqlEndpoint endpoint : endpoints) {
      int terminals = TERMINALS / endpoints.size();
      TpccOptions options =
          TpccOptions.of(endpoint)
              .withRun(
                  new TpccOptions.Run(
                      terminals, Duration.ZERO, Duration.ofSeconds(seconds), 0, seed++));
      reports.add(drivers.submit(() -> new TpccRun(options, acknowledged).run()));
    }
    return reports;
  }

  private void judge(List<Future<TpccReport>> reports) throws Exception {
    for (Future<TpccReport> report : reports) {
      judge(report.get());
    }
  }

  private void awaitService() {
    for (MysqlEndpoint endpoint : endpoints) {
      ClusterProcess.await("the service of " + endpoint, () -> serves(endpoint));
    }
  }

  private void judge(TpccReport report) {
    report.text().lines().filter(line -> line.startsWith("error")).forEach(System.out::println);
    assertEquals(
        List.of(),
        report.errors().stream().filter(error -> !excused.contains(error.kind())).toList());
  }

  /** Nothing acknowledged is lost, nothing is half there, nothing stays prepared. */
  void check() throws SQLException {
    awaitService();
    try (DnDoors doors = new DnDoors(cluster.directory(), members)) {
      ClusterProcess.await(
          "the end of all prepared transactions",
          preparedSeconds,
          () -> doors.prepared().isEmpty());
    }
    MysqlEndpoint endpoint = endpoints.getFirst();
    assertEquals(List.of(), acknowledged.missing(endpoint), "acknowledged and lost");
    List<TpccConsistency.Result> results = TpccConsistency.of(endpoint).check();
    assertEquals(12, results.size());
    assertEquals(List.of(), results.stream().filter(result -> !result.holds()).toList());
    assertEquals(
        sums(
            endpoint,
            "SELECT ol_supply_w_id, SUM(ol_quantity) FROM order_line WHERE ol_o_id > "
                + SCALE.customersPerDistrict()
                + " GROUP BY ol_supply_w_id ORDER BY ol_supply_w_id"),
        sums(
            endpoint,
            "SELECT s_w_id, SUM(s_ytd) FROM stock GROUP BY s_w_id HAVING SUM(s_ytd) > 0"
                + " ORDER BY s_w_id"),
        "what was ordered left the stock");
  }

  private static boolean serves(MysqlEndpoint endpoint) {
    try {
      return !sums(endpoint, "SELECT COUNT(*), MAX(w_id) FROM warehouse").isEmpty();
    } catch (SQLException e) {
      return false;
    }
  }

  private static List<String> sums(MysqlEndpoint endpoint, String sql) throws SQLException {
    List<String> sums = new ArrayList<>();
    try (Connection connection = endpoint.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        sums.add(rows.getString(1) + " " + rows.getString(2));
      }
    }
    return sums;
  }
}
