package io.alrai.testing;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a server said to a statement, as comparable text.
 *
 * @param columns label, type and nullability of each
 * @param rows one text each
 * @param updateCount -1 for a result set
 * @param generatedKeys as the driver gives them
 * @param error number, SQLSTATE and sentence; empty for none
 * @param warnings numbers and sentences
 */
public record StatementAnswer(
    List<String> columns,
    List<String> rows,
    long updateCount,
    List<String> generatedKeys,
    String error,
    List<String> warnings) {
  /** Runs a statement and notes all it answers. */
  public static StatementAnswer of(Statement statement, String sql, boolean anyOrder) {
    List<String> columns = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    long count = -1;
    try {
      boolean isResult = statement.execute(sql, Statement.RETURN_GENERATED_KEYS);
      if (isResult) {
        read(statement.getResultSet(), columns, rows);
      } else {
        count = statement.getLargeUpdateCount();
        try (ResultSet generated = statement.getGeneratedKeys()) {
          while (generated.next()) {
            keys.add(generated.getString(1));
          }
        }
      }
      if (anyOrder) {
        Collections.sort(rows);
      }
      return new StatementAnswer(columns, rows, count, keys, "", warnings(statement));
    } catch (SQLException e) {
      return new StatementAnswer(
          List.of(),
          List.of(),
          -1,
          List.of(),
          e.getErrorCode() + " " + e.getSQLState() + " " + e.getMessage(),
          List.of());
    }
  }

  private static void read(ResultSet result, List<String> columns, List<String> rows)
      throws SQLException {
    ResultSetMetaData metadata = result.getMetaData();
    for (int i = 1; i <= metadata.getColumnCount(); i++) {
      columns.add(metadata.getColumnLabel(i) + " " + metadata.getColumnTypeName(i));
    }
    while (result.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= metadata.getColumnCount(); i++) {
        row.add(String.valueOf(result.getString(i)));
      }
      rows.add(String.join(" | ", row));
    }
  }

  private static List<String> warnings(Statement statement) throws SQLException {
    List<String> warnings = new ArrayList<>();
    for (SQLWarning warning = statement.getWarnings();
        warning != null;
        warning = warning.getNextWarning()) {
      warnings.add(warning.getErrorCode() + " " + warning.getMessage());
    }
    return warnings;
  }
}
