package io.alrai.testing.load;

import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A connection to one endpoint that is made anew after it was lost. One thread. */
final class Client implements AutoCloseable {
  /** How an error leaves the transaction it came in. */
  enum Loss {
    /** The server says that it rolled back, or that the statement did nothing. */
    NONE,
    /** Nobody answered: what was sent last may have been done or not. */
    ANSWER
  }

  private static final String PROPERTIES =
      "&connectTimeout=5000&socketTimeout=30000&useLocalSessionState=true";

  private final int port;
  private final String schema;
  private final String properties;
  private final List<String> greeting;
  private Optional<Connection> connection = Optional.empty();
  private long connections;

  /**
   * A client that is not connected yet.
   *
   * @param properties more of Connector/J's, each with a leading ampersand
   * @param greeting statements that every new connection begins with
   */
  Client(int port, String schema, String properties, List<String> greeting) {
    this.port = port;
    this.schema = schema;
    this.properties = PROPERTIES + properties;
    this.greeting = greeting;
  }

  /** The connection; a new one if there is none. */
  Connection connection() throws SQLException {
    if (connection.isPresent()) {
      return connection.get();
    }
    Connection fresh = MiniCluster.connect(port, schema, properties);
    connection = Optional.of(fresh);
    connections++;
    for (String sql : greeting) {
      execute(sql);
    }
    return fresh;
  }

  /** How many connections it has had. */
  long connections() {
    return connections;
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection().createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first row of a result, as numbers. */
  long[] row(String sql) throws SQLException {
    try (Statement statement = connection().createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      if (!rows.next()) {
        throw new SQLException("no row from " + sql);
      }
      long[] row = new long[rows.getMetaData().getColumnCount()];
      for (int i = 0; i < row.length; i++) {
        row[i] = rows.getLong(i + 1);
      }
      return row;
    }
  }

  /** What an error means; after the loss of an answer the connection is given up. */
  Loss after(SQLException error) {
    if (!lostConnection(error)) {
      return Loss.NONE;
    }
    close();
    return Loss.ANSWER;
  }

  private static boolean lostConnection(SQLException error) {
    String state = error.getSQLState() == null ? "" : error.getSQLState();
    return state.startsWith("08")
        || error instanceof SQLNonTransientConnectionException
        || error instanceof SQLRecoverableException;
  }

  /** Rolls back what is open, if anybody is there to do it. */
  void rollBack() {
    if (connection.isPresent()) {
      try {
        execute("ROLLBACK");
      } catch (SQLException e) {
        // whoever cannot roll back on request does it when the connection ends
        close();
      }
    }
  }

  /** Lets a moment pass before the next attempt to reach somebody who is not there. */
  static void rest() {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    if (connection.isPresent()) {
      Connection old = connection.get();
      connection = Optional.empty();
      try {
        old.close();
      } catch (SQLException e) {
        // it was lost already, which is why it is closed
      }
    }
  }
}
