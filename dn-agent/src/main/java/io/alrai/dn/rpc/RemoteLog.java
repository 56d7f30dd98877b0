package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.Mark;
import io.alrai.dn.ship.ResolvedPlace;
import io.alrai.dn.ship.SnapshotPlace;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The log of a DN whose agents are other processes. Each subscription is a connection of its own,
 * to a member that follows if there is one; questions go to the leader, over the one for calls.
 * Thread-safe.
 */
final class RemoteLog implements DnLog {
  private final DnId dn;
  private final LogFeeders feeders;
  private final ControlConnection control;
  private final long askMillis;

  RemoteLog(DnId dn, AgentConnector connector, ControlConnection control, long askMillis) {
    this.dn = dn;
    this.feeders = new LogFeeders(dn, connector, control.loop());
    this.control = control;
    this.askMillis = askMillis;
  }

  @Override
  public DnId dn() {
    return dn;
  }

  @Override
  public LogSubscription follow() throws InterruptedException {
    return feeders.open(Optional.empty());
  }

  @Override
  public LogSubscription follow(GtidSet known) throws InterruptedException {
    return feeders.open(Optional.of(known.copy()));
  }

  @Override
  public String feeder() {
    return feeders.feeder().orElse(dn.name());
  }

  @Override
  public CompletableFuture<ResolvedPlace> resolve(HlcTimestamp wanted) {
    return control.ask(
        new Message.Resolve(wanted),
        askMillis,
        Message.ResolvedTo.class,
        answer -> {
          feeders.awaits(answer.resolved().through());
          return answer.resolved();
        });
  }

  @Override
  public CompletableFuture<Mark> mark() {
    return control.ask(
        new Message.AskMark(), askMillis, Message.MarkIs.class, Message.MarkIs::mark);
  }

  @Override
  public CompletableFuture<SnapshotPlace> place(HlcTimestamp at) {
    return control
        .call(new Message.AskPlace(at), askMillis)
        .exceptionallyCompose(ControlConnection::unavailable)
        .thenApply(reply -> {
          if (reply instanceof Message.PlaceIs found) {
            return new SnapshotPlace.Found(found.transactions());
          }
          if (reply instanceof Message.SnapshotRefused passed) {
            return new SnapshotPlace.Passed(passed.hint());
          }
          throw Envelope.unexpected(reply);
        });
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
