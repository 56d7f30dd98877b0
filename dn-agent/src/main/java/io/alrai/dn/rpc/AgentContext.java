package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.dn.clock.NodeClock;
import java.util.concurrent.atomic.LongAdder;

/**
 * What every session of an agent uses, whoever leads.
 *
 * @param held counts replies that had to wait for the reservation of the clock
 */
record AgentContext(
    DnId dn, Proofs proofs, Leadership leadership, NodeClock clock, Peers peers, LongAdder held) {}
