package io.alrai.cn.statement;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;

/** The end of a statement that failed on its virtual thread. */
public final class SlowErrors {
  private SlowErrors() {}

  /**
   * Sends the error; a deadlock undoes the whole transaction, because InnoDB has undone a part of
   * it.
   */
  public static void report(StatementRun run, AlraiException error) {
    Session session = run.session();
    AlraiException told = undo(run, error);
    session.last().rowCount(-1);
    session.last().diagnostics(Diagnostics.ofError(told));
    try {
      run.writer().error(told);
    } catch (AlraiException clientGone) {
      run.writer().discard();
    }
  }

  /**
   * Rolls back what the error has partly undone.
   *
   * @return the error for the client: where a connection broke with its transaction, that can be
   *     tried again
   */
  public static AlraiException undo(StatementRun run, AlraiException error) {
    SessionTransaction transaction = run.session().transaction();
    if (!transaction.open()) {
      return error;
    }
    run.shards().onLoop(() -> transaction.failed(error));
    return transaction.open() ? error : BranchControl.ended(error);
  }
}
