package io.alrai.tpcc;

import io.alrai.common.jdbc.MysqlEndpoint;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;

/**
 * Rows of an ordered SELECT as they stream in over a connection of their own: integers as the key,
 * then figures. For one thread.
 */
final class KeyedRows implements AutoCloseable {
  private final Connection connection;
  private final ResultSet rows;
  private final String select;
  private final int figures;
  private final long[] key;
  private boolean hasRow;

  private KeyedRows(Connection connection, ResultSet rows, String select, int keys)
      throws SQLException {
    this.connection = connection;
    this.rows = rows;
    this.select = select;
    this.key = new long[keys];
    this.figures = rows.getMetaData().getColumnCount() - keys;
    Arrays.fill(key, Long.MIN_VALUE);
    advance();
  }

  static KeyedRows open(MysqlEndpoint endpoint, String select, int keys) throws SQLException {
    Connection connection = endpoint.connect();
    try {
      Statement statement = connection.createStatement();
      statement.setFetchSize(Integer.MIN_VALUE);
      return new KeyedRows(connection, statement.executeQuery(select), select, keys);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Figures per row. */
  int figures() {
    return figures;
  }

  boolean hasRow() {
    return hasRow;
  }

  /** Key of the current row. */
  long[] key() {
    return key;
  }

  /** Moves on to this key or, if there is none, beyond it; whether it is there. */
  boolean seek(long[] wanted) throws SQLException {
    while (hasRow && Arrays.compare(key, wanted) < 0) {
      advance();
    }
    return hasRow && Arrays.equals(key, wanted);
  }

  /**
   * Writes the current row's figures to {@code target} from {@code at} and moves on, if the row has
   * this key; else writes zeros. Returns the index after them.
   */
  int takeIfAt(long[] wanted, BigDecimal[] target, int at) throws SQLException {
    if (!hasRow || !Arrays.equals(key, wanted)) {
      Arrays.fill(target, at, at + figures, BigDecimal.ZERO);
      return at + figures;
    }
    for (int i = 0; i < figures; i++) {
      BigDecimal value = rows.getBigDecimal(key.length + i + 1);
      target[at + i] = value == null ? BigDecimal.ZERO : value;
    }
    advance();
    return at + figures;
  }

  private void advance() throws SQLException {
    long[] before = key.clone();
    hasRow = rows.next();
    if (!hasRow) {
      return;
    }
    for (int i = 0; i < key.length; i++) {
      key[i] = rows.getLong(i + 1);
    }
    if (Arrays.compare(before, key) >= 0) {
      throw new SQLException(
          "rows out of order or twice, %s after %s: %s"
              .formatted(Arrays.toString(key), Arrays.toString(before), select),
          Statements.WRONG_ANSWER);
    }
  }

  /** Ends the SELECT, read to the end or not. */
  @Override
  public void close() throws SQLException {
    if (hasRow) {
      connection.abort(Runnable::run);
    }
    connection.close();
  }
}
