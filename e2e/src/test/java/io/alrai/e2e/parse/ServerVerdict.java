package io.alrai.e2e.parse;

import io.alrai.common.error.ErrorCode;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Whether a mysqld can read a statement. PREPARE says it, and runs nothing. Some texts are the
 * death of a mysqld: of those it says nothing. One thread.
 */
final class ServerVerdict implements AutoCloseable {
  private static final int MOST_TRIES = 600;
  private static final int PAUSE_MILLIS = 100;

  private final int port;
  private final String schema;
  private Connection connection;

  ServerVerdict(int port, String schema) throws SQLException {
    this.port = port;
    this.schema = schema;
    this.connection = MiniCluster.connect(port, schema, "");
  }

  /** False when it says ER_PARSE_ERROR; empty when it did not survive the question. */
  Optional<Boolean> takes(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "PREPARE corpus FROM '" + sql.replace("\\", "\\\\").replace("'", "''") + "'");
      statement.execute("DEALLOCATE PREPARE corpus");
      return Optional.of(true);
    } catch (SQLException e) {
      if (connection.isClosed() || !connection.isValid(1)) {
        connectAgain();
        return Optional.empty();
      }
      return Optional.of(!isSyntaxError(e));
    }
  }

  private void connectAgain() throws SQLException {
    for (int tries = 1; ; tries++) {
      try {
        connection = MiniCluster.connect(port, schema, "");
        return;
      } catch (SQLException notYet) {
        if (tries == MOST_TRIES) {
          throw notYet;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether an error is ER_PARSE_ERROR. */
  static boolean isSyntaxError(SQLException e) {
    return e.getErrorCode() == ErrorCode.ER_PARSE_ERROR.errno();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
