package io.alrai.cn.branch;

import io.alrai.cn.lock.Admission;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.ViewOpener;
import io.netty.channel.EventLoop;
import java.util.List;

/** Where a session gets its branches. */
public interface BranchSource {
  /** Takes a branch of the session's account on its event loop. */
  void take(DnId dn, String schema, BranchTaker taker);

  /**
   * Takes a connection of the DN that keeps the named locks of the whole cluster, bounded apart
   * from other branches, on the session's event loop.
   */
  void takeForNamedLocks(BranchTaker taker);

  /**
   * Takes a connection of any DN that keeps the session's temporary tables, bounded apart from
   * other branches, on the session's event loop.
   */
  void takeForTemporaryTables(BranchTaker taker);

  /** Takes a branch of a certain account on the session's event loop. */
  void take(DnId dn, BackendAccount account, String schema, BranchTaker taker);

  /** The session's event loop. */
  EventLoop loop();

  /** What may begin on this CN. */
  Admission admission();

  /** All DNs of the cluster. */
  List<DnId> dataNodes();

  /**
   * The way to a DN.
   *
   * @throws io.alrai.common.error.AlraiException ALRAI_NODE_UNAVAILABLE when there is none
   */
  DnLink link(DnId dn);

  /** Opens views of the DN. */
  default ViewOpener views(DnId dn) {
    return link(dn).views();
  }

  /** Replies that the DN's agent keeps. */
  default KeptReplies rows(DnId dn) {
    return link(dn).rows();
  }

  /** The DN's agent in a commit. */
  default CommitParticipant participant(DnId dn) {
    return link(dn).participant();
  }
}
