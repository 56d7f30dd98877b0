package io.alrai.dn.role;

import io.alrai.common.id.DnId;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CoordinatorPulse;
import java.util.function.Function;

/**
 * What a leader needs besides its member.
 *
 * @param limits of its connections
 * @param participants the participants of all DNs, asked by the gate and the resolver; may throw
 *     for one that is not known (yet)
 * @param pulse of the CNs
 * @param log where its commits go
 */
public record LeaderContext(
    PoolLimits limits,
    Function<DnId, CommitParticipant> participants,
    CoordinatorPulse pulse,
    LeaderLog log) {
  /** For a DN with one replica. */
  public LeaderContext(
      PoolLimits limits, Function<DnId, CommitParticipant> participants, CoordinatorPulse pulse) {
    this(limits, participants, pulse, LeaderLog.own());
  }
}
