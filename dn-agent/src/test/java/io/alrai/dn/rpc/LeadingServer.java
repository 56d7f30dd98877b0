package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.ServerCounts;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.ship.DnLog;
import io.netty.channel.EventLoopGroup;

/** Servers of agents that lead from the start. */
final class LeadingServer {
  private LeadingServer() {}

  /** One of a DN of one replica. */
  static AgentServer of(
      DnId dn,
      ClusterSecret secret,
      BackendConnector mysqld,
      CommitParticipant participant,
      ViewOpener views,
      DnLog log,
      NodeClock clock,
      EventLoopGroup loops) {
    AgentServer server =
        new AgentServer(
            dn, secret, clock, new Peers(System::nanoTime), loops, ServerCounts.unseen());
    server.lead(Leading.alone(mysqld, participant, views, log));
    return server;
  }
}
