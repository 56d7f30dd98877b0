package io.alrai.cn.process;

import io.alrai.cn.branch.DnLinks;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.role.Lead;
import org.jspecify.annotations.Nullable;

/** The participants of all DNs, as an agent reaches them: its own without a way. Thread-safe. */
final class OwnLead {
  private final DnId dn;
  private final DnLinks others;
  private volatile @Nullable Lead lead;

  OwnLead(DnId dn, DnLinks others) {
    this.dn = dn;
    this.others = others;
  }

  /** The agent leads from now on. */
  void leads(Lead now) {
    lead = now;
  }

  /** It leads no more. */
  void follows() {
    lead = null;
  }

  /**
   * A DN's.
   *
   * @throws io.alrai.common.error.AlraiException for one that is not known yet
   */
  CommitParticipant participant(DnId of) {
    Lead own = lead;
    return of.equals(dn) && own != null ? own.link().participant() : others.link(of).participant();
  }
}
