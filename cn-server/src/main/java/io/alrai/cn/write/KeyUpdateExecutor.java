package io.alrai.cn.write;

import io.alrai.cn.select.SelectExecutor;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.PlaceText;
import io.alrai.cn.text.SessionText;
import io.alrai.cn.write.WriteExecutor.PlaceStatement;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.operator.RowSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * UPDATE of partition key columns. Every place updates its rows where they are, with everything
 * that this implies in MySQL; before the statement no row was misplaced, so those that are
 * misplaced after it are the ones to move. They are found by the values that the key columns were
 * to get. Virtual threads; inside a transaction.
 */
final class KeyUpdateExecutor {
  private final ExecutorParts parts;
  private final SelectExecutor selects;

  KeyUpdateExecutor(ExecutorParts parts, SelectExecutor selects) {
    this.parts = parts;
    this.selects = selects;
  }

  /** Runs the statement; gives what the places said about the UPDATE. */
  List<OkPacket> run(StatementRun run, Plan.KeyUpdate plan) {
    RowMoves moves = new RowMoves(parts, run, plan.rows(), plan.primaryKey());
    moves.refuseForeignKeys();
    List<ShardPlace> places =
        parts
            .router()
            .places(
                plan.update().targets(),
                run.values(),
                SessionText.charset(run.session().variables()));
    Optional<String> search = search(run, plan, places);
    run.shards().takeWarnings();
    List<PlaceStatement> updates = new ArrayList<>();
    for (ShardPlace place : places) {
      byte[] sql = PlaceText.render(run, plan.update().shardSql(), place.physicalSchema().name());
      updates.add(new PlaceStatement(place, sql));
    }
    List<OkPacket> answers = WriteExecutor.answers(run, updates);
    List<ShardPlace> changed = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i).affectedRows() > 0) {
        changed.add(places.get(i));
      }
    }
    moves.move(changed, search);
    return answers;
  }

  private Optional<String> search(StatementRun run, Plan.KeyUpdate plan, List<ShardPlace> places) {
    Placement.ByKey byKey = (Placement.ByKey) plan.rows().placement();
    int count = byKey.function().columns().size();
    try (RowSource rows = selects.merged(run, plan.newKeys(), places, true, new int[1])) {
      MovedKeys keys =
          new MovedKeys(
              run,
              byKey.function().columns(),
              rows.columns(),
              IntStream.range(0, count).toArray(),
              plan.foreseen());
      while (rows.advance()) {
        keys.add(rows.columns(), rows.row());
      }
      return keys.condition();
    }
  }
}
