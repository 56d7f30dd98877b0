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
  private static final int OK = 0;

  /** With it any text is a syntax error. */
  private static final String WRONG_END = "\n)";

  private final int port;
  private final String schema;
  private Connection connection;

  ServerVerdict(int port, String schema) throws SQLException {
    this.port = port;
    this.schema = schema;
    this.connection = MiniCluster.connect(port, schema, "");
  }

  /**
   * False when it says ER_PARSE_ERROR; empty when it did not survive the question, or found another
   * mistake before it had read all.
   */
  Optional<Boolean> takes(String sql) throws SQLException {
    Optional<Integer> error = error(sql);
    if (error.isEmpty() || error.get() == OK || isSyntaxError(error.get())) {
      return error.map(errno -> errno == OK);
    }
    return error(sql + WRONG_END).filter(ServerVerdict::isSyntaxError).map(_ -> true);
  }

  private Optional<Integer> error(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "PREPARE corpus FROM '" + sql.replace("\\", "\\\\").replace("'", "''") + "'");
      statement.execute("DEALLOCATE PREPARE corpus");
      return Optional.of(OK);
    } catch (SQLException e) {
      if (connection.isClosed() || !connection.isValid(1)) {
        ClusterProcess.await("the mysqld's next life", SECONDS_TO_COME_BACK, this::connects);
        return Optional.empty();
      }
      return Optional.of(e.getErrorCode());
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
    return isSyntaxError(e.getErrorCode());
  }

  private static boolean isSyntaxError(int errno) {
    return errno == ErrorCode.ER_PARSE_ERROR.errno();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
