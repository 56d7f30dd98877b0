package io.alrai.cn.execute;

import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.select.SelectExecutor;
import io.alrai.cn.session.Session;
import io.alrai.cn.statement.ExecuteErrors;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.TemplateText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.operator.RowSource;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.planner.HiddenChanges;
import io.alrai.optimizer.api.planner.TargetRows;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import java.util.Optional;

/**
 * {@code snapshot_isolation_conflicts}: the first updater wins. Before a transaction that reads at
 * a snapshot changes or locks rows, these are read at the snapshot, then as they are now, under
 * locks; where they differ, another transaction has committed in between. Virtual threads.
 */
final class ConflictCheck {
  private final ExecutorParts parts;
  private final SelectExecutor selects;

  ConflictCheck(ExecutorParts parts, SelectExecutor selects) {
    this.parts = parts;
    this.selects = selects;
  }

  /**
   * Before a statement runs.
   *
   * @throws AlraiException ER_LOCK_DEADLOCK when another transaction has changed its rows;
   *     ER_NOT_SUPPORTED_YET when they cannot be compared
   */
  void before(StatementRun run) {
    if (!run.session().checksConflicts()) {
      return;
    }
    HiddenChanges.refuse(run.statement(), context(run));
    Optional<TargetRows> rows =
        TargetRows.of(run.statement(), run.session().variables().lexicalMode());
    if (rows.isEmpty()) {
      return;
    }
    // the client's character set may have one character for different ones
    RowsDigest seen = run.shards().copying(() -> digest(run, rows.get().consistent()));
    RowsDigest current = run.shards().copying(() -> digest(run, rows.get().locking()));
    run.shards().takeWarnings();
    if (!seen.equals(current)) {
      throw new AlraiException(
          ErrorCode.ER_LOCK_DEADLOCK,
          "another transaction has changed these rows since this one's snapshot"
              + " (snapshot_isolation_conflicts=ON); try restarting transaction");
    }
  }

  private Planner.Context context(StatementRun run) {
    Session session = run.session();
    return StatementPlanner.context(
        parts.catalog(session), session.schema(), session.variables().lexicalMode());
  }

  private RowsDigest digest(StatementRun run, SqlTemplate template) {
    Session session = run.session();
    byte[] sql = TemplateText.render(template, run.values(), "", session);
    LexicalMode mode = session.variables().lexicalMode();
    ShapedText text = ShapedText.of(new String(sql, mode.charset()), mode);
    Work work = parts.planner().plan(text, context(run)).work();
    if (!(work instanceof Work.Data data && data.plan() instanceof Plan.Select select)) {
      throw ExecuteErrors.unsupported(
          "this statement with snapshot_isolation_conflicts=ON; SELECT its rows FOR UPDATE first");
    }
    try (RowSource rows = selects.open(run.with(text, sql), select, new int[1])) {
      return RowsDigest.of(rows);
    }
  }
}
