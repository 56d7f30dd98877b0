package io.alrai.cn.admin;

import io.alrai.cn.lock.Admission;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.session.SettingsRegistry;
import io.alrai.cn.shard.ServerFacts;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GmsService;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.parse.ShapedText;
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
 * @param metrics of this process
 * @param admission what may begin while there are locks over the cluster
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
    Metrics metrics,
    Admission admission,
    LongSupplier wallMillis) {
  /**
   * Plans a statement that is a part of another one.
   *
   * @throws io.alrai.common.error.AlraiException what the planner says of it, and what the
   *     session's account may not do
   */
  Planned plan(Session session, ShapedText text) {
    Catalog catalog = gms.catalog();
    Planner.Context context = StatementPlanner.context(catalog, session.schema(), text.mode());
    if (!session.access(catalog).everything()) {
      PrivilegeCheck.check(planner.needs(text, context), session, catalog);
    }
    return planner.plan(text, context);
  }
}
