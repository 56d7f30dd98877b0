package io.alrai.e2e.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.testing.PlainMysqld;
import io.alrai.tpcc.AcknowledgedOrders;
import io.alrai.tpcc.TpccConsistency;
import io.alrai.tpcc.TpccErrorKind;
import io.alrai.tpcc.TpccLoader;
import io.alrai.tpcc.TpccObserver;
import io.alrai.tpcc.TpccOptions;
import io.alrai.tpcc.TpccReport;
import io.alrai.tpcc.TpccRun;
import io.alrai.tpcc.TpccScale;
import io.alrai.tpcc.TpccSchema;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver against a mysqld without Alrai: what fails here is the driver's fault. */
final class TpccPlainMysqlIT {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-21T00:00:00Z"), ZoneOffset.UTC);

  @TempDir static Path directory;
  private static PlainMysqld server;

  @BeforeAll
  static void start() {
    server = PlainMysqld.start(directory.resolve("mysqld"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static TpccOptions load(String database) throws SQLException, InterruptedException {
    TpccOptions options =
        TpccOptions.of(MysqlEndpoint.parse(server.url(database), "tpcc"))
            .withScale(TpccScale.small(2))
            .withTerminals(8)
            .withSeconds(1, 4);
    TpccSchema.of(options).recreate(options.endpoint());
    AtomicLong last = new AtomicLong();
    long rows =
        new TpccLoader(options, CLOCK, (_, loaded, _) -> last.accumulateAndGet(loaded, Math::max))
            .load();
    assertEquals(rows, last.get());
    return options;
  }

  private static List<TpccConsistency.Result> broken(MysqlEndpoint endpoint) throws SQLException {
    List<TpccConsistency.Result> results = TpccConsistency.of(endpoint).check();
    assertEquals(12, results.size());
    return results.stream().filter(result -> !result.holds()).toList();
  }

  private static void execute(MysqlEndpoint endpoint, String... statements) throws SQLException {
    try (Connection connection = endpoint.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @Test
  void freshTablesHoldAllConditionsAndAreTheSameEveryTime() throws Exception {
    TpccOptions one = load("one");
    TpccOptions two = load("two");
    assertEquals(List.of(), broken(one.endpoint()));
    assertEquals(checksums(one.endpoint()), checksums(two.endpoint()));
  }

  private static List<String> checksums(MysqlEndpoint endpoint) throws SQLException {
    List<String> result = new ArrayList<>();
    try (Connection connection = endpoint.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("CHECKSUM TABLE " + String.join(", ", TpccSchema.TABLES))) {
      while (rows.next()) {
        result.add(rows.getString(2));
      }
    }
    return result;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRunKeepsAllConditions(boolean serverPrepared) throws Exception {
    TpccOptions options = load("run");
    MysqlEndpoint endpoint =
        MysqlEndpoint.parse(server.url("run") + "?useServerPrepStmts=" + serverPrepared, "tpcc");
    AtomicInteger seconds = new AtomicInteger();
    TpccObserver observer =
        new TpccObserver() {
          @Override
          public void second(int secondsToGo, TpccReport.Second second) {
            assertEquals(4 - seconds.getAndIncrement(), secondsToGo);
          }
        };
    TpccReport report =
        new TpccRun(
                new TpccOptions(endpoint, options.scale(), options.load(), options.run()), observer)
            .run();
    System.out.print(report.text());
    assertEquals(5, seconds.get());
    assertEquals(0, report.unexpectedErrors(), report.text());
    for (TpccReport.Transaction figures : report.transactions()) {
      assertTrue(figures.committed() > 0, report.text());
      assertTrue(figures.p50Micros() > 0 && figures.maxMicros() >= figures.p99Micros());
    }
    assertEquals(
        report.transactions().stream().mapToLong(TpccReport.Transaction::committed).sum(),
        report.seconds().stream().mapToLong(TpccReport.Second::transactions).sum());
    assertEquals(List.of(), broken(options.endpoint()));
  }

  @Test
  void everyConditionFindsTheRowThatBreaksIt() throws Exception {
    MysqlEndpoint endpoint = load("broken").endpoint();
    assertBreaks(
        endpoint, 1, "UPDATE district SET d_ytd = d_ytd + %s WHERE d_w_id = 2 AND d_id = 7");
    assertBreaks(
        endpoint,
        2,
        "UPDATE district SET d_next_o_id = d_next_o_id + %s WHERE d_w_id = 1 AND d_id = 3");
    assertBreaks(
        endpoint,
        3,
        "UPDATE new_order SET no_o_id = no_o_id + %s"
            + " WHERE no_w_id = 1 AND no_d_id = 1 ORDER BY no_o_id DESC LIMIT 1");
    assertBreaks(
        endpoint,
        4,
        "UPDATE orders SET o_ol_cnt = o_ol_cnt + %s WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = 1");
    assertBreaks(
        endpoint,
        5,
        "UPDATE orders SET o_carrier_id = IF(1 = %s, NULL, 4)"
            + " WHERE o_w_id = 2 AND o_d_id = 1 AND o_id = 2");
    assertBreaks(
        endpoint,
        6,
        "UPDATE order_line SET ol_number = ol_number + 100 * %1$s, ol_o_id = ol_o_id + %1$s"
            + " WHERE ol_w_id = 1 AND ol_d_id = 1"
            + " AND (ol_o_id, ol_number) = (IF(%1$s = 1, 5, 6), IF(%1$s = 1, 1, 101))");
    assertBreaks(
        endpoint,
        7,
        "UPDATE order_line SET ol_delivery_d = IF(1 = %s, NULL, '2026-11-21')"
            + " WHERE ol_w_id = 1 AND ol_d_id = 9 AND ol_o_id = 1 AND ol_number = 2");
    assertBreaks(endpoint, 8, "UPDATE warehouse SET w_ytd = w_ytd + 0.01 * %s WHERE w_id = 1");
    assertBreaks(
        endpoint, 9, "UPDATE history SET h_amount = h_amount + %s WHERE h_w_id = 1 AND h_c_id = 1");
    assertBreaks(
        endpoint,
        10,
        "UPDATE customer SET c_balance = c_balance + 0.01 * %s"
            + " WHERE c_w_id = 2 AND c_d_id = 10 AND c_id = 30");
    assertBreaks(
        endpoint,
        11,
        "UPDATE customer SET c_delivery_cnt = c_delivery_cnt + %s"
            + " WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 1");
    assertBreaks(
        endpoint,
        12,
        "UPDATE customer SET c_ytd_payment = c_ytd_payment + 0.01 * %s"
            + " WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 2");
    assertEquals(List.of(), broken(endpoint));
  }

  /** The statement breaks the condition with 1 in its gap and mends it with -1. */
  private static void assertBreaks(MysqlEndpoint endpoint, int number, String statement)
      throws SQLException {
    execute(endpoint, statement.formatted("1"));
    TpccConsistency.Result result = TpccConsistency.of(endpoint).check(number);
    execute(endpoint, statement.formatted("-1"));
    assertFalse(result.holds(), "condition " + number + " did not see: " + statement);
    assertFalse(result.examples().isEmpty());
    assertTrue(result.text().startsWith("condition " + number + " FAILS"), result.text());
  }

  @Test
  void lostRowsAreNoticedEvenIfNothingIsLeftToCompare() throws Exception {
    MysqlEndpoint endpoint = load("lost").endpoint();
    execute(endpoint, "DELETE FROM orders", "DELETE FROM order_line", "DELETE FROM new_order");
    List<Integer> broken = broken(endpoint).stream().map(TpccConsistency.Result::number).toList();
    assertTrue(broken.containsAll(List.of(2, 4, 6, 7, 11)), "only " + broken);
  }

  @Test
  void acknowledgedOrdersSurviveTheServersDeath() throws Exception {
    TpccOptions options = load("crash").withSeconds(0, 16);
    AcknowledgedOrders acknowledged = new AcknowledgedOrders();
    AtomicInteger beforeDeath = new AtomicInteger();
    Thread killer =
        Thread.ofVirtual()
            .start(() -> {
              while (acknowledged.count() < 10) {
                LockSupport.parkNanos(1_000_000);
              }
              server.crash();
              beforeDeath.set(acknowledged.count());
            });
    TpccReport report = new TpccRun(options, acknowledged).run();
    killer.join();
    System.out.print(report.text());
    assertTrue(
        report.errors().stream().anyMatch(error -> error.kind() == TpccErrorKind.CONNECTION),
        report.text());
    // answers that were on their way when it died may have been counted a moment later
    int onTheirWay = options.run().terminals();
    assertTrue(acknowledged.count() > beforeDeath.get() + onTheirWay, report.text());
    assertEquals(List.of(), acknowledged.missing(options.endpoint()));
    assertEquals(List.of(), broken(options.endpoint()));

    execute(options.endpoint(), "DELETE FROM orders WHERE o_id = 31 AND o_d_id = 1 AND o_w_id = 1");
    assertEquals(1, acknowledged.missing(options.endpoint()).size());
  }
}
