package io.alrai.tpch;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer in memory.
 *
 * @param columns names as reported by the server
 * @param rows the cells of each row
 */
public record ResultRows(List<String> columns, List<List<Cell>> rows) {
  public ResultRows {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
  }

  /** Reads to the end. */
  public static ResultRows read(ResultSet result) throws SQLException {
    ResultSetMetaData meta = result.getMetaData();
    int width = meta.getColumnCount();
    List<String> columns = new ArrayList<>();
    for (int column = 1; column <= width; column++) {
      columns.add(meta.getColumnLabel(column));
    }
    List<List<Cell>> rows = new ArrayList<>();
    while (result.next()) {
      List<Cell> row = new ArrayList<>();
      for (int column = 1; column <= width; column++) {
        row.add(cell(result, column, meta.getColumnType(column)));
      }
      rows.add(row);
    }
    return new ResultRows(columns, rows);
  }

  private static Cell cell(ResultSet result, int column, int type) throws SQLException {
    return switch (type) {
      case Types.DECIMAL,
          Types.NUMERIC,
          Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT -> {
        BigDecimal value = result.getBigDecimal(column);
        yield value == null ? new Cell.Null() : new Cell.Exact(value);
      }
      case Types.REAL, Types.FLOAT, Types.DOUBLE -> {
        double value = result.getDouble(column);
        yield result.wasNull() ? new Cell.Null() : new Cell.Approximate(value);
      }
      default -> {
        String value = result.getString(column);
        yield value == null ? new Cell.Null() : new Cell.Text(value);
      }
    };
  }
}
