package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.Message;
import java.util.concurrent.CompletableFuture;

/**
 * Views of a DN behind an agent in another process. The agent is asked on the branch's own
 * connection. A future fails with an {@link AlraiException} only; where the agent's answer is
 * unknown or did not come in time, the branch is closed before. Thread-safe.
 */
final class RemoteViews implements ViewOpener {
  private final AgentConnector connector;
  private final long boundMillis;

  RemoteViews(AgentConnector connector, long boundMillis) {
    this.connector = connector;
    this.boundMillis = boundMillis;
  }

  @Override
  public CompletableFuture<Opening> open(
      Branch branch, HlcTimestamp at, String opening, String undo, boolean again) {
    CompletableFuture<Opening> opened = new CompletableFuture<>();
    branch.state().shown(KeptReplies.NOWHERE);
    connector
        .call(branch, new Message.OpenView(at, opening, undo, again), boundMillis)
        .whenComplete((reply, error) -> {
          if (reply instanceof Message.Opened view) {
            branch.state().shown(view.shown());
            AgentConnector.transaction(branch, true);
            opened.complete(new Opening.Open());
          } else if (reply instanceof Message.SnapshotRefused refused) {
            if (!undo.isEmpty()) {
              AgentConnector.transaction(branch, false);
            }
            opened.complete(new Opening.Refused(refused.hint()));
          } else if (error instanceof AgentChannel.Lost lost) {
            branch.close();
            opened.completeExceptionally(lost.ofBranch());
          } else if (error instanceof AlraiException known
              && known.is(ErrorCode.ALRAI_NODE_UNAVAILABLE)
              && !connector.seeker().alone()) {
            branch.close(); // its mysqld is gone, and the agent leads no more in a moment
            opened.completeExceptionally(new AgentChannel.Lost(known).ofBranch());
          } else if (error != null) {
            opened.completeExceptionally(error);
          } else {
            branch.close();
            opened.completeExceptionally(Envelope.malformed("unexpected " + reply));
          }
        });
    return opened;
  }

  @Override
  public long visibleStamp() {
    return connector.visibleStamp();
  }
}
