package io.alrai.cn.system;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.ccl.RuleBook;
import io.alrai.cn.ddl.job.JobsAtWork;
import io.alrai.cn.ddl.rule.CheckViewKeeper;
import io.alrai.cn.digest.StatementDigests;
import io.alrai.cn.lock.Admission;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.shard.ServerFacts;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.statement.Sequences;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.dn.link.BackendAccount;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GmsService;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.function.LongSupplier;

/**
 * What the administrative statements of a CN work on.
 *
 * @param node this CN
 * @param gms the catalog and its service
 * @param queries statements outside of any session
 * @param facts what the mysqlds said at the start
 * @param settings equal settings are one object
 * @param sessions who is connected
 * @param planner plans what EXPLAIN SHARDING explains
 * @param sequences where AUTO_INCREMENT numbers come from
 * @param metrics of this process
 * @param digests what statements cost, by shape
 * @param checks what keeps rows within views
 * @param admission what may begin while there are locks over the cluster
 * @param rules the CCL rules
 * @param jobs the DDL jobs that this CN works on
 * @param wallMillis milliseconds since 1970
 */
public record CnParts(
    NodeId node,
    GmsService gms,
    ShardQueries queries,
    ServerFacts facts,
    SettingsRegistry settings,
    SessionRegistry sessions,
    Planner planner,
    Sequences sequences,
    Metrics metrics,
    StatementDigests digests,
    CheckViewKeeper checks,
    Admission admission,
    RuleBook rules,
    JobsAtWork jobs,
    LongSupplier wallMillis) {
  /**
   * Starts a statement over the shadows of tables, outside of the session's transaction; one of a
   * session with temporary tables where it has these.
   *
   * @param account of the mysqld's
   */
  public ShardCall asWritten(StatementRun run, BackendAccount account, ShardStatement sql) {
    Session session = run.session();
    return session.temporary().none()
        ? queries
            .withSettings(session.variables().ofBackends())
            .start(queries.links().any(), account, session.schema(), sql)
        : run.shards()
            .start(DnId.OF_SESSION, session.schema(), sql, RowAccess.NONE, StatementViews.NONE);
  }

  /**
   * Plans a statement that is a part of another one.
   *
   * @throws io.alrai.common.error.AlraiException what the planner says of it, and what the
   *     session's account may not do
   */
  public Planned plan(Session session, ShapedText text) {
    Catalog catalog = session.temporary().over(gms.catalog());
    Planner.Context context = StatementPlanner.context(catalog, session.schema(), text.mode());
    if (!session.user().access(catalog).everything()) {
      PrivilegeCheck.check(planner.needs(text, context), session, catalog);
    }
    return planner.plan(StatementPlanner.meant(session, catalog, text), context);
  }
}
