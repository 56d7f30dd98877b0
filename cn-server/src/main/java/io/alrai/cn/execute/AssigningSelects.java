package io.alrai.cn.execute;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.gather.VariableExchange;
import io.alrai.cn.select.SelectExecutor;
import io.alrai.cn.statement.ExecuteErrors;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.Collations;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.optimizer.api.AdminStatement;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * SELECTs that assign user variables, or LAST_INSERT_ID. They run on one connection, which is asked
 * for the values afterwards: the transaction's connection at one place, else the one with the
 * copies. Virtual threads.
 */
final class AssigningSelects {
  private final SelectExecutor selects;

  AssigningSelects(SelectExecutor selects) {
    this.selects = selects;
  }

  /** Runs one, whose variables the session has announced, and answers the client. */
  void run(StatementRun run, AdminStatement.AssigningSelect statement, Collations collations) {
    Plan.Select query = statement.query();
    if (query.foundRows().flatMap(Plan.FoundRows::limit).isPresent()) {
      throw ExecuteErrors.unsupported(
          "':=' and LAST_INSERT_ID(..) in a SELECT with SQL_CALC_FOUND_ROWS and LIMIT; run SELECT"
              + " COUNT(*) as a second statement");
    }
    VariableExchange variables = new VariableExchange(run.session(), statement, collations);
    int status = run.statusFlags();
    int[] warnings = new int[1];
    Optional<ShardPlace> place = selects.onlyPlace(run, query);
    if (place.isPresent()) {
      atPlace(run, query, place.get(), variables, status, warnings);
    } else {
      selects.streamGathered(run, query, variables, status, warnings);
    }
    run.writer().end(warnings[0], status);
  }

  private void atPlace(
      StatementRun run,
      Plan.Select query,
      ShardPlace place,
      VariableExchange variables,
      int status,
      int[] warnings) {
    SessionTransaction transaction = run.session().transaction();
    boolean own = !transaction.open();
    if (own) {
      onLoop(run, transaction::beginForStatement);
    }
    Function<Sql, ShardCall> connection =
        sql -> run.shards().start(place.dn(), "", sql, RowAccess.NONE);
    boolean done = false;
    try {
      onLoop(run, transaction.views()::keepSnapshot);
      variables.give(connection);
      try {
        selects.stream(run, query, place, status, warnings);
      } catch (AlraiException e) {
        variables.takeBackBehind(e, connection);
        throw e;
      }
      variables.takeBack(connection);
      done = true;
    } finally {
      if (own && transaction.open()) {
        run.shards().onLoop(done ? transaction::commit : transaction::rollback);
      }
    }
  }

  private static void onLoop(StatementRun run, Runnable action) {
    run.shards()
        .onLoop(() -> {
          action.run();
          return CompletableFuture.completedFuture(null);
        });
  }
}
