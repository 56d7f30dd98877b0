package io.alrai.cn.tx;

import io.alrai.cn.branch.Commands;
import io.alrai.cn.held.HeldBranch;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Transactions that a mysqld has rolled back by itself, with a statement's error: 1213, 1206 (too
 * many locks), 1205 under innodb_rollback_on_timeout, perhaps others. An error packet does not say
 * so, but the next answer does; what is sent next would commit by itself. Event loop only.
 */
final class LostTransactions {
  private LostTransactions() {}

  /**
   * Whether one of the branches is no longer in its transaction. Never fails; one that breaks is
   * noticed by whoever uses it next.
   */
  static CompletableFuture<Boolean> any(Collection<TransactionBranch> branches) {
    List<CompletableFuture<Boolean>> asked =
        branches.stream()
            .map(TransactionBranch::branch)
            // a HeldBranch is never in a transaction that begins with a statement
            .filter(branch -> branch.alive() && !(branch instanceof HeldBranch))
            .map(LostTransactions::isLost)
            .toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(done -> asked.stream().anyMatch(CompletableFuture::join));
  }

  private static CompletableFuture<Boolean> isLost(Branch branch) {
    CompletableFuture<Boolean> lost = new CompletableFuture<>();
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, Sql.of("DO 0")),
        ReplyKind.STATUS,
        new ReplySink() {
          private boolean refused;

          @Override
          public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
            refused |= kind == PacketKind.ERR;
          }

          @Override
          public void chunkEnd() {}

          @Override
          public void end(int status) {
            lost.complete(!refused && (status & ServerStatus.IN_TRANS) == 0);
          }

          @Override
          public void failed(AlraiException reason) {
            lost.complete(false);
          }
        });
    branch.flush();
    return lost;
  }
}
