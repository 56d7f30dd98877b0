package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.ship.DnLog;

/** What every session of an agent uses. */
record AgentContext(
    DnId dn,
    Proofs proofs,
    BackendConnector mysqld,
    CommitParticipant participant,
    ViewOpener views,
    DnLog log,
    NodeClock clock,
    Peers peers) {}
