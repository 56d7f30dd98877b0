package io.alrai.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a script on a plain mysqld and on Alrai, both at once, and compares every answer. */
public final class ScriptComparison {
  /**
   * A statement whose answers differ.
   *
   * @param line in the script
   */
  public record Difference(int line, String sql, StatementAnswer plain, StatementAnswer alrai) {
    @Override
    public String toString() {
      return "line " + line + ": " + sql + plain.difference(alrai);
    }
  }

  private final int plainPort;
  private final int alraiPort;

  /** A comparison of two endpoints of this machine. */
  public ScriptComparison(int plainPort, int alraiPort) {
    this.plainPort = plainPort;
    this.alraiPort = alraiPort;
  }

  /**
   * Runs the script in a fresh schema {@code script} on both: a statement when both have answered
   * the one before it.
   *
   * @param properties of the connections, see {@link MiniCluster#connect(int, String, String)}
   * @return where they differ, in order
   */
  public List<Difference> run(SqlScript script, String properties)
      throws SQLException, ExecutionException, InterruptedException {
    fresh(plainPort);
    fresh(alraiPort);
    List<Difference> differences = new ArrayList<>();
    boolean prepared = properties.contains("useServerPrepStmts=true");
    try (ExecutorService beside = Executors.newSingleThreadExecutor();
        ScriptSessions plain = new ScriptSessions(plainPort, properties);
        ScriptSessions alrai = new ScriptSessions(alraiPort, properties)) {
      for (SqlScript.Statement statement : script.statements()) {
        Future<StatementAnswer> plainly =
            beside.submit(() ->
                StatementAnswer.of(
                    plain.of(statement.sender()), statement.plain(), statement, prepared));
        StatementAnswer actual =
            StatementAnswer.of(
                alrai.of(statement.sender()), statement.alrai(), statement, prepared);
        StatementAnswer expected = plainly.get();
        if (!expected.equals(actual)) {
          differences.add(new Difference(statement.line(), statement.sql(), expected, actual));
        }
      }
    }
    return differences;
  }

  private static void fresh(int port) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS script");
      statement.execute("CREATE DATABASE script");
    }
  }
}
