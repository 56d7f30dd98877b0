package io.alrai.testcontainers.compose;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.jdbc.MysqlEndpoint;
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
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** TPC-C in short runs, one after the other, until it is closed; connections may be lost. */
final class TpccBeside implements AutoCloseable {
  private static final int TERMINALS = 4;
  private static final Duration RUN = Duration.ofSeconds(5);

  private final AcknowledgedOrders orders = new AcknowledgedOrders();
  private final List<TpccReport.ErrorFigure> wrong = new ArrayList<>();
  private final ExecutorService driver = Executors.newVirtualThreadPerTaskExecutor();
  private final MysqlEndpoint endpoint;
  private final Future<?> runs;
  private volatile boolean ending;

  private TpccBeside(MysqlEndpoint endpoint) {
    this.endpoint = endpoint;
    this.runs = driver.submit(this::run);
  }

  /** Loads the tables and begins. */
  static TpccBeside start(MysqlEndpoint endpoint) throws SQLException, InterruptedException {
    TpccOptions options = TpccOptions.of(endpoint).withScale(TpccScale.small(2));
    TpccSchema.of(options).recreate(endpoint);
    new TpccLoader(options, Clock.systemUTC(), (_, _, _) -> {}).load();
    return new TpccBeside(endpoint);
  }

  private Void run() throws Exception {
    for (long seed = 1; !ending; seed++) {
      TpccOptions options =
          TpccOptions.of(endpoint)
              .withRun(new TpccOptions.Run(TERMINALS, Duration.ZERO, RUN, 0, seed));
      try {
        new TpccRun(options, orders)
            .run().errors().stream()
                .filter(error -> error.kind() == TpccErrorKind.WRONG_ANSWER)
                .forEach(wrong::add);
      } catch (SQLException e) {
        System.out.println("a run of TPC-C did not begin: " + e.getMessage());
        ComposeCluster.await("an endpoint for TPC-C", 300, () -> ending || letsIn());
      }
    }
    return null;
  }

  private boolean letsIn() {
    try (Connection connection = endpoint.connect()) {
      return connection.isValid(0);
    } catch (SQLException refused) {
      return false;
    }
  }

  /** Orders that came in so far. */
  int orders() {
    return orders.count();
  }

  /** Ends the last run. */
  @Override
  public void close() {
    ending = true;
    try {
      runs.get();
    } catch (ExecutionException e) {
      throw new AssertionError("TPC-C", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      driver.close();
    }
  }

  /** After its end: nothing acknowledged is lost, nothing is half there. */
  void check() throws SQLException {
    assertEquals(List.of(), wrong);
    assertEquals(List.of(), orders.missing(endpoint), "acknowledged and lost");
    assertEquals(
        List.of(),
        TpccConsistency.of(endpoint).check().stream().filter(result -> !result.holds()).toList());
  }
}
