package io.alrai.cn.execute;

import io.alrai.cn.ddl.rule.CheckViewKeeper;
import io.alrai.cn.gather.GatherExecutor;
import io.alrai.cn.select.Scatter;
import io.alrai.cn.select.SelectExecutor;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.CollectedRows;
import io.alrai.cn.statement.DataExecutor;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.statement.QueryReader;
import io.alrai.cn.statement.RowNumbers;
import io.alrai.cn.statement.StartedStatement;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.write.ErrorAsWritten;
import io.alrai.cn.write.InsertExecutor;
import io.alrai.cn.write.InsertSelectExecutor;
import io.alrai.cn.write.SequenceRaises;
import io.alrai.cn.write.WriteExecutor;
import io.alrai.common.error.AlraiException;
import io.alrai.common.type.Collations;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.CheckView;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.optimizer.api.AdminStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The data statements of a CN: each kind of plan goes to its executor. Thread-safe. */
public final class PlanExecutor implements DataExecutor, QueryReader {
  private final ExecutorParts parts;
  private final SelectExecutor selects;
  private final WriteExecutor writes;
  private final InsertExecutor inserts;
  private final InsertSelectExecutor insertSelects;
  private final ConflictCheck conflicts;

  /** Executors over these parts. */
  public PlanExecutor(ExecutorParts parts) {
    this.parts = parts;
    this.selects = new SelectExecutor(parts);
    this.writes = new WriteExecutor(parts, selects);
    this.inserts = new InsertExecutor(parts);
    this.insertSelects = new InsertSelectExecutor(parts, selects, writes);
    this.conflicts = new ConflictCheck(parts, selects);
  }

  /** Drops what a crash left behind; blocks. Before the CN serves. */
  public void recover() {
    GatherExecutor.dropLeftovers(parts);
  }

  @Override
  public void run(StatementRun run, Plan plan) {
    run.shards().takeWarnings();
    finish(
        run,
        plan,
        () -> {
          conflicts.before(run);
          work(run, plan);
        });
  }

  private void work(StatementRun run, Plan plan) {
    switch (plan) {
      case Plan.Select select -> selects.run(run, select);
      case Plan.Write write -> writes.run(run, write);
      case Plan.KeyUpdate update -> writes.run(run, update);
      case Plan.Insert insert -> inserts.run(run, insert.rows());
      case Plan.InsertSelect insertSelect -> run.writer().ok(insertSelects.run(run, insertSelect));
      case Plan.Checked checked -> {
        parts.makeChecks(run, checked.views());
        work(run, checked.write());
      }
      case Plan.Raising raising -> {
        HeldOk answer = new HeldOk(run.writer());
        work(run.with(answer), raising.write());
        new SequenceRaises(parts, run).raise(raising.sequences());
        answer.release();
      }
    }
  }

  @Override
  public OkPacket fill(StatementRun run, Plan.InsertSelect plan) {
    run.shards().takeWarnings();
    OkPacket[] answer = new OkPacket[1];
    finish(run, plan, () -> answer[0] = insertSelects.run(run, plan));
    return Objects.requireNonNull(answer[0]);
  }

  @Override
  public Optional<StartedStatement> start(StatementRun run, Plan plan) {
    boolean checked = run.session().checksConflicts();
    if (!(plan instanceof Plan.Select select) || (select.locking() && checked)) {
      return Optional.empty();
    }
    if (parts.analytic().mayTake(run.session(), run.statement(), select)) {
      return Optional.empty();
    }
    run.shards().takeWarnings();
    return selects.start(run, select).map(scatter -> new Started(run, select, scatter));
  }

  /** A SELECT at work on several DNs. */
  private final class Started implements StartedStatement {
    private final StatementRun run;
    private final Plan.Select select;
    private final Scatter scatter;

    Started(StatementRun run, Plan.Select select, Scatter scatter) {
      this.run = run;
      this.select = select;
      this.scatter = scatter;
    }

    @Override
    public void whenAnswered(Runnable action) {
      scatter.whenAnswered(action);
    }

    @Override
    public boolean isShort() {
      return scatter.isShort();
    }

    @Override
    public void finish() {
      PlanExecutor.this.finish(run, select, () -> selects.finish(run, select, scatter));
    }
  }

  private void finish(StatementRun run, Plan plan, Runnable rest) {
    try {
      rest.run();
      List<Condition> told = warnings(run, checks(plan));
      run.session()
          .last()
          .diagnostics(
              Diagnostics.ofWarnings(
                  plan instanceof Plan.Select
                      ? OnceWarnings.of(run, told)
                      : RowNumbers.sorted(OnceWarnings.ofWrite(run, told))));
    } catch (AlraiException e) {
      throw plan instanceof Plan.Select
          ? ErrorAsWritten.of(parts, run, parts.names().error(e))
          : CheckViewKeeper.told(checks(plan), parts.names().error(e));
    }
  }

  private static List<CheckView> checks(Plan plan) {
    return plan instanceof Plan.Checked checked ? checked.views() : List.of();
  }

  @Override
  public void assign(
      StatementRun run, AdminStatement.AssigningSelect statement, Collations collations) {
    run.shards().takeWarnings();
    run.session().variables().announce(statement.variables());
    try {
      finish(
          run,
          statement.query(),
          () -> {
            conflicts.before(run);
            new AssigningSelects(selects).run(run, statement, collations);
          });
    } finally {
      run.session().variables().announce(List.of());
    }
  }

  @Override
  public Rows read(
      StatementRun run, AdminStatement.AssigningSelect statement, Collations collations, int most) {
    CollectedRows collected = new CollectedRows(run.writer().output(), most);
    assign(run.with(collected), statement, collations);
    return collected.rows();
  }

  @Override
  public Rows read(StatementRun run, Plan.Select select, int most) {
    run.shards().takeWarnings();
    List<byte[]> rows = new ArrayList<>();
    List<ColumnDefinition> columns;
    conflicts.before(run);
    try (RowSource source = selects.open(run, select, new int[1])) {
      columns = source.columns();
      while (rows.size() < most && source.advance()) {
        Row row = source.row();
        rows.add(Arrays.copyOfRange(row.bytes(), row.start(), row.end()));
      }
    } catch (AlraiException e) {
      throw parts.names().error(e);
    }
    run.session()
        .last()
        .diagnostics(Diagnostics.ofWarnings(OnceWarnings.of(run, warnings(run, List.of()))));
    return new Rows(columns, rows);
  }

  private List<Condition> warnings(StatementRun run, List<CheckView> checks) {
    LogicalNames names = parts.names();
    return run.shards().takeWarnings().stream()
        .map(warning ->
            new Condition(
                warning.level(),
                warning.code(),
                CheckViewKeeper.told(checks, names.text(warning.message()))))
        .toList();
  }
}
