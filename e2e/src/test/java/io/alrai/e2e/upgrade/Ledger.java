package io.alrai.e2e.upgrade;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Autocommit clients that each write rows, and read them back by the next statement. They do what
 * docs/operations/upgrade.md says to applications: after error 1053, and where nobody takes their
 * connection, they go to the next CN and send the same again. Every other error is kept.
 */
final class Ledger implements AutoCloseable {
  private static final int SHUTDOWN = 1053;
  private static final int CLIENTS = 4;
  private static final int OF_ONE = 10_000_000;

  private final List<Integer> ports;
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final LongAdder retries = new LongAdder();
  private volatile String phase = "";
  private volatile boolean over;

  Ledger(List<Integer> ports) {
    this.ports = List.copyOf(ports);
  }

  /** Makes its table and begins. */
  void begin() throws SQLException {
    try (Connection connection = MiniCluster.connect(ports.getFirst(), "", "")) {
      Servers.run(
          connection,
          "CREATE DATABASE ledger",
          "CREATE TABLE ledger.t (id INT PRIMARY KEY, b INT) PARTITION BY HASH(id) PARTITIONS 4");
    }
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      clients.execute(() -> work(client));
    }
  }

  /** What is done to the cluster now; errors are kept with it. */
  void phase(String now) {
    phase = now;
  }

  /** Rows whose INSERT was answered. */
  long written() {
    return acknowledged.size();
  }

  /** How often a statement was sent again. */
  long retries() {
    return retries.sum();
  }

  /** Each different one once, with its number. */
  Map<String, Integer> errors() {
    Map<String, Integer> counted = new HashMap<>();
    errors.forEach(error -> counted.merge(error, 1, Integer::sum));
    return counted;
  }

  private void work(int client) {
    Optional<Connection> connection = Optional.empty();
    int turn = client;
    for (int id = client * OF_ONE; !over; id++) {
      boolean written = false;
      while (!written && !over) {
        if (connection.isEmpty()) {
          connection = connected(++turn);
          continue;
        }
        try (Statement statement = connection.get().createStatement()) {
          statement.execute("INSERT INTO ledger.t VALUES (" + id + ", 1)");
          acknowledged.add(id);
          written = true;
          String read = Servers.only(statement, "SELECT b FROM ledger.t WHERE id = " + id);
          if (!read.equals("1")) {
            errors.add(phase + ": a row was read as " + read);
          }
        } catch (SQLException e) {
          if (e.getErrorCode() == SHUTDOWN) {
            retries.increment();
          } else {
            errors.add(
                phase + ": " + e.getErrorCode() + " (" + e.getSQLState() + ") " + firstLine(e));
            written = true; // maybe: it goes on with another row
          }
          close(connection.get());
          connection = Optional.empty();
        }
      }
    }
    connection.ifPresent(Ledger::close);
  }

  private static String firstLine(SQLException e) {
    Throwable cause = e.getCause();
    String why = cause == null ? "" : " <- " + cause.getMessage();
    return (e.getMessage() + why).lines().findFirst().orElse("").replaceAll("\\d{3,}", "N");
  }

  private Optional<Connection> connected(int turn) {
    int port = ports.get(turn % ports.size());
    try {
      return Optional.of(MiniCluster.connect(port, "", "&connectTimeout=5000&socketTimeout=60000"));
    } catch (SQLException e) {
      retries.increment();
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        over = true;
      }
      return Optional.empty();
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // it was lost already
    }
  }

  /** Ends the clients. */
  void end() {
    over = true;
    clients.close();
  }

  /** Rows that were acknowledged and are not there. */
  Set<Integer> lost() throws SQLException {
    Set<Integer> lost = new TreeSet<>(acknowledged);
    try (Connection connection = MiniCluster.connect(ports.getFirst(), "", "");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM ledger.t")) {
      while (rows.next()) {
        lost.remove(rows.getInt(1));
      }
    }
    return lost;
  }

  @Override
  public void close() {
    end();
  }
}
