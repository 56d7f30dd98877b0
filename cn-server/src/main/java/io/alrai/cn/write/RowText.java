package io.alrai.cn.write;

import io.alrai.cn.statement.StatementRun;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.Cell;
import io.alrai.optimizer.api.ShapedStatement;
import java.io.ByteArrayOutputStream;

/**
 * Texts of an INSERT's rows: slices of the client's statement where nothing in them changes, else
 * cell by cell. One thread.
 */
final class RowText {
  private final StatementRun run;
  private final InsertRows rows;
  private final InsertedRow row;
  private final boolean slices;

  RowText(StatementRun run, InsertRows rows, InsertedRow row) {
    this.run = run;
    this.rows = rows;
    this.row = row;
    ShapedStatement statement = run.statement();
    boolean parameters = false;
    for (int slot = 0; slot < statement.slotCount() && !parameters; slot++) {
      parameters = statement.isParameter(slot);
    }
    this.slices = statement.foldedRows() > 0 && !parameters && asSent(rows);
  }

  private static boolean asSent(InsertRows rows) {
    return rows.patterns().stream()
        .flatMap(pattern -> pattern.cells().stream())
        .allMatch(cell -> !(cell instanceof Cell.Expression expression) || expression.asSent());
  }

  /** Appends the text of row {@code index}; the row's view moves there. */
  void append(int index, ByteArrayOutputStream out) {
    row.at(index);
    int client = Math.min(rows.clientCells(), row.cells());
    if (!slices || isMade(client)) {
      out.write('(');
      for (int cell = 0; cell < row.cells(); cell++) {
        if (cell > 0) {
          out.write(',');
        }
        row.appendSql(cell, out);
      }
      out.write(')');
      return;
    }
    int start = run.statement().rowStart(index);
    int end = run.statement().rowEnd(index);
    if (row.cells() == client) {
      out.write(run.sql(), start, end - start);
      return;
    }
    out.write(run.sql(), start, end - 1 - start);
    for (int cell = client; cell < row.cells(); cell++) {
      if (cell > 0) {
        out.write(',');
      }
      row.appendSql(cell, out);
    }
    out.write(')');
  }

  private boolean isMade(int client) {
    for (int cell = 0; cell < client; cell++) {
      if (row.isMade(cell)) {
        return true;
      }
    }
    return false;
  }
}
