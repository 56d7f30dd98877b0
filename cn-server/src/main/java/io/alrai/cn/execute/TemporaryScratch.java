package io.alrai.cn.execute;

import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.SideBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.optimizer.syntax.Identifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Temporary tables on a connection outside of the session's transaction: a tenth of a millisecond
 * each, where tables of a schema take several. A mysqld opens none of them twice in a statement,
 * and makes none with a FULLTEXT index: {@link #isUnable}.
 */
final class TemporaryScratch implements ScratchSite {
  /** Can't reopen table; no FULLTEXT index on temporary InnoDB tables. */
  private static final Set<Integer> UNABLE = Set.of(1137, 1796);

  /** Of the agents, on every DN: it has no table that is ever copied. */
  private static final String SCHEMA = "alrai";

  /** A connection that has held more is ended: only that gives their file back. */
  private static final long MOST_KEPT_ROWS = 100_000;

  private final StatementRun run;
  private final SideBranch side;
  private List<String> names = List.of();
  private long rows;

  /** On a connection that this owns. */
  TemporaryScratch(StatementRun run, SideBranch side) {
    this.run = run;
    this.side = side;
  }

  /** Whether another scratch site may do what this one has failed with. */
  static boolean isUnable(AlraiException error) {
    return UNABLE.contains(error.errno());
  }

  @Override
  public boolean isAt(DnId dn) {
    return dn.equals(side.dn());
  }

  @Override
  public String schema() {
    return SCHEMA;
  }

  @Override
  public String name(String scratchName) {
    return Identifier.quote(SCHEMA) + "." + Identifier.quote(scratchName);
  }

  @Override
  public void create(GatherPlan plan) {
    names = plan.tables().stream().map(GatherPlan.Source::scratchName).map(this::name).toList();
    List<byte[]> statements = new ArrayList<>();
    statements.add(encoded("SET SESSION " + LITERAL_MODE));
    for (GatherPlan.Source source : plan.tables()) {
      String like = Identifier.quote(source.schema()) + "." + Identifier.quote(source.table());
      statements.add(
          encoded("CREATE TEMPORARY TABLE " + name(source.scratchName()) + " LIKE " + like));
    }
    side.updates(statements);
  }

  @Override
  public void fill(byte[] sql) {
    rows += side.update("", sql).affectedRows();
  }

  @Override
  public ShardCall read(byte[] sql) {
    return side.start("", sql);
  }

  /** A temporary table's statistics are made when they are asked for. */
  @Override
  public void filled(GatherPlan.Source source) {}

  @Override
  public void ready() {
    side.updates(List.of(sessionMode()));
    side.settings(run.shards().settings());
  }

  private byte[] sessionMode() {
    return encoded("SET SESSION sql_mode=" + ScratchSite.setting(run.session(), "sql_mode"));
  }

  @Override
  public ShardCall start(byte[] sql) {
    return side.start(SCHEMA, sql, run.shards().collector());
  }

  @Override
  public void drop() {
    boolean clean = false;
    try {
      if (rows <= MOST_KEPT_ROWS) {
        byte[] drop = encoded("DROP TEMPORARY TABLE IF EXISTS " + String.join(", ", names));
        side.updates(List.of(drop, sessionMode()));
        clean = true;
      }
    } finally {
      if (clean) {
        side.close();
      } else {
        side.discard();
      }
    }
  }

  private byte[] encoded(String sql) {
    return SessionText.encoded(run.session(), sql);
  }
}
