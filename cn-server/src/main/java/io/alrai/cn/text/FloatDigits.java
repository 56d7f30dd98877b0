package io.alrai.cn.text;

import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.statement.StatementRun;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.operator.RowSource;
import io.alrai.executor.operator.TextNumbers;

/**
 * How many digits of the FLOATs in a SELECT's rows matter. A mysqld's text has six, which may be
 * equal for different values; only the rows of a prepared statement have all.
 */
public enum FloatDigits {
  /** There are no FLOATs, or six of their digits will do. */
  NONE,

  /** Six for a client that gets text; what the CN compares has all. */
  OF_TEXT,

  /** All. */
  ALL;

  /** The digits of a SELECT for the client. */
  public static FloatDigits forClient(StatementRun run, Plan.Select select) {
    if (!select.floats()) {
      return NONE;
    }
    return run.writer().wholeFloats() ? ALL : OF_TEXT;
  }

  /** The digits of a SELECT whose rows the CN itself uses. */
  public static FloatDigits forOthers(Plan.Select select) {
    return select.floats() ? ALL : NONE;
  }

  /** The form in which a mysqld is asked for rows that are the result. */
  public ShardStatement asked(byte[] sql, String home) {
    return this == ALL ? ShardStatement.wholeFloats(sql, home) : ShardStatement.text(sql, home);
  }

  /** The form in which a mysqld is asked for rows that are compared with others. */
  public ShardStatement compared(byte[] sql, String home) {
    return this == NONE ? ShardStatement.text(sql, home) : ShardStatement.wholeFloats(sql, home);
  }

  /** The form in which a mysqld is asked for rows that are merged with those of others. */
  public ShardStatement merged(MergePlan plan, byte[] sql, String home) {
    boolean compared =
        !plan.sort().isEmpty()
            || !plan.distinct().isEmpty()
            || plan.aggregation().stream().anyMatch(groups -> !groups.groupBy().isEmpty());
    return compared ? compared(sql, home) : asked(sql, home);
  }

  /** Rows that were asked for in one of these forms, as the client is to get them. */
  public RowSource shown(RowSource rows) {
    return this == OF_TEXT ? TextNumbers.of(rows) : rows;
  }
}
