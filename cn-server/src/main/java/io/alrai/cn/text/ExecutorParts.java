package io.alrai.cn.text;

import io.alrai.cn.analytic.AnalyticSelects;
import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.ddl.rule.CheckViewKeeper;
import io.alrai.cn.route.Router;
import io.alrai.cn.session.Session;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.statement.Sequences;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.dn.link.BackendAccount;
import io.alrai.executor.fragment.CheckView;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.operator.OperatorBudget;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GmsService;
import io.alrai.optimizer.api.Planner;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;

/**
 * What the executors of a CN work with.
 *
 * @param node this CN
 * @param router values to places
 * @param gms catalog and sequences
 * @param planner of statements that the CN makes
 * @param sequences cached ranges of ids
 * @param queries statements outside of the session's transaction
 * @param budget of one operator
 * @param analytic SELECTs over column indexes
 * @param checks what keeps rows within views
 * @param columnNames what result columns are called
 * @param resultColumns what the columns of merged results are
 */
public record ExecutorParts(
    NodeId node,
    Router router,
    GmsService gms,
    Planner planner,
    Sequences sequences,
    ShardQueries queries,
    OperatorBudget budget,
    AnalyticSelects analytic,
    CheckViewKeeper checks,
    ColumnNames columnNames,
    ResultColumns resultColumns) {
  /** Parts that have learned nothing yet. */
  public ExecutorParts(
      NodeId node,
      Router router,
      GmsService gms,
      Planner planner,
      Sequences sequences,
      ShardQueries queries,
      OperatorBudget budget,
      AnalyticSelects analytic,
      CheckViewKeeper checks) {
    this(
        node,
        router,
        gms,
        planner,
        sequences,
        queries,
        budget,
        analytic,
        checks,
        new ColumnNames(),
        new ResultColumns());
  }

  /** The links to the DNs. */
  public DnLinks links() {
    return queries.links();
  }

  /** The catalog as a session sees it. */
  public Catalog catalog(Session session) {
    return session.temporary().over(gms.catalog());
  }

  /** Physical names to logical ones. */
  public LogicalNames names() {
    return new LogicalNames(gms::catalog);
  }

  /**
   * Makes the views that check a statement. Under LOCK TABLES those that are locked exist, and
   * making others would wait for the session itself.
   */
  public void makeChecks(StatementRun run, List<CheckView> views) {
    if (!run.session().transaction().held().tableLocks().held()) {
      checks.make(views);
    }
  }

  /**
   * The client's statement over tables without rows, outside of its transaction, with its settings.
   */
  public ShardCall asWritten(StatementRun run) {
    return overNoRows(
        run,
        PreparedShardStatement.whole(run, null, "")
            .orElseGet(() -> ShardStatement.text(PlaceText.verbatim(run))));
  }

  /** Runs it as a text, with the values of parameters in it. */
  ShardCall asText(StatementRun run) {
    return overNoRows(run, ShardStatement.text(PlaceText.verbatim(run)));
  }

  /** Runs it with EXPLAIN before it: nothing is written. */
  public ShardCall explained(StatementRun run) {
    return overNoRows(
        run, ShardStatement.text(Sql.of("EXPLAIN FORMAT=TRADITIONAL "), PlaceText.verbatim(run)));
  }

  /**
   * The columns of the client's query within a statement, as a mysqld with all tables gives them:
   * those of rows of several places lose flags and tables.
   *
   * @return empty where there is a mistake in it, or a temporary table
   * @throws AlraiException 1317
   */
  public Optional<List<ColumnDefinition>> columns(StatementRun run, SqlTemplate query) {
    ByteArrayOutputStream text = new ByteArrayOutputStream(512);
    text.writeBytes(PlaceText.render(run, query, ""));
    text.writeBytes(SessionText.encoded(run.session().variables(), Sql.of("\n) LIMIT 0")));
    try (ShardCall call = overNoRows(run, ShardStatement.text(Sql.of("("), text.toByteArray()))) {
      List<ColumnDefinition> columns = call.columns();
      ShardQueries.rows(call);
      return Optional.of(columns);
    } catch (AlraiException e) {
      if (e.is(ErrorCode.ER_QUERY_INTERRUPTED)) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private ShardCall overNoRows(StatementRun run, ShardStatement sql) {
    return queries
        .withSettings(run.session().variables().ofBackends())
        .start(links().any(), BackendAccount.DATA, run.session().schema(), sql);
  }
}
