package io.alrai.cn.tx;

import io.alrai.common.id.DnId;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CommitParticipant;

/** Where a session gets its branches. */
public interface BranchSource {
  /** Takes a branch of the session's account on its event loop. */
  void take(DnId dn, String schema, BranchTaker taker);

  /** The DN's agent in a commit. */
  CommitParticipant participant(DnId dn);
}
