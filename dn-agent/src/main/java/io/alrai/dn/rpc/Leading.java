package io.alrai.dn.rpc;

import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.group.Reservation;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.rpc.wire.MessageCodec;
import io.alrai.dn.ship.DnLog;
import java.util.concurrent.CompletableFuture;

/**
 * What an agent serves for as long as it leads its DN, in one term.
 *
 * @param term of its group; 0 for a DN of one replica
 * @param mysqld opens the connections to the mysqld
 * @param participant the agent's part in commits
 * @param views opens views on the connections that mysqld gave
 * @param rows the replies that are kept of its mysqld
 * @param log followed from here, and how far it is complete
 * @param reservation up to which time it may speak
 */
public record Leading(
    long term,
    BackendConnector mysqld,
    CommitParticipant participant,
    ViewOpener views,
    KeptReplies rows,
    DnLog log,
    Reservation reservation) {

  /** What answers to a ping over a connection of this version of the envelope. */
  CompletableFuture<Message> pulse(int version) {
    Message pulse = new Message.PulseIs(mysqld.answers());
    return CompletableFuture.completedFuture(
        MessageCodec.isOf(version, pulse) ? pulse : new Message.Done());
  }

  /** Leads a DN of one replica. */
  public static Leading alone(
      BackendConnector mysqld, CommitParticipant participant, ViewOpener views, DnLog log) {
    return new Leading(0, mysqld, participant, views, KeptReplies.NONE, log, Reservation.NONE);
  }
}
