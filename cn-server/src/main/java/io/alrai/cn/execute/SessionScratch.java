package io.alrai.cn.execute;

import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.tx.RowAccess;
import io.alrai.common.id.DnId;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.optimizer.syntax.Identifier;
import java.util.stream.Collectors;

/**
 * Temporary tables on the connection that the session keeps for its own: a statement reads or
 * writes these beside the copies. Nothing of it ends the session's transaction.
 */
final class SessionScratch extends CopyScratch {
  private final GatherPlan plan;
  private final RowAccess access;

  /** {@code access} is what the statement does with the session's tables. */
  SessionScratch(StatementRun run, GatherPlan plan, RowAccess access) {
    super(run);
    this.plan = plan;
    this.access = access;
  }

  @Override
  public boolean isAt(DnId dn) {
    return false;
  }

  @Override
  String schema() {
    return run().session().schema();
  }

  @Override
  String name(String scratchName) {
    return Identifier.quote(plan.tables().getFirst().schema())
        + "."
        + Identifier.quote(scratchName);
  }

  @Override
  void create(GatherPlan copied) {
    update("SET SESSION " + LITERAL_MODE);
    for (GatherPlan.Source source : copied.tables()) {
      String like = Identifier.quote(source.schema()) + "." + Identifier.quote(source.table());
      update("CREATE TEMPORARY TABLE " + name(source.scratchName()) + " LIKE " + like);
    }
  }

  @Override
  void fill(byte[] sql) {
    try (ShardCall call = run().shards().startCopy(DnId.OF_SESSION, "", sql)) {
      call.update();
    }
  }

  @Override
  ShardCall read(byte[] sql) {
    SessionShards shards = run().shards();
    return shards.copying(() -> shards.startCopy(DnId.OF_SESSION, "", sql));
  }

  /** ANALYZE would commit what is open. */
  @Override
  public void filled(GatherPlan.Source source) {}

  @Override
  void ready() {
    update("SET SESSION sql_mode=" + setting(run().session(), "sql_mode"));
  }

  @Override
  ShardCall start(ShardStatement statement) {
    return run().shards().start(DnId.OF_SESSION, schema(), statement, access, StatementViews.NONE);
  }

  @Override
  void drop() {
    ready();
    if (!plan.tables().isEmpty()) {
      String names =
          plan.tables().stream()
              .map(GatherPlan.Source::scratchName)
              .map(this::name)
              .collect(Collectors.joining(", "));
      update("DROP TEMPORARY TABLE IF EXISTS " + names);
    }
  }

  private void update(String sql) {
    fill(SessionText.encoded(run().session(), sql));
  }
}
