package io.alrai.cn.write;

import io.alrai.cn.select.SelectExecutor;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.statement.ExecuteErrors;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.statement.ValueWarnings;
import io.alrai.cn.statement.WriteOutcome;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.PlaceText;
import io.alrai.cn.text.SessionText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.executor.operator.RowSpool;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * INSERT or REPLACE ... SELECT. Each place runs it as a whole where that is possible; otherwise all
 * rows are read first (a branch cannot be read and written at the same time), then written in
 * batches, in one transaction. Virtual threads.
 */
public final class InsertSelectExecutor {
  /** How often a statement is run, if others change what it has read before it writes. */
  private static final int MOST_ATTEMPTS = 3;

  private final ExecutorParts parts;
  private final SelectExecutor selects;
  private final WriteExecutor writes;

  public InsertSelectExecutor(ExecutorParts parts, SelectExecutor selects, WriteExecutor writes) {
    this.parts = parts;
    this.selects = selects;
    this.writes = writes;
  }

  private record Copied(InsertOutcome outcome, RowBatches.Ids ids) {}

  /** A row is not any more as a subquery in ON DUPLICATE KEY UPDATE has read it. */
  private static final class RowChanged extends RuntimeException {
    private static final long serialVersionUID = 1;

    RowChanged(AlraiException told) {
      super("a row has changed", told);
    }
  }

  /** Runs the statement; gives what the client is to get. */
  public OkPacket run(StatementRun run, Plan.InsertSelect plan) {
    if (plan.pushed().isPresent()) {
      return pushed(run, plan.pushed().get());
    }
    if (plan.besides() > 0) {
      ErrorAsWritten.check(parts, run);
    }
    Session session = run.session();
    Plan.Select select =
        session.transaction().writesLockReads(session.variables().settings())
            ? plan.locking().orElse(plan.select())
            : plan.select();
    Copied copied = repeated(run, plan, select);
    InsertOutcome outcome = copied.outcome();
    RowBatches.Ids ids = copied.ids();
    boolean updates = !plan.rows().tail().equals(SqlTemplate.EMPTY) && outcome.onlyDuplicates();
    boolean inserted = outcome.affectedRows() > 0 && !updates;
    if (ids.first() != 0 && inserted) {
      session.last().lastInsertId(ids.first());
    }
    session.last().rowCount(outcome.affectedRows());
    long told = updates ? 0 : ids.first() == 0 && inserted ? ids.given() : ids.first();
    return outcome.ok(told, run.statusFlags(), true);
  }

  /**
   * Where others change rows meanwhile it is run again, and locks them first. A run that fails is
   * undone alone, also in a transaction.
   */
  private Copied repeated(StatementRun run, Plan.InsertSelect plan, Plan.Select select) {
    for (int attempt = 1; ; attempt++) {
      InsertOutcome outcome = new InsertOutcome(RowEvaluation.ignores(plan.rows()));
      Plan.Select from = attempt == 1 ? select : plan.locking().orElse(select);
      try {
        return new Copied(
            outcome,
            run.shards()
                .copying(() -> run.shards().atomically(() -> copy(run, plan, from, outcome))));
      } catch (RowChanged e) {
        if (attempt == MOST_ATTEMPTS && hasTriggers(plan.rows())) {
          throw AlraiException.causeOf(e); // it may be theirs, which comes each time
        }
        if (attempt == MOST_ATTEMPTS) {
          throw ExecuteErrors.unsupported(
              "a subquery in ON DUPLICATE KEY UPDATE that reads a row which is changed, or inserted"
                  + " from a converted key, by the same statement; write the rows one by one");
        }
        run.shards().takeWarnings();
      }
    }
  }

  private boolean hasTriggers(InsertRows rows) {
    return parts
        .gms()
        .catalog()
        .table(rows.schema(), rows.table())
        .filter(table -> !table.triggers().isEmpty())
        .isPresent();
  }

  private OkPacket pushed(StatementRun run, Plan.Write write) {
    InsertOutcome outcome = new InsertOutcome(false);
    for (OkPacket ok : writes.outcomes(run, write)) {
      outcome.addTold(ok, WriteOutcome.records(ok.info()));
    }
    run.session().last().rowCount(outcome.affectedRows());
    return outcome.ok(outcome.lastId(), run.statusFlags(), true);
  }

  /** Reads, then writes; returns the first generated id, or 0. */
  private RowBatches.Ids copy(
      StatementRun run, Plan.InsertSelect plan, Plan.Select select, InsertOutcome outcome) {
    InsertRows rows = plan.rows();
    // columns after the cells are values of the statement's tail
    Optional<List<ColumnDefinition>> given =
        plan.besides() > 0 ? Optional.empty() : parts.columns(run, plan.query());
    Plan.Select whole = given.map(known -> WholeJsonSelect.of(select, known)).orElse(select);
    try (RowSpool spool = filled(run, whole, plan, outcome)) {
      RowBatches batches = new RowBatches(parts, run, rows, SessionText.COPIED);
      List<String> columns = rows.columns().subList(0, rows.clientCells());
      Optional<Table> unlike =
          parts
              .gms()
              .catalog()
              .table(rows.schema(), rows.table())
              .filter(table ->
                  given.isPresent()
                      && UnlikeTypes.among(given.get(), 0, plan.texts(), table, columns));
      if (unlike.isPresent() && !rows.isOfSession()) {
        converted(run, plan, given.get(), unlike.get(), spool, batches, outcome);
        batches.send(outcome);
      } else {
        write(plan, spool, batches, outcome);
      }
      return batches.ids();
    }
  }

  /** No subquery is left in the text but the one that tells of a row that has changed. */
  private static void write(
      Plan.InsertSelect plan, RowSpool spool, RowBatches batches, InsertOutcome outcome) {
    try {
      while (spool.advance()) {
        add(batches, spool.columns(), spool.row(), outcome);
      }
      batches.send(outcome);
    } catch (AlraiException e) {
      if (plan.besides() > 0 && e.is(ErrorCode.ER_SUBQUERY_NO_1_ROW)) {
        throw new RowChanged(e);
      }
      throw e;
    }
  }

  private static void add(
      RowBatches batches, List<ColumnDefinition> columns, Row row, InsertOutcome outcome) {
    batches.add(columns, row);
    if (batches.isFull()) {
      batches.send(outcome);
    }
  }

  /** All rows; warnings about their values count, or are errors. */
  private RowSpool filled(
      StatementRun run, Plan.Select select, Plan.InsertSelect plan, InsertOutcome outcome) {
    // places evaluate rows that a LIMIT over all of them leaves out
    boolean refuses =
        select.merge().flatMap(MergePlan::limit).isEmpty()
            && run.session().variables().settings().isStrict()
            && !RowEvaluation.ignores(plan.rows());
    Optional<GatherPlan> gather = select.gather().filter(GatherPlan::mayBeTemporary);
    RowSpool spool = new RowSpool(parts.budget());
    boolean kept = false;
    try {
      List<Condition> told = read(run, select, plan, spool);
      if (refuses && gather.isPresent() && ValueWarnings.dependOnPlan(told)) {
        Optional<GatherPlan> again = gather.map(GatherPlan::withTables);
        Plan.Select once = select.over(select.targets(), select.merge(), again, select.reason());
        return filled(run, once, plan, outcome);
      }
      if (refuses) {
        ValueWarnings.refuse(ValueWarnings.of(told));
      }
      run.shards().collector().addAll(told);
      outcome.warned(told.size());
      kept = true;
      return spool;
    } finally {
      if (!kept) {
        spool.close();
      }
    }
  }

  private List<Condition> read(
      StatementRun run, Plan.Select select, Plan.InsertSelect plan, RowSpool spool) {
    List<Condition> told = new ArrayList<>();
    Runnable copied = () -> told.addAll(run.shards().takeWarnings());
    try (RowSource source = selects.open(run, select, copied)) {
      if (source.columns().size() != plan.rows().clientCells() + plan.besides()) {
        throw new AlraiException(
            ErrorCode.ER_WRONG_VALUE_COUNT_ON_ROW,
            "Column count doesn't match value count at row 1");
      }
      spool.fill(source);
    }
    return ValueWarnings.together(told, run.shards().takeWarnings());
  }

  private void converted(
      StatementRun run,
      Plan.InsertSelect plan,
      List<ColumnDefinition> given,
      Table table,
      RowSpool spool,
      RowBatches batches,
      InsertOutcome outcome) {
    InsertRows rows = plan.rows();
    List<String> columns = rows.columns().subList(0, rows.clientCells());
    SideBranch side =
        SideBranch.open(parts.queries(), parts.links().any(), run.session().variables().ofCopies());
    boolean clean = false;
    try {
      ConvertedValues values =
          new ConvertedValues(run, side, table, columns, RowEvaluation.ignores(rows));
      values.define(PlaceText.render(run, plan.query(), ""), given, 0);
      while (spool.advance()) {
        values.add(spool.columns(), spool.row(), 0);
      }
      Queue<Condition> told = run.shards().collector();
      try (RowSource stored = values.rows(told)) {
        outcome.warned(told.size());
        while (stored.advance()) {
          add(batches, stored.columns(), stored.row(), outcome);
        }
      }
      clean = values.done();
    } finally {
      if (clean) {
        side.close();
      } else {
        side.discard();
      }
    }
  }
}
