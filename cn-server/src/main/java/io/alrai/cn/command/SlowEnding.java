package io.alrai.cn.command;

import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.Planned.Work;
import org.jspecify.annotations.Nullable;

/**
 * How a statement ends that is not forwarded. Used by the thread that runs it, then by the event
 * loop.
 */
final class SlowEnding {
  private final MovedTables moved;
  private final boolean undoneByItself;
  private final int firstSequence;
  private boolean failed;
  private @Nullable AlraiException passing;

  /**
   * How work ends.
   *
   * @param firstSequence of the client's next packet; a later number means that something was sent
   */
  SlowEnding(MovedTables moved, Work work, int firstSequence) {
    this.moved = moved;
    // routines may have committed
    this.undoneByItself = work instanceof Work.Data && !RoutinePath.calls(work);
    this.firstSequence = firstSequence;
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
      error = ClientConnection.internal(e);
    }
    boolean nothingDone = undoneByItself && run.writer().nextSequence() == firstSequence;
    if (nothingDone && moved.runsAgain(error)) {
      passing = error;
      return;
    }
    failed = true;
    SlowErrors.report(run, moved.told(error));
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
