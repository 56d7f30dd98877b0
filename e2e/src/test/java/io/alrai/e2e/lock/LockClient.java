package io.alrai.e2e.lock;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A session whose statements may wait for a lock. */
final class LockClient implements AutoCloseable {
  private final int port;
  private final Connection connection;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final String id;

  LockClient(int port, String schema) throws SQLException {
    this.port = port;
    this.connection = MiniCluster.connect(port, schema, "");
    this.id = one("SELECT CONNECTION_ID()");
  }

  void run(String... statements) throws SQLException {
    Servers.run(connection, statements);
  }

  String one(String query) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return Servers.only(statement, query);
    }
  }

  /**
   * The number of the error that a statement ends with; 0 for none, -1 where the connection broke.
   */
  int error(String sql) {
    try {
      run(sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode() == 0 ? -1 : e.getErrorCode();
    }
  }

  /** Begins a statement; its error's number comes later. */
  Future<Integer> begin(String sql) {
    return executor.submit(() -> error(sql));
  }

  /** Starts it, and returns when it is shown to wait. */
  Future<Integer> waiting(String sql, String state) throws SQLException {
    Future<Integer> answer = begin(sql);
    awaitShown(state);
    return answer;
  }

  /** Returns when SHOW PROCESSLIST has this state of the session. */
  void awaitShown(String state) throws SQLException {
    awaitRow("STATE = '" + state + "'");
  }

  /** Returns when SHOW PROCESSLIST has this session at a statement that begins so. */
  void awaitAtWork(String sql) throws SQLException {
    awaitRow("COMMAND <> 'Sleep' AND INFO LIKE '" + sql + "%'");
  }

  /** Returns when SHOW PROCESSLIST no longer has the session: it has been killed. */
  void awaitGone() throws SQLException {
    await("TRUE", "0");
  }

  private void awaitRow(String condition) throws SQLException {
    await(condition, "1");
  }

  private void await(String condition, String count) throws SQLException {
    String query =
        "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = "
            + id
            + " AND "
            + condition;
    try (Connection look = MiniCluster.connect(port, "", "");
        Statement statement = look.createStatement()) {
      ClusterProcess.await(
          condition,
          () -> {
            try {
              return Servers.only(statement, query).equals(count);
            } catch (SQLException e) {
              throw new AssertionError(e);
            }
          });
    }
  }

  /** {@code CONNECTION_ID()}. */
  String id() {
    return id;
  }

  int port() {
    return port;
  }

  /** RESET_CONNECTION. */
  void reset() throws SQLException {
    connection.unwrap(com.mysql.cj.jdbc.JdbcConnection.class).resetServerState();
  }

  /** Whichever is answered first. */
  static Future<Integer> first(Future<Integer> one, Future<Integer> other) {
    ClusterProcess.await("an answer", () -> one.isDone() || other.isDone());
    return one.isDone() ? one : other;
  }

  static int answer(Future<Integer> waiting) throws ExecutionException, InterruptedException {
    try {
      return waiting.get(60, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError("no answer within a minute", e);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    executor.close();
  }
}
