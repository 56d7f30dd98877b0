package io.alrai.cn.command;

import io.alrai.cn.shard.Commands;
import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.shard.StatusSink;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/** Ends the statements that a session runs on its branches, each by a KILL QUERY on its mysqld. */
final class QueryKiller {
  private final CnServices services;
  private final EventLoop loop;

  QueryKiller(CnServices services, EventLoop loop) {
    this.services = services;
    this.loop = loop;
  }

  /** Kills what runs now; on the session's event loop. */
  void kill(@Nullable Branch forwarded, SessionShards shards) {
    if (forwarded != null) {
      kill(forwarded);
    }
    shards.atWork().forEach(this::kill);
  }

  private void kill(Branch victim) {
    if (victim.serverConnectionId() == 0) {
      victim.close();
      return;
    }
    services
        .links()
        .link(victim.dn())
        .take(
            loop,
            BackendAccount.DATA,
            "",
            new BranchTaker() {
              @Override
              public void taken(Branch branch) {
                branch.send(
                    Commands.query(
                        ByteBufAllocator.DEFAULT, "KILL QUERY " + victim.serverConnectionId()),
                    ReplyKind.STATUS,
                    new StatusSink(error -> branch.release()));
                branch.flush();
              }

              @Override
              public void refused(AlraiException reason) {
                victim.close();
              }
            });
  }
}
