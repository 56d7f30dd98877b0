package io.alrai.cn.write;

import io.alrai.cn.gather.GatherExecutor;
import io.alrai.cn.select.SelectExecutor;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorKind;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.SqlTemplate;
import java.util.regex.Pattern;

/**
 * {@code sql_safe_updates} for a write whose rows are chosen over copies: a mysqld refuses one that
 * finds its rows without a key (1175).
 */
final class SafeUpdates {
  private static final int WITHOUT_KEY = 1175;
  private static final Pattern VERB =
      Pattern.compile("^\\s*(UPDATE|DELETE)\\b", Pattern.CASE_INSENSITIVE);

  private SafeUpdates() {}

  /** Whether the session wants them. */
  static boolean areAsked(StatementRun run) {
    String value = run.session().variables().settings().literal("sql_safe_updates");
    return value.equals("1") || value.equalsIgnoreCase("ON") || value.equalsIgnoreCase("TRUE");
  }

  /**
   * Lets the statement run over copies of its own, for that error only.
   *
   * @throws AlraiException 1175
   */
  static void check(
      StatementRun run, SelectExecutor selects, GatherPlan plan, SqlTemplate statement) {
    try (GatherExecutor.Copies copies = selects.copies(run, plan)) {
      copies.write(statement);
    } catch (AlraiException e) {
      boolean ofRows = e.kind() == ErrorKind.USER && e.errno() != WITHOUT_KEY;
      if (!ofRows || e.errno() == AlraiException.interruption().errno()) {
        throw e; // other errors come from the places, which have all columns
      }
    } finally {
      run.shards().takeWarnings();
    }
  }

  /** A statement by key, which the mysqld may read without one where there are few rows. */
  static String unasked(String sql) {
    return VERB.matcher(sql).replaceFirst("$1 /*+ SET_VAR(sql_safe_updates=0) */");
  }
}
