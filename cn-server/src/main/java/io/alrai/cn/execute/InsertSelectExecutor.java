package io.alrai.cn.execute;

import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.operator.RowSource;
import io.alrai.executor.operator.RowSpool;

/**
 * INSERT or REPLACE ... SELECT. Where each place can run it whole it does; else the rows are read
 * to their end first (a branch cannot be read and written at the same time), then written in
 * batches, all in one transaction. Virtual threads.
 */
final class InsertSelectExecutor {
  private final ExecutorParts parts;
  private final SelectExecutor selects;
  private final WriteExecutor writes;

  InsertSelectExecutor(ExecutorParts parts, SelectExecutor selects, WriteExecutor writes) {
    this.parts = parts;
    this.selects = selects;
    this.writes = writes;
  }

  /** Runs the statement; gives what the client is to get. */
  OkPacket run(StatementRun run, Plan.InsertSelect plan) {
    if (plan.pushed().isPresent()) {
      return pushed(run, plan.pushed().get());
    }
    if (plan.besides() > 0) {
      ErrorAsWritten.check(parts, run);
    }
    InsertOutcome outcome = new InsertOutcome(RowEvaluation.ignores(plan.rows()));
    Session session = run.session();
    Plan.Select select =
        session.transaction().writesLockReads(session.settings())
            ? plan.locking().orElse(plan.select())
            : plan.select();
    RowBatches.Ids ids =
        run.shards().copying(() -> run.shards().atomically(() -> copy(run, select, plan, outcome)));
    boolean updates = !plan.rows().tail().equals(SqlTemplate.EMPTY) && outcome.onlyDuplicates();
    boolean inserted = outcome.affectedRows() > 0 && !updates;
    if (ids.first() != 0 && inserted) {
      session.lastInsertId(ids.first());
    }
    session.rowCount(outcome.affectedRows());
    long told = updates ? 0 : ids.first() == 0 && inserted ? ids.given() : ids.first();
    return outcome.ok(told, run.statusFlags(), true);
  }

  private OkPacket pushed(StatementRun run, Plan.Write write) {
    InsertOutcome outcome = new InsertOutcome(false);
    for (OkPacket ok : writes.outcomes(run, write)) {
      outcome.addTold(ok, WriteOutcome.records(ok.info()));
    }
    run.session().rowCount(outcome.affectedRows());
    return outcome.ok(outcome.lastId(), run.statusFlags(), true);
  }

  /** Reads, then writes; gives the first id that was made, or 0. */
  private RowBatches.Ids copy(
      StatementRun run, Plan.Select select, Plan.InsertSelect plan, InsertOutcome outcome) {
    InsertRows rows = plan.rows();
    try (RowSpool spool = new RowSpool(parts.budget())) {
      try (RowSource source = selects.open(run, select, new int[1])) {
        if (source.columns().size() != rows.clientCells() + plan.besides()) {
          throw new AlraiException(
              ErrorCode.ER_WRONG_VALUE_COUNT_ON_ROW,
              "Column count doesn't match value count at row 1");
        }
        spool.fill(source);
      }
      RowBatches batches = new RowBatches(parts, run, rows, SessionText.COPIED);
      while (spool.advance()) {
        batches.add(spool.columns(), spool.row());
        if (batches.isFull()) {
          batches.send(outcome);
        }
      }
      batches.send(outcome);
      return batches.ids();
    }
  }
}
