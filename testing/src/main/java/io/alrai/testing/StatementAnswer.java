package io.alrai.testing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a server said to a statement, as comparable text.
 *
 * @param columns label, type, precision, scale, nullability and origin of each
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
  /**
   * Runs a statement and notes all it answers.
   *
   * @param sql its text for this server
   * @param prepared whether a statement without parameters is prepared, too
   */
  public static StatementAnswer of(
      Connection connection, String sql, SqlScript.Statement script, boolean prepared) {
    try {
      if (script.parameters().isEmpty() && !(prepared && isPrepared(sql))) {
        try (Statement statement = connection.createStatement()) {
          boolean isResult = statement.execute(sql, Statement.RETURN_GENERATED_KEYS);
          return isCall(sql)
              ? read(statement, isResult)
              : read(statement, isResult, script.anyOrder());
        }
      }
      try (PreparedStatement statement =
          connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
        int position = 1;
        for (Optional<Object> parameter : script.parameters()) {
          statement.setObject(position, parameter.orElse(null));
          position++;
        }
        boolean isResult = statement.execute();
        return isCall(sql)
            ? read(statement, isResult)
            : read(statement, isResult, script.anyOrder());
      }
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

  // Preparing EXECUTE and the like is refused; preparing SHOW WARNINGS clears the warnings.
  private static boolean isPrepared(String sql) {
    String start = sql.stripLeading().toUpperCase(Locale.ROOT);
    return List.of(
                "SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "(", "VALUES", "TABLE ",
                "CALL")
            .stream()
            .anyMatch(start::startsWith)
        && !start.contains("@@WARNING_COUNT");
  }

  private static boolean isCall(String sql) {
    return sql.stripLeading().toUpperCase(Locale.ROOT).startsWith("CALL");
  }

  /** All results of a procedure, without the types of their columns: those of its variables. */
  private static StatementAnswer read(Statement statement, boolean first) throws SQLException {
    List<String> rows = new ArrayList<>();
    long count = -1;
    boolean isResult = first;
    while (true) {
      if (isResult) {
        try (ResultSet result = statement.getResultSet()) {
          List<String> columns = new ArrayList<>();
          List<String> found = new ArrayList<>();
          readRows(result, columns, found);
          rows.add("result of " + columns.stream().map(each -> each.split(" ")[0]).toList());
          rows.addAll(found);
        }
      } else if (statement.getLargeUpdateCount() >= 0) {
        count = statement.getLargeUpdateCount();
      } else {
        break;
      }
      isResult = statement.getMoreResults();
    }
    return new StatementAnswer(List.of(), rows, count, List.of(), "", warnings(statement));
  }

  private static StatementAnswer read(Statement statement, boolean isResult, boolean anyOrder)
      throws SQLException {
    List<String> columns = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    long count = -1;
    if (isResult) {
      try (ResultSet result = statement.getResultSet()) {
        readRows(result, columns, rows);
      }
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
  }

  private static void readRows(ResultSet result, List<String> columns, List<String> rows)
      throws SQLException {
    ResultSetMetaData metadata = result.getMetaData();
    for (int i = 1; i <= metadata.getColumnCount(); i++) {
      columns.add(
          metadata.getColumnLabel(i)
              + " "
              + metadata.getColumnTypeName(i)
              + (metadata.isNullable(i) == ResultSetMetaData.columnNoNulls ? " NOT NULL" : "")
              + (metadata.isAutoIncrement(i) ? " AUTO_INCREMENT" : "")
              + " ("
              + metadata.getPrecision(i)
              + ","
              + metadata.getScale(i)
              + ") of "
              + metadata.getCatalogName(i)
              + "."
              + metadata.getTableName(i)
              + "."
              + metadata.getColumnName(i));
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

  /** What differs from another answer, one line for each part; empty for nothing. */
  public String difference(StatementAnswer other) {
    StringBuilder text = new StringBuilder();
    part(text, "error", error, other.error);
    if (error.isEmpty() && other.error.isEmpty()) {
      part(text, "columns", columns, other.columns);
      part(text, "rows", rows, other.rows);
      part(text, "count", updateCount, other.updateCount);
      part(text, "keys", generatedKeys, other.generatedKeys);
      part(text, "warnings", warnings, other.warnings);
    }
    return text.toString();
  }

  private static void part(StringBuilder text, String name, Object mine, Object theirs) {
    if (!mine.equals(theirs)) {
      text.append("\n  ").append(name).append(" mysqld: ").append(mine);
      text.append("\n  ").append(name).append(" alrai:  ").append(theirs);
    }
  }
}
