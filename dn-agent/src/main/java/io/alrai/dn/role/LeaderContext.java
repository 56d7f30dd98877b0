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
 * @param mostLagMillis what the best follower of a group may lag before commits wait for it; 0: as
 *     much as it likes
 */
public record LeaderContext(
    PoolLimits limits,
    Function<DnId, CommitParticipant> participants,
    CoordinatorPulse pulse,
    LeaderLog log,
    long mostLagMillis) {
  /** What a follower may lag, if nobody says so. */
  public static final long USUAL_LAG_MILLIS = 1_000;

  /** For a DN with one replica. */
  public LeaderContext(
      PoolLimits limits, Function<DnId, CommitParticipant> participants, CoordinatorPulse pulse) {
    this(limits, participants, pulse, LeaderLog.own(), USUAL_LAG_MILLIS);
  }

  /** A copy with another log. */
  LeaderContext with(LeaderLog other) {
    return new LeaderContext(limits, participants, pulse, other, mostLagMillis);
  }

  /** A copy whose followers may lag so much. */
  public LeaderContext withMostLag(long millis) {
    return new LeaderContext(limits, participants, pulse, log, millis);
  }
}
