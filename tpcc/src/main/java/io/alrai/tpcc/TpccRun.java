package io.alrai.tpcc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Runs the standard mix (TPC-C 5.2.3) on loaded tables, one thread and connection per terminal. */
public final class TpccRun {
  private final TpccOptions options;
  private final TpccObserver observer;

  public TpccRun(TpccOptions options, TpccObserver observer) {
    this.options = options;
    this.observer = observer;
  }

  /**
   * Blocks until warm-up and measured time are over and every terminal has ended its last
   * transaction. Errors during the run are counted, not thrown; an interrupt ends the run.
   *
   * @throws SQLException if the tables are not loaded or the terminals cannot connect at first
   */
  public TpccReport run() throws SQLException, InterruptedException {
    TpccScale scale;
    try (Connection connection = options.endpoint().connect()) {
      scale = TpccScale.read(connection);
    }
    List<Connection> connections = new ArrayList<>();
    try {
      for (int i = 0; i < options.run().terminals(); i++) {
        connections.add(connect());
      }
    } catch (SQLException e) {
      for (Connection connection : connections) {
        connection.close();
      }
      throw e;
    }
    return run(scale, connections);
  }

  private Connection connect() throws SQLException {
    Map<String, String> properties = new HashMap<>();
    if (!options.endpoint().properties().containsKey("socketTimeout")) {
      properties.put("socketTimeout", "120000");
    }
    return options.endpoint().connect(properties);
  }

  private TpccReport run(TpccScale scale, List<Connection> connections)
      throws SQLException, InterruptedException {
    TpccOptions.Run run = options.run();
    Figures figures = new Figures(Phases.from(System.nanoTime(), run.warmUp(), run.measure()));
    List<Terminal> terminals = new ArrayList<>();
    for (Connection connection : connections) {
      terminals.add(
          new Terminal(
              this::connect,
              connection,
              figures,
              observer,
              System::nanoTime,
              run.pace(),
              Terminal.Home.of(scale, terminals.size(), run.seed())));
    }
    runAll(terminals, figures);
    return figures.report(
        scale.warehouses(), terminals.stream().map(Terminal::counts).toList(), run.warmUp());
  }

  private void runAll(List<Terminal> terminals, Figures figures) throws InterruptedException {
    ThreadFactory threads = Thread.ofPlatform().name("terminal-", 0).factory();
    try (ExecutorService executor = Executors.newThreadPerTaskExecutor(threads)) {
      List<Future<?>> running = new ArrayList<>();
      try {
        for (Terminal terminal : terminals) {
          running.add(executor.submit(terminal));
        }
        watch(figures);
        for (Future<?> terminal : running) {
          terminal.get();
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("a terminal broke down", e.getCause());
      } finally {
        executor.shutdownNow();
      }
    }
  }

  private void watch(Figures figures) throws InterruptedException {
    Phases phases = figures.phases();
    for (int second = 0; second < phases.seconds(); second++) {
      long until = phases.startNanos() + (second + 1) * 1_000_000_000L;
      TimeUnit.NANOSECONDS.sleep(Math.max(0, until - System.nanoTime()));
      observer.second(phases.seconds() - second - 1, figures.second(second));
    }
  }
}
