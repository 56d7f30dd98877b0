package io.alrai.cn.write;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.statement.ShardRows;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.PlaceText;
import io.alrai.cn.write.WriteExecutor.PlaceStatement;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.AutoIncrement;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SqlTemplate;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The rows that a REPLACE must not replace: those that already have a generated id, as happens
 * after the last number of the column's type. A mysqld says 1062 there. Virtual threads.
 */
final class ReplacedRows {
  private static final String VERB = "REPLACE ";

  private final ExecutorParts parts;
  private final StatementRun run;
  private final InsertRows rows;

  /** The rows that a statement replaces. */
  ReplacedRows(ExecutorParts parts, StatementRun run, InsertRows rows) {
    this.parts = parts;
    this.run = run;
    this.rows = rows;
  }

  /** Whether a generated id may belong to another row, which the statement would replace. */
  boolean mayHave(long made) {
    return rows.autoIncrement().filter(auto -> made == auto.largest()).isPresent()
        && rows.head().pieces().getFirst() instanceof SqlTemplate.Piece.Text text
        && text.sql().startsWith(VERB)
        && hasKey();
  }

  private boolean hasKey() {
    String column = rows.autoIncrement().orElseThrow().column();
    return parts
        .gms()
        .catalog()
        .table(rows.schema(), rows.table())
        .filter(table -> table.primaryKey().equals(List.of(column)))
        .isPresent();
  }

  /**
   * Refuses a row.
   *
   * @param row {@code (c1,c2,..)}
   * @param index of the client's row
   * @throws io.alrai.common.error.AlraiException 1062 where another has its id
   */
  void refuse(ShardPlace place, byte[] row, int index) {
    AutoIncrement auto = rows.autoIncrement().orElseThrow();
    Sql other =
        Sql.of("SELECT 1 FROM ")
            .name(place.physicalSchema().name(), rows.table())
            .words(" WHERE ")
            .name(auto.column())
            .words(" = ")
            .number(auto.largest())
            .words(" FOR UPDATE");
    boolean taken;
    try (ShardRows found =
        new ShardRows(
            run.shards().start(place.dn(), "", other, RowAccess.LOCKING),
            name -> name,
            count -> {})) {
      taken = found.advance();
    }
    if (taken) {
      String head =
          new String(
              PlaceText.render(run, rows.head(), place.physicalSchema().name()),
              StandardCharsets.ISO_8859_1);
      ByteArrayOutputStream insert = new ByteArrayOutputStream(256);
      insert.writeBytes(
          ("INSERT " + head.substring(VERB.length()) + " ").getBytes(StandardCharsets.ISO_8859_1));
      insert.writeBytes(row);
      PlaceStatement statement =
          new PlaceStatement(place, insert.toByteArray(), new int[] {index}, false);
      WriteExecutor.answers(run, List.of(statement));
    }
  }
}
