package io.alrai.cn.gather;

import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.GatherPlan;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Temporary tables: a tenth of a millisecond each, where tables of a schema take several. A mysqld
 * opens none of them twice in a statement, and makes none with a FULLTEXT index or with partitions:
 * {@link #isUnable}.
 */
public final class TemporaryScratch extends SideScratch {
  /** Can't reopen table; no FULLTEXT index on temporary InnoDB tables; none with partitions. */
  private static final Set<Integer> UNABLE =
      Set.of(1137, 1796, ErrorCode.ER_PARTITION_NO_TEMPORARY.errno());

  /** The agents' schema on every DN: it has no table that is ever copied. */
  public static final String SCHEMA = "alrai";

  /** A connection that has held more is closed: only that frees their file. */
  public static final long MOST_KEPT_ROWS = 100_000;

  private List<Sql> names = List.of();
  private long rows;

  /** A scratch on a connection that it owns. */
  public TemporaryScratch(StatementRun run, SideBranch side) {
    super(run, side, SCHEMA);
  }

  /** Whether another scratch site may do what this one has failed with. */
  static boolean isUnable(AlraiException error) {
    return UNABLE.contains(error.errno());
  }

  @Override
  public void create(GatherPlan plan) {
    names = plan.tables().stream().map(GatherPlan.Source::scratchName).map(this::name).toList();
    update(
        Stream.concat(
            Stream.of(ShardStatement.text(Sql.of("SET SESSION ").add(LITERAL_MODE))),
            copies(plan, Sql.of("CREATE TEMPORARY TABLE "))));
  }

  @Override
  void fill(ShardStatement statement) {
    rows += side().update("", statement).affectedRows();
  }

  /** A temporary table's statistics are made when they are asked for. */
  @Override
  public void filled(GatherPlan.Source source) {}

  @Override
  boolean remove() {
    if (rows > MOST_KEPT_ROWS) {
      return false;
    }
    update(
        Stream.of(
                Sql.of("DROP TEMPORARY TABLE IF EXISTS ").add(Sql.join(", ", names)),
                Sql.of("SET SESSION ").add(own("sql_mode")))
            .map(ShardStatement::text));
    return true;
  }
}
