package io.alrai.tpch;

import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchColumnType;
import io.trino.tpch.TpchTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Lines of dbgen's format ({@code a|b|c|}), sent as multi-row INSERT statements of about a given
 * length, each a transaction of its own. {@link #flush} sends the rest. For one thread.
 */
final class InsertLines implements AutoCloseable {
  /** Told after each statement how many rows the table got. */
  @FunctionalInterface
  interface Inserted {
    void rows(int rows);
  }

  private final Statement statement;
  private final String head;
  private final boolean[] quoted;
  private final int statementBytes;
  private final Inserted inserted;
  private final StringBuilder text = new StringBuilder();
  private int rows;

  InsertLines(Connection connection, TpchTable<?> table, int statementBytes, Inserted inserted)
      throws SQLException {
    List<? extends TpchColumn<?>> columns = table.getColumns();
    this.head = "INSERT INTO " + table.getTableName() + " VALUES ";
    this.quoted = new boolean[columns.size()];
    for (int i = 0; i < quoted.length; i++) {
      TpchColumnType.Base base = columns.get(i).getType().getBase();
      quoted[i] = base == TpchColumnType.Base.VARCHAR || base == TpchColumnType.Base.DATE;
    }
    this.statementBytes = statementBytes;
    this.inserted = inserted;
    this.statement = connection.createStatement();
    this.statement.setEscapeProcessing(false);
  }

  void line(String line) throws SQLException {
    text.append(rows == 0 ? head : ",").append('(');
    int from = 0;
    for (int column = 0; column < quoted.length; column++) {
      int to = line.indexOf('|', from);
      if (to < 0) {
        to = line.length();
      }
      text.append(column == 0 ? "" : ",");
      if (quoted[column]) {
        quote(line, from, to);
      } else {
        text.append(line, from, to);
      }
      from = to + 1;
    }
    text.append(')');
    rows++;
    if (text.length() >= statementBytes) {
      flush();
    }
  }

  private void quote(String line, int from, int to) {
    text.append('\'');
    for (int i = from; i < to; i++) {
      char c = line.charAt(i);
      if (c == '\'' || c == '\\') {
        text.append('\\');
      }
      text.append(c);
    }
    text.append('\'');
  }

  void flush() throws SQLException {
    if (rows == 0) {
      return;
    }
    int sent = rows;
    statement.executeUpdate(text.toString());
    text.setLength(0);
    rows = 0;
    inserted.rows(sent);
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
