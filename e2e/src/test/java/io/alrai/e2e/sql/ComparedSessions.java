package io.alrai.e2e.sql;

import io.alrai.e2e.Servers;
import io.alrai.testing.HostileNames;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.SqlScript;
import io.alrai.testing.StatementAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A session on a plain mysqld and one on Alrai that are sent the same statements.
 *
 * @param differences takes how the answers differ, with the statements
 * @param names that stand for those of the statements
 */
record ComparedSessions(
    Connection plain, Connection alrai, List<String> differences, HostileNames names)
    implements AutoCloseable {
  /**
   * Opens both.
   *
   * @param properties of the driver, each with {@code &} before it
   */
  static ComparedSessions open(
      Servers servers, String schema, String properties, List<String> differences)
      throws SQLException {
    return new ComparedSessions(
        MiniCluster.connect(servers.plain().port(), schema, properties),
        MiniCluster.connect(servers.cluster().port(), schema, properties),
        differences,
        HostileNames.none());
  }

  /** A copy with other names in the statements. */
  ComparedSessions with(HostileNames others) {
    return new ComparedSessions(plain, alrai, differences, others);
  }

  /** Compares all of the answer. */
  void same(String sql) {
    same(new RandomSelects.Select(sql, false));
  }

  /** Compares all of the answer. */
  void same(RandomSelects.Select select) {
    compare(select, answer -> answer);
  }

  /** Compares rows, counts and errors only. */
  void sameRows(RandomSelects.Select select) {
    compare(select, answer -> part(answer, answer.error(), List.of()));
  }

  /** A write of several rows: which of those that are wrong is found first is left open. */
  void sameButForTheRow(String sql) {
    compare(
        new RandomSelects.Select(sql, false),
        answer ->
            part(
                answer, answer.error().isEmpty() ? "" : "an error", comparable(answer.warnings())));
  }

  private static StatementAnswer part(StatementAnswer all, String error, List<String> warnings) {
    return new StatementAnswer(
        List.of(), all.rows(), all.updateCount(), List.of(), error, warnings);
  }

  /** Without rows and order; that a column cannot be NULL is reported once by each shard. */
  private static List<String> comparable(List<String> warnings) {
    Set<String> ofNull = new HashSet<>();
    return warnings.stream()
        .map(warning -> warning.replaceAll(" at row \\d+$", ""))
        .filter(warning -> !warning.startsWith("1048 ") || ofNull.add(warning))
        .sorted()
        .toList();
  }

  private void compare(RandomSelects.Select select, UnaryOperator<StatementAnswer> part) {
    SqlScript.Statement statement =
        new SqlScript.Statement(
            1, names.in(select.sql()), select.anyOrder(), List.of(), SqlScript.Sender.ROOT);
    StatementAnswer expected =
        part.apply(StatementAnswer.of(plain, statement.plain(), statement, false));
    StatementAnswer actual =
        part.apply(StatementAnswer.of(alrai, statement.alrai(), statement, false));
    if (!expected.equals(actual)) {
      differences.add(statement.sql() + expected.difference(actual));
    }
  }

  @Override
  public void close() throws SQLException {
    plain.close();
    alrai.close();
  }
}
