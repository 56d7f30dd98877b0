package io.alrai.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Runs a script on a plain mysqld and on Alrai and compares every answer. */
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
   * Runs the script in a fresh schema {@code script} on both.
   *
   * @param properties of the connections, see {@link MiniCluster#connect(int, String, String)}
   * @return where they differ, in order
   */
  public List<Difference> run(SqlScript script, String properties) throws SQLException {
    fresh(plainPort);
    fresh(alraiPort);
    List<Difference> differences = new ArrayList<>();
    boolean prepared = properties.contains("useServerPrepStmts=true");
    try (ScriptSessions plain = new ScriptSessions(plainPort, properties);
        ScriptSessions alrai = new ScriptSessions(alraiPort, properties)) {
      for (SqlScript.Statement statement : script.statements()) {
        StatementAnswer expected =
            StatementAnswer.of(
                plain.of(statement.sender()), statement.plain(), statement, prepared);
        StatementAnswer actual =
            StatementAnswer.of(
                alrai.of(statement.sender()), statement.alrai(), statement, prepared);
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
