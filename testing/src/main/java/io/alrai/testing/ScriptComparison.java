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

  /** Called for each statement that both have answered, before the next one. */
  @FunctionalInterface
  public interface Watcher {
    /** Alrai has given this answer. */
    void answered(SqlScript.Statement statement, StatementAnswer answer) throws SQLException;
  }

  private final int plainPort;
  private final int alraiPort;

  /** A comparison of two endpoints of this machine. */
  public ScriptComparison(int plainPort, int alraiPort) {
    this.plainPort = plainPort;
    this.alraiPort = alraiPort;
  }

  /**
   * Runs the script in a fresh schema on both: a statement when both have answered the one before
   * it.
   *
   * @param schema stands wherever the script names {@link SqlScript#SCHEMA}
   * @param properties of the connections, see {@link MiniCluster#connect(int, String, String)}
   * @return where they differ, in order
   */
  public List<Difference> run(SqlScript script, String schema, String properties)
      throws SQLException, ExecutionException, InterruptedException {
    return run(script, schema, properties, "", (statement, answer) -> {});
  }

  /**
   * Runs a script with a watcher.
   *
   * @param more properties of the connections to Alrai only
   */
  public List<Difference> run(
      SqlScript script, String schema, String properties, String more, Watcher watcher)
      throws SQLException, ExecutionException, InterruptedException {
    fresh(plainPort, schema);
    fresh(alraiPort, schema);
    List<Difference> differences = new ArrayList<>();
    boolean prepared = properties.contains("useServerPrepStmts=true");
    try (ExecutorService beside = Executors.newSingleThreadExecutor();
        ScriptSessions plain = new ScriptSessions(plainPort, schema, properties);
        ScriptSessions alrai = new ScriptSessions(alraiPort, schema, properties + more)) {
      for (SqlScript.Statement statement : script.in(schema).statements()) {
        Future<StatementAnswer> plainly =
            beside.submit(() ->
                StatementAnswer.of(
                    plain.of(statement.sender()), statement.plain(), statement, prepared));
        StatementAnswer actual =
            StatementAnswer.of(
                alrai.of(statement.sender()), statement.alrai(), statement, prepared);
        StatementAnswer expected = plainly.get();
        watcher.answered(statement, actual);
        if (!expected.equals(actual)) {
          differences.add(new Difference(statement.line(), statement.sql(), expected, actual));
        }
      }
    }
    // what is left would be in the way of scripts that look at all databases
    drop(plainPort, schema);
    drop(alraiPort, schema);
    return differences;
  }

  private static void drop(int port, String schema) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS " + DatabaseNames.quoted(schema));
    }
  }

  private static void fresh(int port, String schema) throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS " + DatabaseNames.quoted(schema));
      statement.execute("CREATE DATABASE " + DatabaseNames.quoted(schema));
    }
  }
}
