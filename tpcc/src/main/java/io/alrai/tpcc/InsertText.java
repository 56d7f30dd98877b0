package io.alrai.tpcc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Rows of one table, sent as multi-row INSERT statements of about a given length, each a
 * transaction of its own. Usage: {@code row()}, then one call per column, and so on; {@link #close}
 * sends the rest. For one thread.
 */
public final class InsertText implements AutoCloseable {
  /** Told after each statement how many rows the table got. */
  interface Inserted {
    void rows(String table, int rows);
  }

  private final String table;
  private final String head;
  private final int statementBytes;
  private final Statement statement;
  private final Inserted inserted;
  private final StringBuilder text = new StringBuilder();
  private int rows;
  private boolean firstColumn;

  /** The statements go to this connection; {@code columns} without parentheses. */
  public InsertText(
      Connection connection, String table, String columns, int statementBytes, Inserted inserted)
      throws SQLException {
    this.table = table;
    this.head = "INSERT INTO " + table + " (" + columns + ") VALUES ";
    this.statementBytes = statementBytes;
    this.inserted = inserted;
    this.statement = connection.createStatement();
    this.statement.setEscapeProcessing(false);
  }

  InsertText row() throws SQLException {
    if (rows > 0) {
      text.append(')');
      if (text.length() >= statementBytes) {
        send();
      }
    }
    text.append(rows == 0 ? head : ",").append('(');
    rows++;
    firstColumn = true;
    return this;
  }

  private StringBuilder column() {
    if (!firstColumn) {
      text.append(',');
    }
    firstColumn = false;
    return text;
  }

  InsertText number(long value) {
    column().append(value);
    return this;
  }

  /** A decimal given in its last digit's unit: 1234 with scale 2 is 12.34. */
  InsertText decimal(long unscaled, int scale) {
    column();
    if (unscaled < 0) {
      text.append('-');
    }
    long power = 1;
    for (int i = 0; i < scale; i++) {
      power *= 10;
    }
    long value = Math.abs(unscaled);
    text.append(value / power).append('.');
    long fraction = value % power;
    for (long digit = power / 10; digit > 1 && fraction < digit; digit /= 10) {
      text.append('0');
    }
    text.append(fraction);
    return this;
  }

  /** Text without quotes and backslashes. */
  InsertText plain(String value) {
    column().append('\'').append(value).append('\'');
    return this;
  }

  InsertText nothing() {
    column().append("NULL");
    return this;
  }

  private void send() throws SQLException {
    int sent = rows;
    statement.executeUpdate(text.toString());
    text.setLength(0);
    rows = 0;
    inserted.rows(table, sent);
  }

  /** Sends what is left. */
  void flush() throws SQLException {
    if (rows > 0) {
      text.append(')');
      send();
    }
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
