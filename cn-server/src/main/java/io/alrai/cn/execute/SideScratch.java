package io.alrai.cn.execute;

import io.alrai.cn.session.Session;
import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.SideBranch;
import io.alrai.common.id.DnId;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.optimizer.syntax.Identifier;

/** A schema of its own, outside of the session's transaction and of the binary log. */
final class SideScratch implements ScratchSite {
  private final StatementRun run;
  private final SideBranch side;
  private final String scratch;

  /** Made by {@link #create}, on a connection that this owns. */
  SideScratch(StatementRun run, SideBranch side, String scratch) {
    this.run = run;
    this.side = side;
    this.scratch = scratch;
  }

  /** The connection. */
  SideBranch side() {
    return side;
  }

  @Override
  public boolean isAt(DnId dn) {
    return dn.equals(side.dn());
  }

  @Override
  public String schema() {
    return scratch;
  }

  @Override
  public String name(String scratchName) {
    return Identifier.quote(scratch) + "." + Identifier.quote(scratchName);
  }

  @Override
  public void create(GatherPlan plan) {
    update("SET SESSION sql_log_bin=0, foreign_key_checks=0, unique_checks=0," + LITERAL_MODE);
    update("CREATE DATABASE " + Identifier.quote(scratch));
    for (GatherPlan.Source source : plan.tables()) {
      String like = Identifier.quote(source.schema()) + "." + Identifier.quote(source.table());
      update("CREATE TABLE " + name(source.scratchName()) + " LIKE " + like);
    }
  }

  @Override
  public void fill(byte[] sql) {
    side.update("", sql);
  }

  @Override
  public ShardCall read(byte[] sql) {
    return side.start("", sql);
  }

  @Override
  public void filled(GatherPlan.Source source) {
    update("ANALYZE NO_WRITE_TO_BINLOG TABLE " + name(source.scratchName()));
  }

  @Override
  public void ready() {
    update("SET SESSION sql_mode=" + ScratchSite.setting(run.session(), "sql_mode"));
    side.settings(run.shards().settings());
  }

  @Override
  public ShardCall start(byte[] sql) {
    return side.start(scratch, sql, run.shards().collector());
  }

  @Override
  public void drop() {
    boolean clean = false;
    try {
      Session session = run.session();
      update("DROP DATABASE IF EXISTS " + Identifier.quote(scratch));
      update(
          "SET SESSION sql_log_bin=1, foreign_key_checks="
              + ScratchSite.setting(session, "foreign_key_checks")
              + ", unique_checks="
              + ScratchSite.setting(session, "unique_checks")
              + ", sql_mode="
              + ScratchSite.setting(session, "sql_mode"));
      clean = true;
    } finally {
      if (clean) {
        side.close();
      } else {
        side.discard();
      }
    }
  }

  private void update(String sql) {
    side.update("", SessionText.encoded(run.session(), sql));
  }
}
