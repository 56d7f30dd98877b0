package io.alrai.cn.write;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.statement.ShardRows;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.RowSlots;
import io.alrai.cn.text.SessionText;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.operator.RowSource;
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
    return index(byKey, cells, RowEvaluation.forgives(run, rows, Integer.MAX_VALUE));
  }

  /** The index of a row; where {@code forgives}, values that columns do not take are converted. */
  int index(Placement.ByKey byKey, InsertCells cells, boolean forgives) {
    Sql table = Sql.EMPTY.name(rows.schema(), TABLE);
    List<String> keys = new ArrayList<>();
    byKey.cells().forEach(cell -> keys.add(rows.columns().get(cell)));
    SideBranch side =
        SideBranch.open(parts.queries(), parts.links().any(), run.session().variables().ofCopies());
    boolean clean = false;
    try {
      side.update(
          "",
          Sql.of("CREATE TEMPORARY TABLE ")
              .add(table)
              .words(" AS SELECT ")
              .names(rows.columns())
              .words(" FROM ")
              .name(rows.schema(), rows.table())
              .words(" LIMIT 0"));
      ByteArrayOutputStream sql = new ByteArrayOutputStream(512);
      Sql verb = forgives ? Sql.of("INSERT IGNORE INTO ") : Sql.of("INSERT INTO ");
      cells.appendRow(sql);
      side.update("", ShardStatement.text(verb.add(table).words(" VALUES "), sql.toByteArray()));
      ShardCall call = side.start("", Sql.of("SELECT ").names(keys).words(" FROM ").add(table));
      int index;
      try (RowSource source = new ShardRows(call, name -> name, count -> {})) {
        source.advance();
        RowSlots stored = new RowSlots(source.columns(), source.row());
        index = parts.router().indexOfStored(byKey.function(), stored, SessionText.COPIED);
      }
      side.update("", Sql.of("DROP TEMPORARY TABLE ").add(table));
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
}
