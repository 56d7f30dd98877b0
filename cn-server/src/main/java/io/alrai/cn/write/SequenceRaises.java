package io.alrai.cn.write;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.statement.ShardRows;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.Plan.RaisedSequence;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.Targets;
import io.alrai.executor.operator.Row;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Sequences go on above what a statement has assigned to their columns, as InnoDB's counter does:
 * above the largest value that the statement's transaction sees after it. Virtual threads.
 */
public final class SequenceRaises {
  private final ExecutorParts parts;
  private final StatementRun run;

  /** After a statement. */
  public SequenceRaises(ExecutorParts parts, StatementRun run) {
    this.parts = parts;
    this.run = run;
  }

  public void raise(List<RaisedSequence> all) {
    for (RaisedSequence raised : all) {
      long highest = 0;
      for (ShardPlace place : places(raised.home())) {
        highest = Math.max(highest, highest(raised, place));
      }
      if (highest > 0) {
        parts.sequences().passOver(raised.sequence(), Math.min(highest, Long.MAX_VALUE - 1));
      }
    }
  }

  private List<ShardPlace> places(Targets home) {
    if (home instanceof Targets.EveryDn every) {
      DnId first = parts.links().dns().getFirst();
      return List.of(new ShardPlace(0, every.physicalSchema(), first));
    }
    return home instanceof Targets.All all ? all.places() : List.of();
  }

  /** The highest of the values that a sequence can have; an index begins with the column. */
  private long highest(RaisedSequence raised, ShardPlace place) {
    Sql sql =
        Sql.of("SELECT CAST(LEAST(GREATEST(MAX(")
            .name(raised.column())
            .words("), 0), ")
            .number(Long.MAX_VALUE)
            .words(") AS SIGNED) FROM ")
            .name(place.physicalSchema().name(), raised.table());
    try (ShardRows rows =
        new ShardRows(
            run.shards().start(place.dn(), "", sql, RowAccess.CONSISTENT),
            name -> name,
            count -> {})) {
      if (!rows.advance() || rows.row().isNull(0)) {
        return 0;
      }
      Row row = rows.row();
      return Long.parseLong(new String(row.value(0), StandardCharsets.US_ASCII));
    }
  }
}
