package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.ResolvedPlace;
import io.alrai.dn.ship.SnapshotPlace;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The log of a DN whose agent is another process. Each subscription is a connection of its own;
 * questions go over the one for calls. Thread-safe.
 */
final class RemoteLog implements DnLog {
  /** Longer than a leader is sought, and than a group's log is read. */
  private static final long BEGIN_SECONDS = 30;

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
    return follow(Optional.empty());
  }

  @Override
  public LogSubscription follow(GtidSet known) throws InterruptedException {
    return follow(Optional.of(known.copy()));
  }

  private LogSubscription follow(Optional<GtidSet> known) throws InterruptedException {
    CompletableFuture<RemoteSubscription> made = new CompletableFuture<>();
    AgentChannel.Listener listener =
        new AgentChannel.Listener() {
          @Override
          public void ready(AgentChannel channel, long connectionId) {
            RemoteSubscription opened = RemoteSubscription.open(channel, known);
            opened
                .begun()
                .whenComplete((before, error) -> {
                  if (error != null) {
                    made.completeExceptionally(error);
                  } else if (!made.complete(opened)) {
                    opened.close();
                  }
                });
            made.whenComplete((done, given) -> {
              if (given != null) {
                opened.close();
              }
            });
          }

          @Override
          public void refused(AlraiException reason) {
            made.completeExceptionally(new BinlogException(reason.sentence(), reason));
          }
        };
    // elsewhere the agent's first word could come before its reader is in place
    control.loop().execute(() -> connector.openLog(control.loop(), listener));
    try {
      return made.get(BEGIN_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof BinlogException reason
          ? reason
          : new BinlogException("the agent of " + dn + " failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new BinlogException(
          "the agent of " + dn + " has not begun to send its log for " + BEGIN_SECONDS + " s", e);
    } finally {
      made.cancel(false);
    }
  }

  @Override
  public CompletableFuture<ResolvedPlace> resolve(HlcTimestamp wanted) {
    return control.ask(
        new Message.Resolve(wanted),
        askMillis,
        Message.ResolvedTo.class,
        Message.ResolvedTo::resolved);
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
