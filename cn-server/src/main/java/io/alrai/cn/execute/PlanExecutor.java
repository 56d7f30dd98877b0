package io.alrai.cn.execute;

import io.alrai.cn.session.Diagnostics;
import io.alrai.cn.session.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.Plan;

/** The data statements of a CN: each kind of plan goes to its executor. Thread-safe. */
public final class PlanExecutor implements DataExecutor {
  private final ExecutorParts parts;
  private final SelectExecutor selects;
  private final WriteExecutor writes;
  private final InsertExecutor inserts;
  private final InsertSelectExecutor insertSelects;

  /** Executors over these parts. */
  public PlanExecutor(ExecutorParts parts) {
    this.parts = parts;
    this.selects = new SelectExecutor(parts);
    this.writes = new WriteExecutor(parts, selects);
    this.inserts = new InsertExecutor(parts);
    this.insertSelects = new InsertSelectExecutor(parts, selects, writes);
  }

  /** Drops what a crash left behind; blocks. Before the CN serves. */
  public void recover() {
    GatherExecutor.dropLeftovers(parts);
  }

  @Override
  public void run(StatementRun run, Plan plan) {
    run.shards().takeWarnings();
    try {
      switch (plan) {
        case Plan.Select select -> selects.run(run, select);
        case Plan.Write write -> writes.run(run, write);
        case Plan.Insert insert -> inserts.run(run, insert.rows());
        case Plan.InsertSelect insertSelect -> insertSelects.run(run, insertSelect);
      }
      run.session().diagnostics(warnings(run));
    } catch (AlraiException e) {
      throw parts.names().error(e);
    }
  }

  private Diagnostics warnings(StatementRun run) {
    LogicalNames names = parts.names();
    return Diagnostics.ofWarnings(
        run.shards().takeWarnings().stream()
            .map(w -> new Condition(w.level(), w.code(), names.text(w.message())))
            .toList());
  }
}
