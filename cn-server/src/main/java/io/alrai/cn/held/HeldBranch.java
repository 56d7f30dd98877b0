package io.alrai.cn.held;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.Commands;
import io.alrai.cn.snapshot.ForwardingBranch;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.netty.buffer.ByteBufAllocator;

/**
 * A branch that stays with its session while that has tables locked: giving it back only ends what
 * {@link #begin} began. START TRANSACTION would release the locks, so autocommit is off instead.
 */
public final class HeldBranch extends ForwardingBranch {
  private final Branch held;
  private boolean begun;

  HeldBranch(Branch held) {
    super(held);
    this.held = held;
  }

  /** Queues what lets the next statements commit together; nothing is flushed. */
  public void begin() {
    begun = true;
    autocommit(0);
  }

  /** The branch, to give it back to its pool. */
  Branch held() {
    return held;
  }

  @Override
  public void release() {
    if (begun) {
      begun = false;
      autocommit(1);
      held.flush();
    }
  }

  private void autocommit(int on) {
    held.send(
        Commands.query(ByteBufAllocator.DEFAULT, Sql.of("SET autocommit=").number(on)),
        ReplyKind.RESULTS,
        BranchPreparation.guard(held));
  }
}
