package io.alrai.e2e.parse;

import io.alrai.common.error.ErrorCode;
import io.alrai.testing.ClusterProcess;
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
  private static final int SECONDS_TO_COME_BACK = 60;

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
        ClusterProcess.await("the mysqld's next life", SECONDS_TO_COME_BACK, this::connects);
        return Optional.empty();
      }
      return Optional.of(!isSyntaxError(e));
    }
  }

  private boolean connects() {
    try {
      connection = MiniCluster.connect(port, schema, "");
      return true;
    } catch (SQLException notYet) {
      return false;
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
