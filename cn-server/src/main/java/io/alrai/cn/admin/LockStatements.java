package io.alrai.cn.admin;

import io.alrai.cn.branch.OwnWork;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.held.HeldLocks;
import io.alrai.cn.held.NamedLocks;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.statement.QueryReader;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.TemplateText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.optimizer.api.AdminStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** GET_LOCK and its like, on the connection that keeps the session's locks. Virtual threads. */
final class LockStatements {
  private LockStatements() {}

  /** Runs a statement and answers the client. */
  static void run(StatementRun run, AdminStatement.NamedLocks statement, Assignments assignments) {
    QueryReader.Rows result = read(run, statement);
    if (!statement.into().isEmpty()) {
      assignments.assign(run, statement.into(), result);
      return;
    }
    Session session = run.session();
    if (!statement.hasRows()) {
      CnAdmin.ok(run, session.last().diagnostics());
      return;
    }
    run.writer().columns(result.columns(), run.statusFlags());
    result.rows().forEach(run.writer()::row);
    session.last().foundRows(result.rows().size());
    session.last().rowCount(-1);
    run.writer().end(session.last().diagnostics().warningCount(), run.statusFlags());
  }

  /**
   * Runs it for a caller that wants the rows. The warnings are the session's diagnostics then.
   *
   * @throws AlraiException the mysqld's error: 1317 for a KILL, 3057, 3058; 1040 where too many
   *     sessions wait for locks
   */
  static QueryReader.Rows read(StatementRun run, AdminStatement.NamedLocks statement) {
    Session session = run.session();
    NamedLocks locks = session.transaction().held().namedLocks();
    HeldLocks held = locks.held();
    byte[] sql = TemplateText.render(statement.sql(), run.values(), "", session);
    Queue<Condition> warnings = new ConcurrentLinkedQueue<>();
    List<byte[]> rows = new ArrayList<>();
    List<ColumnDefinition> columns;
    try (ShardCall call =
            locks.start(
                session.variables().ofBackends(), session.client().connectionId(), sql, warnings);
        OwnWork.Registration _ = run.shards().ownWork().begin(locks::kill)) {
      columns = call.columns();
      byte[] row;
      while ((row = call.nextRow()) != null) {
        rows.add(row);
        held.row(statement.calls(), ShardQueries.texts(row, columns.size()));
      }
      call.status();
      held.ended(statement.calls());
    } catch (AlraiException e) {
      held.failed(statement.calls());
      throw e;
    } finally {
      locks.ended();
    }
    session.last().diagnostics(Diagnostics.ofWarnings(List.copyOf(warnings)));
    return new QueryReader.Rows(columns, rows);
  }
}
