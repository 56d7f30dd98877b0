package io.alrai.cn.shard;

import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.netty.buffer.ByteBufAllocator;

/** Makes a connection forget what was done on it. Event loop only. */
public final class BranchReset {
  /** The login says so, too: a reset goes back to the global value. */
  private static final String KEEP_PREPARED = "SET SESSION xa_detach_on_prepare=OFF";

  private BranchReset() {}

  /** Queues a reset, and gives the branch back after it. */
  public static void release(Branch branch) {
    branch.state().reset();
    branch.state().schema("");
    branch.require(
        Commands.command(ByteBufAllocator.DEFAULT, Command.RESET_CONNECTION, new byte[0]),
        ReplyKind.STATUS);
    if (branch.keepsPrepared()) {
      branch.require(
          Commands.query(ByteBufAllocator.DEFAULT, Sql.of(KEEP_PREPARED)), ReplyKind.STATUS);
    }
    BranchPreparation.whenIdle(
        branch,
        error -> {
          if (error == null) {
            branch.release();
          } else {
            branch.close();
          }
        });
  }
}
