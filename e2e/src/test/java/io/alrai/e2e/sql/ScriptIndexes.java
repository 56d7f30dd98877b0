package io.alrai.e2e.sql;

import io.alrai.testing.DatabaseNames;
import io.alrai.testing.ScriptComparison;
import io.alrai.testing.SqlScript;
import io.alrai.testing.StatementAnswer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Gives each table that a script makes a column index before the next statement, and counts the
 * script's SELECTs. Where a session has locks or a transaction, which an index waits for, when it
 * has ended. One thread.
 */
final class ScriptIndexes implements ScriptComparison.Watcher {
  private static final Pattern SELECT = words("SELECT|WITH|\\(|TABLE|VALUES");
  private static final Pattern MAKES =
      words("CREATE TABLE|CREATE DATABASE|DROP|ALTER|RENAME|CALL|EXECUTE|INSERT|TRUNCATE");
  private static final Pattern HOLDS =
      words(
          "LOCK|FLUSH .*WITH READ LOCK|FLUSH .*FOR EXPORT|BEGIN|START TRANSACTION|XA START"
              + "|XA BEGIN|SET .*\\bAUTOCOMMIT\\b.*(=|TO) *(0|OFF|FALSE)|HANDLER .*OPEN");
  private static final Pattern LETS_GO =
      words(
          "UNLOCK|COMMIT|ROLLBACK(?! *(WORK *)?TO)|XA COMMIT|XA ROLLBACK|HANDLER .*CLOSE"
              + "|SET .*\\bAUTOCOMMIT\\b.*(=|TO) *(1|ON|TRUE|DEFAULT)");

  private final Connection alrai;
  private final String schema;
  private final Set<String> tried = new HashSet<>();
  private final Map<String, Integer> refused = new TreeMap<>();
  private final Set<SqlScript.Sender> holders = new HashSet<>();
  private boolean stale;
  private int statements;
  private int selects;
  private int byColumns;
  private int indexes;
  private long answered;

  /** {@code alrai} is a connection of its own. */
  ScriptIndexes(Connection alrai, String schema) throws SQLException {
    this.alrai = alrai;
    this.schema = schema;
    this.answered = columnSelects();
  }

  private static Pattern words(String any) {
    return Pattern.compile("(?is)\\s*(" + any + ").*");
  }

  /** All that the script has sent. */
  int statements() {
    return statements;
  }

  /** SELECTs that column indexes have answered. */
  int byColumns() {
    return byColumns;
  }

  /** SELECTs without an error. */
  int selects() {
    return selects;
  }

  /** Indexes that were made. */
  int indexes() {
    return indexes;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d of %d SELECTs by columns, %d indexes, none for %s",
        byColumns,
        selects,
        indexes,
        refused);
  }

  @Override
  public void answered(SqlScript.Statement statement, StatementAnswer answer) throws SQLException {
    statements++;
    if (!answer.error().isEmpty()) {
      return;
    }
    String sql = statement.sql();
    long before = answered;
    answered = columnSelects();
    if (SELECT.matcher(sql).matches()) {
      selects++;
      byColumns += answered > before ? 1 : 0;
    } else if (HOLDS.matcher(sql).matches()) {
      holders.add(statement.sender());
    } else if (LETS_GO.matcher(sql).matches()) {
      holders.remove(statement.sender());
    }
    stale |= MAKES.matcher(sql).matches();
    if (stale && holders.isEmpty()) {
      index();
      stale = false;
    }
  }

  private long columnSelects() throws SQLException {
    try (Statement statement = alrai.createStatement();
        ResultSet row = statement.executeQuery("SHOW STATUS LIKE 'Alrai_column_selects_total'")) {
      row.next();
      return row.getLong(2);
    }
  }

  private void index() throws SQLException {
    Map<String, String> tables = tables();
    tried.retainAll(tables.keySet());
    for (Map.Entry<String, String> table : tables.entrySet()) {
      if (tried.add(table.getKey())) {
        index(table.getKey(), table.getValue());
      }
    }
  }

  private void index(String table, String column) {
    try (Statement statement = alrai.createStatement()) {
      statement.execute(
          String.format(
              Locale.ROOT,
              "CREATE CLUSTERED COLUMNAR INDEX by_column ON %s.%s (%s)",
              DatabaseNames.quoted(schema),
              DatabaseNames.quoted(table),
              DatabaseNames.quoted(column)));
      indexes++;
    } catch (SQLException e) {
      refused.merge(e.getErrorCode() + " " + e.getMessage(), 1, Integer::sum);
    }
  }

  /** Each with its first column. */
  private Map<String, String> tables() throws SQLException {
    Map<String, String> tables = new LinkedHashMap<>();
    try (PreparedStatement statement =
        alrai.prepareStatement(
            "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS JOIN"
                + " information_schema.TABLES USING (TABLE_SCHEMA, TABLE_NAME) WHERE"
                + " TABLE_TYPE = 'BASE TABLE' AND ORDINAL_POSITION = 1 AND TABLE_SCHEMA = ?")) {
      statement.setString(1, schema);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          tables.put(result.getString(1), result.getString(2));
        }
      }
    }
    return tables;
  }
}
