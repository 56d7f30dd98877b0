package io.alrai.cn.shard;

import io.alrai.cn.tx.BranchSource;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Ends the statements that a session runs on its branches, each by a KILL QUERY on its mysqld. The
 * branch does nothing else until that is answered; the mysqld leaves a connection alone that is
 * idle by then. On the session's event loop.
 */
public final class QueryKiller {
  private final BranchSource source;

  /** With branches of a session. */
  public QueryKiller(BranchSource source) {
    this.source = source;
  }

  /**
   * Kills what runs now.
   *
   * @return whether there was something; work that has not begun yet is not known here
   */
  public boolean kill(@Nullable Branch forwarded, SessionShards shards) {
    boolean found = shards.ownWork().end();
    if (forwarded != null) {
      kill(forwarded);
      found = true;
    }
    for (Branch branch : shards.atWork()) {
      kill(branch);
      found = true;
    }
    return found;
  }

  /** Kills what a branch runs now, if anything. */
  public void kill(Branch victim) {
    if (victim.serverConnectionId() == 0) {
      victim.close();
      return;
    }
    victim.hold();
    source.take(
        victim.dn(),
        "",
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            if (!victim.busy()) {
              branch.release();
              victim.resume();
              return;
            }
            branch.send(
                Commands.query(
                    ByteBufAllocator.DEFAULT, "KILL QUERY " + victim.serverConnectionId()),
                ReplyKind.STATUS,
                new StatusSink(error -> {
                  branch.release();
                  victim.resume();
                }));
            branch.flush();
          }

          @Override
          public void refused(AlraiException reason) {
            victim.close();
            victim.resume();
          }
        });
  }
}
