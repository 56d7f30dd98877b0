package io.alrai.cn.tx;

import io.alrai.dn.link.Branch;

/** A transaction's part on one DN. Event loop only. */
public final class TransactionBranch {
  private final Branch branch;
  private final boolean plain;
  private boolean wrote;
  private boolean viewed;
  private boolean readFirst;

  TransactionBranch(Branch branch, boolean plain) {
    this.branch = branch;
    this.plain = plain;
  }

  /** The connection. */
  public Branch branch() {
    return branch;
  }

  /**
   * Whether it is a plain transaction: the first-touched DN's, the primary, and all of a read-only
   * transaction. Others are XA.
   */
  public boolean plain() {
    return plain;
  }

  /** Whether it may have changed or locked rows, so that its commit matters. */
  public boolean wrote() {
    return wrote;
  }

  /** Notes that it may have. */
  public void markWrote() {
    wrote = true;
  }

  /** Whether its view of the transaction's snapshot is open. */
  boolean viewed() {
    return viewed;
  }

  /** Whether the transaction's first consistent read was here, or here too. */
  boolean readFirst() {
    return readFirst;
  }

  /** Its view is open. */
  void markViewed(boolean byFirstRead) {
    viewed = true;
    readFirst |= byFirstRead;
  }

  /** It as others may see it. */
  OpenTransaction.Part seen(boolean primary) {
    return new OpenTransaction.Part(branch.dn(), branch.serverConnectionId(), primary, wrote);
  }
}
