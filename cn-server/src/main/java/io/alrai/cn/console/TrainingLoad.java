package io.alrai.cn.console;

import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.common.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What clients do most, in short: point SELECTs and ranges, changes of single rows, transfers
 * between DNs, totals over all of them. Every second client prepares its statements at the server.
 * Used by one thread; its clients have their own.
 */
final class TrainingLoad {
  private static final Logger log = LoggerFactory.getLogger(TrainingLoad.class);
  private static final int LINES = 2_000;
  private static final int ACCOUNTS = 200;
  private static final int RANGE = 100;

  /** Rounds of all kinds of work after which a client connects anew. */
  private static final int ROUNDS_OF_A_CONNECTION = 50;

  private final MysqlEndpoint endpoint;
  private final int dns;
  private final LongAdder statements = new LongAdder();
  private final LongAdder failures = new LongAdder();

  /**
   * What came of it.
   *
   * @param statements that were answered
   * @param failures transactions that ended with an error
   */
  record Outcome(long statements, long failures) {
    Outcome and(Outcome other) {
      return new Outcome(statements + other.statements, failures + other.failures);
    }

    /** Whether most of it was answered: transactions that deadlock are part of it. */
    boolean wasWork() {
      return statements > 100 * failures;
    }

    String text() {
      return statements + " statements, " + failures + " transactions failed";
    }
  }

  /**
   * A load.
   *
   * @param endpoint with the schema that it makes
   * @param dns of the cluster: its tables have as many partitions
   */
  TrainingLoad(MysqlEndpoint endpoint, int dns) {
    this.endpoint = endpoint;
    this.dns = dns;
  }

  /** Makes the schema and its rows. */
  void create() throws SQLException {
    String partitions = " PARTITIONS " + dns;
    try (Connection connection = endpoint.connectToServer();
        Statement statement = connection.createStatement()) {
      String database = Sql.quote(endpoint.database());
      statement.execute("CREATE DATABASE " + database);
      statement.execute("USE " + database);
      statement.execute(
          "CREATE TABLE line (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, k INT NOT NULL DEFAULT 0,"
              + " c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '')"
              + " PARTITION BY KEY(id)"
              + partitions);
      statement.execute("CREATE INDEX k ON line (k)");
      statement.execute(
          "CREATE TABLE account (id INT PRIMARY KEY, balance BIGINT NOT NULL)"
              + " PARTITION BY HASH(id)"
              + partitions);
      for (int from = 1; from <= LINES; from += RANGE) {
        statement.execute(
            "INSERT INTO line (id, k, c, pad) VALUES "
                + rows(from, id -> "(" + id + ", " + id % 50 + ", 'text of line " + id + "', '')"));
      }
      for (int from = 0; from < ACCOUNTS; from += RANGE) {
        statement.execute("INSERT INTO account VALUES " + rows(from, id -> "(" + id + ", 1000)"));
      }
    }
  }

  private interface Row {
    String text(int id);
  }

  private static String rows(int from, Row row) {
    return IntStream.range(from, from + RANGE)
        .mapToObj(row::text)
        .collect(Collectors.joining(", "));
  }

  /** Lets so many clients work for so long. */
  Outcome run(int clients, Duration time) throws Exception {
    long end = System.nanoTime() + time.toNanos();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        Client client = new Client(i % 2 == 1, new Random(i));
        all.add(
            threads.submit(() -> {
              while (System.nanoTime() - end < 0) {
                client.workOnOneConnection(end);
              }
              return null;
            }));
      }
      for (Future<?> client : all) {
        client.get();
      }
    }
    return new Outcome(statements.sum(), failures.sum());
  }

  /** A transaction, or a statement by itself. */
  private interface Work {
    void run() throws SQLException;
  }

  /** One client; it is used by a single thread. */
  private final class Client {
    private final boolean atTheServer;
    private final Random random;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    Client(boolean atTheServer, Random random) {
      this.atTheServer = atTheServer;
      this.random = random;
    }

    void workOnOneConnection(long end) throws SQLException {
      prepared.clear();
      try (Connection connection =
              endpoint.connect(Map.of("useServerPrepStmts", Boolean.toString(atTheServer)));
          Statement text = connection.createStatement()) {
        List<Work> works = works(connection, text);
        for (int i = 0; i < ROUNDS_OF_A_CONNECTION && System.nanoTime() - end < 0; i++) {
          for (Work work : works) {
            attempt(text, work);
          }
        }
      }
    }

    private List<Work> works(Connection connection, Statement text) {
      return List.of(
          () -> reads(connection, text),
          () -> writes(connection, text),
          () -> transfer(connection, text),
          () -> transfer(connection, text),
          () -> alone(connection),
          () -> totals(connection, text));
    }

    private void attempt(Statement text, Work work) throws SQLException {
      try {
        work.run();
      } catch (SQLException e) {
        failures.increment();
        log.info("{}: {}", e.getErrorCode(), e.getMessage());
        text.execute("ROLLBACK");
      }
    }

    private void reads(Connection connection, Statement text) throws SQLException {
      String range = " FROM line WHERE id BETWEEN ? AND ?";
      int from = line();
      text.execute("BEGIN");
      for (int i = 0; i < 10; i++) {
        ask(connection, "SELECT c FROM line WHERE id = ?", line());
      }
      ask(connection, "SELECT c" + range, from, from + RANGE - 1);
      ask(connection, "SELECT SUM(k)" + range, from, from + RANGE - 1);
      ask(connection, "SELECT c" + range + " ORDER BY c", from, from + RANGE - 1);
      ask(connection, "SELECT DISTINCT c" + range + " ORDER BY c", from, from + RANGE - 1);
      text.execute("COMMIT");
    }

    private void writes(Connection connection, Statement text) throws SQLException {
      int gone = line();
      text.execute("BEGIN");
      change(connection, "UPDATE line SET k = k + 1 WHERE id = ?", line());
      change(connection, "UPDATE line SET c = ? WHERE id = ?", "text " + random.nextInt(), line());
      change(connection, "DELETE FROM line WHERE id = ?", gone);
      change(connection, "INSERT INTO line (id, k, c) VALUES (?, ?, ?)", gone, 7, "again");
      text.execute("COMMIT");
    }

    /** The lower number first, so that nobody deadlocks; numbers in a row are on different DNs. */
    private void transfer(Connection connection, Statement text) throws SQLException {
      int lower = random.nextInt(ACCOUNTS - 1);
      String update = "UPDATE account SET balance = balance + ? WHERE id = ?";
      text.execute("BEGIN");
      change(connection, update, -1, lower);
      change(connection, update, 1, lower + 1);
      text.execute("COMMIT");
    }

    private void alone(Connection connection) throws SQLException {
      change(connection, "UPDATE line SET k = k + 1 WHERE id = ?", line());
      for (int i = 0; i < 5; i++) {
        ask(connection, "SELECT * FROM line WHERE id = ?", line());
      }
      ask(connection, "SELECT id, k FROM line WHERE k = ? LIMIT 5", random.nextInt(50));
    }

    private void totals(Connection connection, Statement text) throws SQLException {
      String sum = "SELECT SUM(balance), COUNT(*) FROM account";
      ask(connection, sum);
      text.execute("BEGIN");
      ask(connection, sum + " WHERE id < ?", ACCOUNTS / 2);
      ask(connection, sum + " WHERE id >= ?", ACCOUNTS / 2);
      text.execute("COMMIT");
      ask(connection, "SELECT k, COUNT(*) FROM line GROUP BY k ORDER BY 2 DESC, 1 LIMIT 5");
    }

    private int line() {
      return 1 + random.nextInt(LINES - RANGE);
    }

    private void ask(Connection connection, String sql, Object... values) throws SQLException {
      PreparedStatement statement = statement(connection, sql, values);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          rows.getString(1);
        }
      }
      statements.increment();
    }

    private void change(Connection connection, String sql, Object... values) throws SQLException {
      statement(connection, sql, values).executeUpdate();
      statements.increment();
    }

    private PreparedStatement statement(Connection connection, String sql, Object... values)
        throws SQLException {
      PreparedStatement statement = prepared.get(sql);
      if (statement == null) {
        statement = connection.prepareStatement(sql);
        prepared.put(sql, statement);
      }
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement;
    }
  }
}
