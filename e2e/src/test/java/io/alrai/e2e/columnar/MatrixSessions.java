package io.alrai.e2e.columnar;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * The tables {@code m} and {@code o} of {@link MatrixColumn#ALL} on a plain mysqld and on a cluster
 * where both are indexed, half of the rows before, half after. Rows up to {@link #TAME_ROWS} have
 * tame values only. One thread.
 */
final class MatrixSessions implements AutoCloseable {
  static final int TAME_ROWS = 20;
  private static final int WILD_ROWS = 28;
  private static final String SCHEMA = "matrix";
  private static final String LEFT = "left to the rows the last time: ";

  private final Connection plain;
  private final Connection alrai;
  private final Statement plainStatement;
  private final Statement alraiStatement;
  private long answered;

  /** What a server says to a SELECT: its rows, or the number of its error. */
  record Answer(List<String> rows, int error) {}

  private MatrixSessions(Connection plain, Connection alrai) throws SQLException {
    this.plain = plain;
    this.alrai = alrai;
    this.plainStatement = plain.createStatement();
    this.alraiStatement = alrai.createStatement();
  }

  /** Makes both tables anew; the seed says which values stand beside each other. */
  static MatrixSessions open(Servers servers, long seed) throws SQLException {
    Servers.freshSchema(servers.plain().port(), SCHEMA);
    Servers.freshSchema(servers.cluster().port(), SCHEMA);
    MatrixSessions sessions =
        new MatrixSessions(
            MiniCluster.connect(servers.plain().port(), SCHEMA, ""),
            MiniCluster.connect(servers.cluster().port(), SCHEMA, ""));
    Random dice = new Random(seed);
    for (String table : List.of("m", "o")) {
      String columns =
          MatrixColumn.ALL.stream()
              .map(column -> column.name() + " " + column.type())
              .collect(Collectors.joining(", "));
      sessions.both("CREATE TABLE " + table + " (id INT PRIMARY KEY, " + columns + ")", "");
      List<String> rows = rows(dice);
      int half = rows.size() / 2;
      sessions.both("INSERT INTO " + table + " VALUES ", String.join(",", rows.subList(0, half)));
      ColumnIndexed.create(sessions.alrai, table, "id");
      sessions.both(
          "INSERT INTO " + table + " VALUES ", String.join(",", rows.subList(half, rows.size())));
    }
    sessions.alraiStatement.execute("SET workload_type = 'AP'");
    sessions.byColumns();
    return sessions;
  }

  private static List<String> rows(Random dice) {
    int count = TAME_ROWS + WILD_ROWS;
    List<List<String>> columns = new ArrayList<>();
    for (MatrixColumn column : MatrixColumn.ALL) {
      List<String> values = new ArrayList<>(column.values(TAME_ROWS, true, dice));
      values.addAll(column.values(WILD_ROWS, false, dice));
      columns.add(values);
    }
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < count; row++) {
      StringJoiner values = new StringJoiner(",", "(", ")").add(Integer.toString(row + 1));
      for (List<String> column : columns) {
        values.add(column.get(row));
      }
      rows.add(values.toString());
    }
    Collections.shuffle(rows, dice);
    return rows;
  }

  private void both(String words, String rest) throws SQLException {
    plainStatement.execute("SET sql_mode = ''");
    alraiStatement.execute("SET sql_mode = ''");
    plainStatement.execute(words + rest);
    alraiStatement.execute(words + rest);
    plainStatement.execute("SET sql_mode = DEFAULT");
    alraiStatement.execute("SET sql_mode = DEFAULT");
  }

  /** The answer of the plain mysqld. */
  Answer plain(String sql) {
    return answer(plainStatement, sql);
  }

  /** Of Alrai. */
  Answer alrai(String sql) {
    return answer(alraiStatement, sql);
  }

  /** Which store Alrai asks from here on: AP or TP. */
  void workload(String type) throws SQLException {
    alraiStatement.execute("SET workload_type = '" + type + "'");
  }

  private static Answer answer(Statement statement, String sql) {
    try (ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        StringJoiner row = new StringJoiner(" | ");
        for (int i = 1; i <= columns; i++) {
          byte[] value = result.getBytes(i);
          row.add(value == null ? "NULL" : new String(value, StandardCharsets.UTF_8));
        }
        rows.add(row.toString());
      }
      return new Answer(rows, 0);
    } catch (SQLException e) {
      return new Answer(List.of(), e.getErrorCode());
    }
  }

  /** Whether column indexes have answered a SELECT since the last time that this was asked. */
  boolean byColumns() throws SQLException {
    try (ResultSet row =
        alraiStatement.executeQuery("SHOW STATUS LIKE 'Alrai_column_selects_total'")) {
      row.next();
      long before = answered;
      answered = row.getLong(2);
      return answered > before;
    }
  }

  /** Why EXPLAIN says that a SELECT goes to the rows; empty when it goes to the columns. */
  String reason(String sql) throws SQLException {
    String first = explained(sql).getFirst();
    return first.startsWith("workload: AP") ? "" : first.replaceAll("^workload: TP \\(|\\)$", "");
  }

  /** Why EXPLAIN says that a SELECT was left to the rows while it ran. */
  Optional<String> leftReason(String sql) throws SQLException {
    return explained(sql).stream()
        .filter(line -> line.startsWith(LEFT))
        .map(line -> line.substring(LEFT.length()))
        .findFirst();
  }

  private List<String> explained(String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (ResultSet result = alraiStatement.executeQuery("EXPLAIN COST " + sql)) {
      while (result.next()) {
        lines.add(result.getString(1));
      }
    }
    return lines;
  }

  @Override
  public void close() throws SQLException {
    plain.close();
    alrai.close();
  }
}
