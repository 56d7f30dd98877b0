package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.rpc.wire.Proofs;

/**
 * What a node's connections to one DN have in common.
 *
 * @param node the caller
 * @param clock the caller's
 * @param visible the largest stamp that came over any of them
 * @param peer the agent's end
 * @param seeker follows the DN's leader
 */
record CallerContext(
    DnId dn,
    NodeId node,
    Proofs proofs,
    NodeClock clock,
    HighestStamp visible,
    Peers.Peer peer,
    LeaderSeeker seeker) {}
