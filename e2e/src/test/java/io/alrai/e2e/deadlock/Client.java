package io.alrai.e2e.deadlock;

import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A client in a transaction, whose statements may wait. */
final class Client implements AutoCloseable {
  private final Connection connection;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  private Client(Connection connection) {
    this.connection = connection;
  }

  static Client open(int port, String schema) throws SQLException {
    // or Connector/J asks for transaction_read_only, on any DN, which then has a branch
    return new Client(
        MiniCluster.connect(
            port, schema, "&useServerPrepStmts=true&readOnlyPropagatesToServer=false"));
  }

  /** A client that has begun a transaction with an UPDATE of this row. */
  static Client holding(int port, String schema, int row) throws SQLException {
    Client client = open(port, schema);
    client.run("BEGIN");
    client.run("UPDATE t SET b = b + 1 WHERE a = " + row);
    // ages on two DNs are measured one after the other: so that who comes next is surely younger
    client.one("SELECT SLEEP(0.1)");
    return client;
  }

  int run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql) ? 0 : statement.getUpdateCount();
    }
  }

  String one(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      StringBuilder all = new StringBuilder();
      while (rows.next()) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          all.append(rows.getString(i)).append(' ');
        }
      }
      return all.toString().strip();
    }
  }

  Waiting begin(String sql) {
    return new Waiting(executor.submit(() -> run(sql)));
  }

  Waiting beginPrepared(String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    return new Waiting(executor.submit(() -> statement.executeUpdate()));
  }

  @Override
  public void close() throws SQLException {
    executor.shutdownNow();
    connection.close();
  }

  /** A statement at work. */
  static final class Waiting {
    private final Future<Integer> answer;
    private final long beginNanos = System.nanoTime();

    private Waiting(Future<Integer> answer) {
      this.answer = answer;
    }

    /** Nothing is answered for so long. */
    Waiting stillThereAfter(long millis) throws Exception {
      try {
        throw new AssertionError("answered " + answer.get(millis, TimeUnit.MILLISECONDS));
      } catch (TimeoutException expected) {
        return this;
      }
    }

    boolean done() {
      return answer.isDone();
    }

    int rows() throws Exception {
      return answer.get(20, TimeUnit.SECONDS);
    }

    /** The error that it fails with. */
    SQLException error() throws Exception {
      try {
        throw new AssertionError("no error but rows: " + answer.get(20, TimeUnit.SECONDS));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof SQLException error) {
          return error;
        }
        throw e;
      }
    }

    /** Milliseconds since it began. */
    long millis() {
      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
    }
  }
}
