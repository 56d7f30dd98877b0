package io.alrai.tpcc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
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
  private static final Terminal.Time SYSTEM_TIME =
      new Terminal.Time() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.sleep(nanos);
        }
      };

  private final TpccOptions options;
  private final TpccObserver observer;

  public TpccRun(TpccOptions options, TpccObserver observer) {
    this.options = options;
    this.observer = observer;
  }

  /**
   * Blocks until warm-up and measured time have passed and every terminal has ended its last
   * transaction. Errors during the run are counted, not thrown; an interrupt ends the run.
   *
   * @throws SQLException if the tables are not loaded or the terminals cannot connect at first
   */
  public TpccReport run() throws SQLException, InterruptedException {
    TpccScale scale;
    try (Connection connection = options.endpoint().connect()) {
      scale = TpccScale.read(connection);
    }
    List<Terminal.Session> sessions = new ArrayList<>();
    try {
      for (int i = 0; i < options.run().terminals(); i++) {
        sessions.add(connect());
      }
    } catch (SQLException e) {
      for (Terminal.Session session : sessions) {
        session.close();
      }
      throw e;
    }
    return run(scale, sessions);
  }

  private Terminal.Session connect() throws SQLException {
    Map<String, String> properties = new HashMap<>();
    if (!options.endpoint().properties().containsKey("socketTimeout")) {
      properties.put("socketTimeout", "120000");
    }
    return new Transactions(options.endpoint().connect(properties), Clock.systemUTC());
  }

  private TpccReport run(TpccScale scale, List<Terminal.Session> sessions)
      throws InterruptedException {
    TpccOptions.Run run = options.run();
    Figures figures = new Figures(Phases.from(SYSTEM_TIME.nanos(), run.warmUp(), run.measure()));
    List<Terminal> terminals = new ArrayList<>();
    for (Terminal.Session session : sessions) {
      terminals.add(
          new Terminal(
              this::connect,
              session,
              figures,
              observer,
              SYSTEM_TIME,
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
      SYSTEM_TIME.sleep(Math.max(0, until - SYSTEM_TIME.nanos()));
      observer.second(phases.seconds() - second - 1, figures.second(second));
    }
  }
}
