package io.alrai.cn.select;

import io.alrai.cn.gather.GatherExecutor;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.statement.ValueWarnings;
import io.alrai.cn.text.FloatDigits;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a SELECT over copies. What the shards warned of while rows were copied, and a mysqld
 * again over the copies, is reported once. Warnings that depend on the order of a join are asked
 * for a second time, over tables with statistics, where a mysqld joins as it does the client's
 * tables.
 */
final class GatheredSelect implements RowSource {
  /** With more warnings the list is cut, on a mysqld, too, and which ones remain is accidental. */
  private static final int MOST_WARNINGS = 64;

  private final GatherExecutor gather;
  private final StatementRun run;
  private final GatherPlan plan;
  private final FloatDigits digits;
  private final int[] warnings;
  private final int countBefore;
  private final List<Condition> before;
  private final List<Condition> copying = new ArrayList<>();
  private final RowSource rows;
  private boolean ended;

  /** Gathers and starts the statement; its rows are to be closed. */
  private GatheredSelect(
      GatherExecutor gather,
      StatementRun run,
      GatherPlan plan,
      FloatDigits digits,
      int[] warnings) {
    this.gather = gather;
    this.run = run;
    this.plan = plan;
    this.digits = digits;
    this.warnings = warnings;
    this.countBefore = warnings[0];
    this.before = run.shards().takeWarnings();
    this.rows = open(plan, warnings);
  }

  /** Opens it with something to run when rows are copied; warnings then stay as they come. */
  static RowSource open(
      GatherExecutor gather,
      StatementRun run,
      GatherPlan plan,
      FloatDigits digits,
      int[] warnings,
      Optional<Runnable> copied) {
    return copied.isPresent()
        ? gather.open(run, plan, digits, warnings, copied.get())
        : new GatheredSelect(gather, run, plan, digits, warnings);
  }

  private RowSource open(GatherPlan chosen, int[] count) {
    return gather.open(
        run, chosen, digits, count, () -> copying.addAll(run.shards().takeWarnings()));
  }

  @Override
  public List<ColumnDefinition> columns() {
    return rows.columns();
  }

  @Override
  public boolean advance() {
    ended = !rows.advance();
    return !ended;
  }

  /** The last warnings arrive when the rows are closed. */
  @Override
  public void close() {
    rows.close();
    if (ended) {
      tell();
    } else {
      run.shards().collector().addAll(before);
      run.shards().collector().addAll(copying);
    }
  }

  private void tell() {
    int overCopies = warnings[0] - countBefore;
    List<Condition> over = run.shards().takeWarnings();
    List<Condition> told = ValueWarnings.together(copying, over);
    if (ValueWarnings.dependOnPlan(over) && overCopies <= MOST_WARNINGS && mayRunAgain()) {
      told = overTables();
      overCopies = 0;
    }
    warnings[0] = countBefore + Math.max(overCopies, told.size());
    run.shards().collector().addAll(before);
    run.shards().collector().addAll(told);
  }

  private boolean mayRunAgain() {
    return plan.mayBeTemporary()
        && plan.groups().isEmpty()
        && plan.tables().size() > 1
        && plan.tables().stream().noneMatch(GatherPlan.Source::locking);
  }

  private List<Condition> overTables() {
    copying.clear();
    try (RowSource again = open(plan.withTables(), new int[1])) {
      boolean more = true;
      while (more) {
        more = again.advance();
      }
    }
    return ValueWarnings.together(copying, run.shards().takeWarnings());
  }

  @Override
  public Row row() {
    return rows.row();
  }
}
