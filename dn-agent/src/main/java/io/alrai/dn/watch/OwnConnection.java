package io.alrai.dn.watch;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection by which an agent looks at its mysqld, and which serves nobody else. On its loop.
 */
abstract class OwnConnection implements BranchTaker, PipelinedBranch.Home {
  private @Nullable Branch branch;

  /** Null until its login has succeeded. */
  final @Nullable Branch branch() {
    return branch;
  }

  /** Its login has succeeded. */
  void opened() {}

  /** There is none, or no more. */
  abstract void ended(String reason);

  @Override
  public final void taken(Branch opened) {
    branch = opened;
    opened();
  }

  @Override
  public final void refused(AlraiException reason) {
    ended(reason.sentence());
  }

  @Override
  public final void returned(PipelinedBranch given) {
    given.close();
  }

  @Override
  public final void lost(PipelinedBranch gone) {
    ended("its connection has ended");
  }

  /**
   * Ends the looks and the connection. Any thread.
   *
   * @param current asked on the loop
   */
  static void close(
      EventLoop loop, @Nullable Future<?> looks, Supplier<@Nullable OwnConnection> current) {
    if (looks != null) {
      looks.cancel(false);
    }
    if (loop.inEventLoop()) {
      OwnConnection open = current.get();
      if (open != null && open.branch != null) {
        open.branch.close();
      }
    } else if (!loop.isShuttingDown()) {
      loop.execute(() -> close(loop, null, current));
    }
  }
}
