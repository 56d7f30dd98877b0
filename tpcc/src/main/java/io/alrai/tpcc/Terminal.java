package io.alrai.tpcc;

import java.sql.SQLException;
import java.util.Optional;

/**
 * A terminal: one connection, one transaction after the other until the run has ended. Its thread
 * alone may touch it; its counts may be read when the thread has ended.
 */
final class Terminal implements Runnable {
  private static final int ATTEMPTS = 20;
  private static final double RECONNECT_PAUSE_SECONDS = 0.1;

  /** A connection that runs transactions; {@link Transactions} but in tests. */
  interface Session {
    /** Runs to the acknowledged end; an error leaves the transaction open. */
    Outcome run(Input input) throws SQLException;

    void rollback() throws SQLException;

    void close() throws SQLException;
  }

  /** Connects to the endpoint. */
  @FunctionalInterface
  interface Connector {
    Session connect() throws SQLException;
  }

  /** The clock that a terminal lives by. */
  interface Time {
    /** As {@link System#nanoTime}. */
    long nanos();

    /** Comes back so much later. */
    void sleep(long nanos) throws InterruptedException;
  }

  private final Connector connector;
  private final Figures figures;
  private final TpccObserver observer;
  private final Time time;
  private final double pace;
  private final TpccRandom random;
  private final Deck deck;
  private final Inputs inputs;
  private final TerminalCounts counts = new TerminalCounts();
  private Optional<Session> session;

  /** {@code first} is a fresh session, which the terminal takes over. */
  Terminal(
      Connector connector,
      Session first,
      Figures figures,
      TpccObserver observer,
      Time time,
      double pace,
      Home home) {
    this.connector = connector;
    this.figures = figures;
    this.observer = observer;
    this.time = time;
    this.pace = pace;
    this.random = new TpccRandom(home.seed());
    this.deck = new Deck(random);
    this.inputs = new Inputs(random, home.scale(), home.warehouse(), home.district());
    this.session = Optional.of(first);
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
    return figures.phases().isOver(time.nanos());
  }

  private void pause(double seconds) throws InterruptedException {
    long left = figures.phases().endNanos() - time.nanos();
    long pause = Math.min((long) (seconds * 1e9), left);
    if (pause > 0) {
      time.sleep(pause);
    } else if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private void transact(Input input) throws InterruptedException {
    long start = time.nanos();
    for (int attempt = 1; attempt <= ATTEMPTS && (attempt == 1 || !isOver()); attempt++) {
      Optional<Session> open = session();
      if (open.isEmpty()) {
        break;
      }
      try {
        Outcome outcome = open.get().run(input);
        ended(input, outcome, start);
        return;
      } catch (SQLException e) {
        TpccErrorKind kind = figures.error(e, time.nanos());
        if (kind == TpccErrorKind.CONNECTION || !rollback(open.get())) {
          disconnect();
        }
        if (kind != TpccErrorKind.RETRIED) {
          break;
        }
      }
    }
    if (figures.phases().isMeasured(time.nanos())) {
      counts.failed(input.type());
    }
  }

  private void ended(Input input, Outcome outcome, long start) {
    if (outcome instanceof Outcome.OrderCommitted order) {
      observer.orderAcknowledged(order.warehouse(), order.district(), order.order());
    }
    long end = time.nanos();
    if (!(outcome instanceof Outcome.RolledBack)) {
      figures.committed(input.type(), end);
    }
    if (figures.phases().isMeasured(end)) {
      counts.ended(input.type(), outcome, (end - start) / 1_000);
    }
  }

  /** False if the connection is of no use any more. */
  private boolean rollback(Session open) {
    try {
      open.rollback();
      return true;
    } catch (SQLException e) {
      figures.error(e, time.nanos());
      return false;
    }
  }

  /** The session; empty only if none could be had before the run has ended. */
  private Optional<Session> session() throws InterruptedException {
    while (session.isEmpty() && !isOver()) {
      try {
        session = Optional.of(connector.connect());
      } catch (SQLException e) {
        figures.error(e, time.nanos());
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
        figures.error(e, time.nanos());
      }
      session = Optional.empty();
    }
  }
}
