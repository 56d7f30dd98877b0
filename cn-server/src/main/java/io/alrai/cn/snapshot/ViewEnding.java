package io.alrai.cn.snapshot;

import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.StatusSink;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.netty.buffer.ByteBufAllocator;

/** How views end that nobody reads any more. Event loop only. */
public final class ViewEnding {
  private ViewEnding() {}

  /** Runs the statements, in one text, that end what a branch is in, and gives it back. */
  public static void finish(Branch branch, Sql statements) {
    finish(branch, statements, () -> {});
  }

  /**
   * Ends a view by statements.
   *
   * @param finished runs when the branch is in nothing any more, or is gone
   */
  static void finish(Branch branch, Sql statements, Runnable finished) {
    if (!branch.alive()) {
      finished.run();
      return;
    }
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, statements),
        ReplyKind.SEVERAL,
        new StatusSink(error -> {
          if (error == null) {
            branch.release();
          } else {
            branch.close();
          }
          finished.run();
        }));
    branch.flush();
  }
}
