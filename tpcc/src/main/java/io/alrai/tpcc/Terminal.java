package io.alrai.tpcc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A terminal: one connection, one transaction after the other until the run is over. Its thread
 * alone may touch it; its counts may be read when the thread has ended.
 */
final class Terminal implements Runnable {
  private static final int ATTEMPTS = 20;
  private static final double RECONNECT_PAUSE_SECONDS = 0.1;

  /** Makes a connection of the endpoint. */
  @FunctionalInterface
  interface Connector {
    Connection connect() throws SQLException;
  }

  private final Connector connector;
  private final Figures figures;
  private final TpccObserver observer;
  private final LongSupplier nanoTime;
  private final double pace;
  private final TpccRandom random;
  private final Deck deck;
  private final Inputs inputs;
  private final TerminalCounts counts = new TerminalCounts();
  private Optional<Transactions> session;

  /** {@code first} is a fresh connection, which the terminal takes over. */
  Terminal(
      Connector connector,
      Connection first,
      Figures figures,
      TpccObserver observer,
      LongSupplier nanoTime,
      double pace,
      Home home)
      throws SQLException {
    this.connector = connector;
    this.figures = figures;
    this.observer = observer;
    this.nanoTime = nanoTime;
    this.pace = pace;
    this.random = new TpccRandom(home.seed());
    this.deck = new Deck(random);
    this.inputs = new Inputs(random, home.scale(), home.warehouse(), home.district());
    this.session = Optional.of(new Transactions(first, Clock.systemUTC()));
  }

  /** Where a terminal stands and what it draws. */
  record Home(TpccScale scale, int warehouse, int district, long seed) {
    /** Terminals are dealt out to warehouses, then to their districts. */
    static Home of(TpccScale scale, int terminal, long seed) {
      int warehouse = terminal % scale.warehouses() + 1;
      int district = terminal / scale.warehouses() % TpccScale.DISTRICTS + 1;
      return new Home(scale, warehouse, district, seed * 1_000_003 + terminal);
    }
  }

  TerminalCounts counts() {
    return counts;
  }

  @Override
  public void run() {
    try {
      while (!isOver()) {
        TpccTransactionType type = deck.draw();
        Input input = inputs.next(type);
        pause(pace * type.keying().toSeconds());
        if (!isOver()) {
          transact(input);
        }
        pause(pace * random.exponential((double) type.meanThinking().toSeconds()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      disconnect();
    }
  }

  private boolean isOver() {
    return figures.phases().isOver(nanoTime.getAsLong());
  }

  private void pause(double seconds) throws InterruptedException {
    long left = figures.phases().endNanos() - nanoTime.getAsLong();
    long pause = Math.min((long) (seconds * 1e9), left);
    if (pause > 0) {
      TimeUnit.NANOSECONDS.sleep(pause);
    } else if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private void transact(Input input) throws InterruptedException {
    long start = nanoTime.getAsLong();
    for (int attempt = 1; attempt <= ATTEMPTS && (attempt == 1 || !isOver()); attempt++) {
      Optional<Transactions> open = session();
      if (open.isEmpty()) {
        break;
      }
      try {
        Outcome outcome = open.get().run(input);
        ended(input, outcome, start);
        return;
      } catch (SQLException e) {
        TpccErrorKind kind = figures.error(e, nanoTime.getAsLong());
        if (kind == TpccErrorKind.CONNECTION || !rollback(open.get())) {
          disconnect();
        }
        if (kind != TpccErrorKind.RETRIED) {
          break;
        }
      }
    }
    if (figures.phases().isMeasured(nanoTime.getAsLong())) {
      counts.failed(input.type());
    }
  }

  private void ended(Input input, Outcome outcome, long start) {
    if (outcome instanceof Outcome.OrderCommitted order) {
      observer.orderAcknowledged(order.warehouse(), order.district(), order.order());
    }
    long end = nanoTime.getAsLong();
    if (!(outcome instanceof Outcome.RolledBack)) {
      figures.committed(input.type(), end);
    }
    if (figures.phases().isMeasured(end)) {
      counts.ended(input.type(), outcome, (end - start) / 1_000);
    }
  }

  /** False if the connection is of no use any more. */
  private boolean rollback(Transactions open) {
    try {
      open.rollback();
      return true;
    } catch (SQLException e) {
      figures.error(e, nanoTime.getAsLong());
      return false;
    }
  }

  /** The session; empty only if none could be had before the run is over. */
  private Optional<Transactions> session() throws InterruptedException {
    while (session.isEmpty() && !isOver()) {
      try {
        session = Optional.of(new Transactions(connector.connect(), Clock.systemUTC()));
      } catch (SQLException e) {
        figures.error(e, nanoTime.getAsLong());
        pause(RECONNECT_PAUSE_SECONDS);
      }
    }
    return session;
  }

  private void disconnect() {
    if (session.isPresent()) {
      try {
        session.get().close();
      } catch (SQLException e) {
        figures.error(e, nanoTime.getAsLong());
      }
      session = Optional.empty();
    }
  }
}
