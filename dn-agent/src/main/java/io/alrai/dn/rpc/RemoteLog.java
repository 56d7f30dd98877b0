package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.gate.live.Resolved;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.LogSubscription;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The log of a DN whose agent is another process. Each subscription is a connection of its own;
 * questions go over the one for calls. Thread-safe.
 */
final class RemoteLog implements DnLog {
  private final DnId dn;
  private final AgentConnector connector;
  private final ControlConnection control;
  private final long askMillis;

  RemoteLog(DnId dn, AgentConnector connector, ControlConnection control, long askMillis) {
    this.dn = dn;
    this.connector = connector;
    this.control = control;
    this.askMillis = askMillis;
  }

  @Override
  public DnId dn() {
    return dn;
  }

  @Override
  public LogSubscription follow() throws InterruptedException {
    CompletableFuture<LogSubscription> made = new CompletableFuture<>();
    AgentChannel.Listener listener =
        new AgentChannel.Listener() {
          @Override
          public void ready(AgentChannel channel, long connectionId) {
            RemoteSubscription subscription = new RemoteSubscription(channel);
            if (!made.complete(subscription)) {
              subscription.close();
            }
          }

          @Override
          public void refused(AlraiException reason) {
            made.completeExceptionally(new BinlogException(reason.sentence(), reason));
          }
        };
    // elsewhere the agent's first word could come before its reader is in place
    control.loop().execute(() -> connector.openLog(control.loop(), listener));
    try {
      return made.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof BinlogException known
          ? known
          : new BinlogException("the agent of " + dn + " failed: " + e.getCause(), e);
    } finally {
      made.cancel(false);
    }
  }

  @Override
  public CompletableFuture<Resolved> resolve(HlcTimestamp wanted) {
    return control.ask(
        new Message.Resolve(wanted),
        askMillis,
        Message.ResolvedTo.class,
        Message.ResolvedTo::resolved);
  }

  @Override
  public CompletableFuture<Collection<TransactionId>> preparedBranches() {
    return control.ask(
        new Message.AskBranches(),
        askMillis,
        Message.BranchesAre.class,
        Message.BranchesAre::branches);
  }
}
