package io.alrai.cn.gather;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.gms.api.Table;
import java.util.List;

/**
 * Temporary tables on the connection that the session keeps for its own: a statement reads or
 * writes these beside the copies. None of it ends the session's transaction.
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
  Sql name(String scratchName) {
    return Sql.EMPTY.name(plan.tables().getFirst().schema(), scratchName);
  }

  @Override
  void create(GatherPlan copied) {
    update(Sql.of("SET SESSION ").add(LITERAL_MODE));
    for (GatherPlan.Source source : copied.tables()) {
      create(source);
    }
  }

  /** A table that its mysqld partitions has a copy without partitions, keys and defaults. */
  private void create(GatherPlan.Source source) {
    Sql create = Sql.of("CREATE TEMPORARY TABLE ").add(name(source.scratchName()));
    Sql table = Sql.EMPTY.name(source.schema(), source.table());
    if (hasHiddenKey(source)) {
      // no ALTER TABLE, which would commit
      List<String> others =
          source.columns().stream().filter(name -> !name.equals(Table.IMPLICIT_KEY)).toList();
      Sql columns = others.isEmpty() ? Sql.of("*") : Sql.EMPTY.names(others);
      update(
          create
              .words(" (")
              .add(HIDDEN_KEY)
              .words(") AS SELECT ")
              .add(columns)
              .words(" FROM ")
              .add(table));
      return;
    }
    try {
      update(create.words(" LIKE ").add(table));
    } catch (AlraiException e) {
      if (!e.is(ErrorCode.ER_PARTITION_NO_TEMPORARY)) {
        throw e;
      }
      update(create.words(" AS SELECT * FROM ").add(table).words(" LIMIT 0"));
    }
  }

  @Override
  void fill(ShardStatement statement) {
    try (ShardCall call = run().shards().startCopy(DnId.OF_SESSION, "", statement)) {
      call.update();
    }
  }

  @Override
  ShardCall read(Sql sql) {
    SessionShards shards = run().shards();
    ShardStatement text = ShardStatement.text(sql);
    return shards.copying(() -> shards.startCopy(DnId.OF_SESSION, "", text));
  }

  /** ANALYZE would commit what is open. */
  @Override
  public void filled(GatherPlan.Source source) {}

  @Override
  void ready() {
    update(
        Sql.of("SET SESSION sql_mode=")
            .add(setting(run().session().variables().settings(), "sql_mode")));
  }

  @Override
  ShardCall start(ShardStatement statement) {
    return run().shards().start(DnId.OF_SESSION, schema(), statement, access, StatementViews.NONE);
  }

  @Override
  void drop() {
    ready();
    if (!plan.tables().isEmpty()) {
      List<Sql> names =
          plan.tables().stream().map(GatherPlan.Source::scratchName).map(this::name).toList();
      update(Sql.of("DROP TEMPORARY TABLE IF EXISTS ").add(Sql.join(", ", names)));
    }
  }

  private void update(Sql sql) {
    fill(ShardStatement.text(sql));
  }
}
