package io.alrai.cn.statement;

import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
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
    session.last().rowCount(-1);
    session.last().diagnostics(Diagnostics.ofError(error));
    undo(run, error);
    try {
      run.writer().error(error);
    } catch (AlraiException clientGone) {
      run.writer().discard();
    }
  }

  /** Rolls back what the error has partly undone. */
  public static void undo(StatementRun run, AlraiException error) {
    if (run.session().transaction().open()) {
      run.shards().onLoop(() -> run.session().transaction().failed(error));
    }
  }
}
