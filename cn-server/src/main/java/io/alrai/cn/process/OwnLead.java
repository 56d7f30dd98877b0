package io.alrai.cn.process;

import io.alrai.cn.branch.DnLinks;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import org.jspecify.annotations.Nullable;

/** The lead of a process' agent that goes on, as others of the process see it. Thread-safe. */
public final class OwnLead {
  private final DnId dn;
  private volatile @Nullable DnLink lead;
  private volatile @Nullable DnLink direct;
  private volatile @Nullable DnLink latest;

  /** Nobody leads yet. */
  public OwnLead(DnId dn) {
    this.dn = dn;
  }

  /** Its DN. */
  public DnId dn() {
    return dn;
  }

  /**
   * The agent leads from now on.
   *
   * @param term 0 for the only replica of a DN
   * @param link the lead's
   */
  public void leads(long term, DnLink link) {
    lead = link;
    if (term == 0) {
      latest = link;
      direct = link;
    }
  }

  /** It leads still, but begins nothing more. */
  public void leaves() {
    direct = null;
  }

  /** It leads no more. */
  void follows() {
    direct = null;
    lead = null;
  }

  /**
   * The way to the mysqld for a CN of this process, while the agent is the only replica of its DN:
   * nobody else can lead, so nobody need confirm that it does (docs/design/0071). Else null.
   */
  public @Nullable DnLink direct() {
    return direct;
  }

  /** What {@link #direct} was last; null where it has always been null. */
  public @Nullable DnLink latest() {
    return latest;
  }

  /**
   * The participants of all DNs, as the agent reaches them: its own without a way.
   *
   * @throws io.alrai.common.error.AlraiException for one that is not known yet
   */
  CommitParticipant participant(DnId of, DnLinks others) {
    DnLink own = lead;
    return of.equals(dn) && own != null ? own.participant() : others.link(of).participant();
  }
}
