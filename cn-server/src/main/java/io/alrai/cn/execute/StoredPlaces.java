package io.alrai.cn.execute;

import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.SideBranch;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.operator.RowSource;
import io.alrai.optimizer.syntax.Identifier;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Places of rows whose key a mysqld must say, one at a time: the slow way for values that their
 * columns convert.
 */
final class StoredPlaces {
  private static final String TABLE = "__alrai_values";

  private final ExecutorParts parts;
  private final StatementRun run;
  private final InsertRows rows;

  StoredPlaces(ExecutorParts parts, StatementRun run, InsertRows rows) {
    this.parts = parts;
    this.run = run;
    this.rows = rows;
  }

  int index(Placement.ByKey byKey, InsertCells cells) {
    String table = Identifier.quote(rows.schema()) + "." + Identifier.quote(TABLE);
    String original = Identifier.quote(rows.schema()) + "." + Identifier.quote(rows.table());
    List<String> keys = new ArrayList<>();
    byKey.cells().forEach(cell -> keys.add(rows.columns().get(cell)));
    SideBranch side =
        SideBranch.open(parts.queries(), parts.links().any(), run.session().copySettings());
    boolean clean = false;
    try {
      update(
          side,
          "CREATE TEMPORARY TABLE "
              + table
              + " AS SELECT "
              + SqlNames.list(rows.columns())
              + " FROM "
              + original
              + " LIMIT 0");
      ByteArrayOutputStream sql = new ByteArrayOutputStream(512);
      boolean forgives = RowEvaluation.forgives(run, rows, Integer.MAX_VALUE);
      String verb = forgives ? "INSERT IGNORE INTO " : "INSERT INTO ";
      sql.writeBytes(SessionText.encoded(run.session(), verb + table + " VALUES "));
      cells.appendRow(sql);
      side.update("", sql.toByteArray());
      String select = "SELECT " + SqlNames.list(keys) + " FROM " + table;
      ShardCall call = side.start("", SessionText.encoded(run.session(), select));
      int index;
      try (RowSource source = new ShardRows(call, name -> name, count -> {})) {
        source.advance();
        RowSlots stored = new RowSlots(source.columns(), source.row());
        index = parts.router().indexOfStored(byKey.function(), stored, SessionText.COPIED);
      }
      update(side, "DROP TEMPORARY TABLE " + table);
      clean = true;
      return index;
    } finally {
      if (clean) {
        side.close();
      } else {
        side.discard();
      }
    }
  }

  private void update(SideBranch side, String sql) {
    side.update("", SessionText.encoded(run.session(), sql));
  }
}
