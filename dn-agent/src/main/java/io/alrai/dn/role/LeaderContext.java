package io.alrai.dn.role;

import io.alrai.common.id.DnId;
import io.alrai.dn.backend.PoolLimits;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.link.GroupLimits;
import java.util.function.Function;

/**
 * What a leader needs besides its member.
 *
 * @param limits of its connections
 * @param participants the participants of all DNs, asked by the gate and the resolver; may throw
 *     for one that is not known (yet)
 * @param pulse of the CNs
 * @param log where its commits go
 * @param bounds what is set for groups
 */
public record LeaderContext(
    PoolLimits limits,
    Function<DnId, CommitParticipant> participants,
    CoordinatorPulse pulse,
    LeaderLog log,
    GroupLimits bounds) {
  /** For a DN with one replica. */
  public LeaderContext(
      PoolLimits limits, Function<DnId, CommitParticipant> participants, CoordinatorPulse pulse) {
    this(limits, participants, pulse, LeaderLog.own(), new GroupLimits());
  }

  /** A copy with another log. */
  LeaderContext with(LeaderLog other) {
    return new LeaderContext(limits, participants, pulse, other, bounds);
  }

  /** A copy for a group that is bounded so. */
  public LeaderContext bounded(GroupLimits by) {
    return new LeaderContext(limits, participants, pulse, log, by);
  }
}
