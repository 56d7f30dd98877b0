package io.alrai.e2e.faults;

import io.alrai.common.error.ErrorCode;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Clients that read at members that follow, and keep what was wrong: a total that money which is
 * moved between two DNs does not change, and rows that they have just written themselves. Tables
 * are {@code bank.accounts (id, balance)} and {@code bank.own (id, n)}.
 */
final class ReplicaReaders implements AutoCloseable {
  /** What a client does. */
  enum Form {
    TOTAL,
    TOTAL_IN_ROWS,
    PREPARED_TOTAL,
    TRANSACTION,
    OWN_WRITES,
    WHATEVER_IS_THERE
  }

  private final int port;
  private final int accounts;
  private final long total;
  private final Map<Form, LongAdder> answered = new EnumMap<>(Form.class);
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

  /** Whether writes may fail, as leaders are killed. */
  private volatile boolean killed;

  private volatile boolean over;

  /**
   * They read from now on.
   *
   * @param wanted whether there are any
   */
  ReplicaReaders(int port, boolean wanted, int accounts, long total) {
    this.port = port;
    this.accounts = accounts;
    this.total = total;
    for (Form form : Form.values()) {
      answered.put(form, new LongAdder());
    }
    for (Form form : wanted ? Form.values() : new Form[0]) {
      clients.execute(() -> read(form));
    }
  }

  /** Makes what they read and write, in the database {@code bank}. */
  static void createTables(Connection admin, int accounts, int balance) throws SQLException {
    Servers.run(
        admin,
        "CREATE DATABASE bank",
        "CREATE TABLE bank.accounts (id INT PRIMARY KEY, balance INT NOT NULL)"
            + " PARTITION BY KEY(id) PARTITIONS 8",
        "CREATE TABLE bank.own (id INT PRIMARY KEY, n BIGINT NOT NULL)"
            + " PARTITION BY KEY(id) PARTITIONS 8");
    String values =
        IntStream.range(0, accounts)
            .mapToObj(id -> "(" + id + "," + balance + ")")
            .collect(Collectors.joining(","));
    Servers.run(admin, "INSERT INTO bank.accounts VALUES " + values);
  }

  private void read(Form form) {
    String options = form == Form.PREPARED_TOTAL ? "&useServerPrepStmts=true" : "";
    try (Connection client = MiniCluster.connect(port, "bank", options);
        Statement statement = client.createStatement()) {
      statement.execute("SET master_read_weight=0");
      if (form == Form.WHATEVER_IS_THERE) {
        statement.execute("SET enable_consistent_replica_read=OFF");
      }
      for (long i = 1; !over; i++) {
        try {
          answer(form, client, statement, i);
          answered.get(form).increment();
        } catch (SQLException e) {
          boolean mayFail = killed && form == Form.OWN_WRITES;
          if (!mayFail && !isRestarted(form, e)) {
            errors.add(form + ": " + e.getErrorCode() + ": " + e.getMessage());
          }
        }
      }
    } catch (SQLException e) {
      errors.add(form + " has no connection: " + e.getMessage());
    }
  }

  /** It lost its member when its snapshot was gone elsewhere, or the leader that it locked at. */
  private static boolean isRestarted(Form form, SQLException error) {
    return form == Form.TRANSACTION && error.getErrorCode() == ErrorCode.ER_LOCK_DEADLOCK.errno();
  }

  private void answer(Form form, Connection client, Statement statement, long turn)
      throws SQLException {
    switch (form) {
      case TOTAL -> expect(form, total, number(statement, "SELECT SUM(balance) FROM accounts"));
      case TOTAL_IN_ROWS -> {
        long sum = 0;
        try (ResultSet rows = statement.executeQuery("SELECT id,balance FROM accounts")) {
          while (rows.next()) {
            sum += rows.getLong(2);
          }
        }
        expect(form, total, sum);
      }
      case PREPARED_TOTAL -> {
        try (PreparedStatement prepared =
            client.prepareStatement("SELECT SUM(balance) FROM accounts WHERE id>=?")) {
          prepared.setInt(1, 0);
          try (ResultSet rows = prepared.executeQuery()) {
            rows.next();
            expect(form, total, rows.getLong(1));
          }
        }
      }
      case TRANSACTION -> {
        statement.execute("START TRANSACTION READ ONLY");
        long first = number(statement, "SELECT balance FROM accounts WHERE id=1");
        expect(form, total, number(statement, "SELECT SUM(balance) FROM accounts"));
        statement.execute("SELECT balance FROM accounts WHERE id=1 FOR SHARE");
        expect(form, total, number(statement, "SELECT SUM(balance) FROM accounts"));
        expect(form, first, number(statement, "SELECT balance FROM accounts WHERE id=1"));
        statement.execute("COMMIT");
      }
      case OWN_WRITES -> {
        long id = turn % accounts;
        statement.execute("REPLACE INTO own VALUES (" + id + "," + turn + ")");
        expect(form, turn, number(statement, "SELECT n FROM own WHERE id=" + id));
        expect(form, turn, number(statement, "SELECT MAX(n) FROM own"));
      }
      case WHATEVER_IS_THERE ->
          expect(form, accounts, number(statement, "SELECT COUNT(*) FROM accounts"));
    }
  }

  private static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private void expect(Form form, long wanted, long found) {
    if (wanted != found) {
      errors.add(form + " has found " + found + " instead of " + wanted);
    }
  }

  /** Leaders are killed from now on. */
  void killing() {
    killed = true;
  }

  /** Answers of the form that has the fewest. */
  long fewest() {
    return answered.values().stream().mapToLong(LongAdder::sum).min().orElseThrow();
  }

  /** What was wrong so far. */
  List<String> errors() {
    return new ArrayList<>(errors);
  }

  @Override
  public String toString() {
    return answered.toString();
  }

  @Override
  public void close() {
    over = true;
    clients.close();
  }
}
