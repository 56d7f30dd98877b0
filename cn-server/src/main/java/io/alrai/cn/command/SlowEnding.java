package io.alrai.cn.command;

import io.alrai.cn.statement.SlowErrors;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.Planned.Work;
import org.jspecify.annotations.Nullable;

/**
 * How a statement ends that is not forwarded. Used by the thread that runs it, then by the event
 * loop.
 */
final class SlowEnding {
  private final StatementRepeats repeats;
  private final boolean undoneByItself;
  private final boolean plainRead;
  private boolean failed;
  private @Nullable AlraiException passing;

  /** How work ends. */
  SlowEnding(StatementRepeats repeats, Work work) {
    this.repeats = repeats;
    // routines may have committed
    this.undoneByItself = work instanceof Work.Data && !RoutinePath.calls(work);
    this.plainRead = StatementRepeats.isPlainRead(work);
  }

  /** Runs it; an error is sent to the client, unless the statement is to run again. */
  void of(Runnable work, StatementRun run) {
    AlraiException error;
    try {
      work.run();
      return;
    } catch (AlraiException e) {
      error = e;
    } catch (RuntimeException | VirtualMachineError e) {
      error = CommandErrors.internal(e);
    }
    if (undoneByItself && !run.writer().sent() && repeats.runsAgain(error, plainRead)) {
      run.writer().discard();
      passing = error;
      return;
    }
    failed = true;
    SlowErrors.report(run, repeats.told(error));
  }

  /** Whether the client got an error. */
  boolean failed() {
    return failed;
  }

  /** The error because of which it runs again; null if it does not. */
  @Nullable AlraiException passing() {
    return passing;
  }
}
