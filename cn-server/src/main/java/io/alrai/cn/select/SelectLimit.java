package io.alrai.cn.select;

import io.alrai.cn.statement.StatementRun;
import io.alrai.optimizer.api.inspect.QueryText;

/**
 * {@code @@sql_select_limit}: how many rows a SELECT without LIMIT gives. Shards do not have it,
 * since their statements are parts of the client's.
 */
final class SelectLimit {
  private static final String VARIABLE = "sql_select_limit";

  private SelectLimit() {}

  /** How many rows the client gets at most of a run's SELECT. */
  static long of(StatementRun run) {
    String literal = run.session().variables().settings().literal(VARIABLE);
    if (literal.isEmpty() || !run.writer().limited()) {
      return Long.MAX_VALUE;
    }
    boolean limited =
        QueryText.isLimited(run.statement().shape(), run.session().variables().lexicalMode());
    long rows = Long.parseUnsignedLong(literal);
    return limited || rows < 0 ? Long.MAX_VALUE : rows;
  }
}
