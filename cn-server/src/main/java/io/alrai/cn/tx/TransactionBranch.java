package io.alrai.cn.tx;

import io.alrai.cn.session.SessionSettings;
import io.alrai.dn.link.Branch;

/** A transaction's part on one DN. Event loop only. */
public final class TransactionBranch {
  private final Branch branch;
  private final boolean plain;
  private boolean wrote;
  private boolean locked;
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

  /** Whether it may have changed rows, so that its commit matters. */
  public boolean wrote() {
    return wrote;
  }

  /** Notes what a statement of a transaction with these options does on it. */
  void note(RowAccess access, TransactionOptions options, SessionSettings settings) {
    wrote |= access == RowAccess.CHANGING && !options.readOnly();
    locked |=
        access == RowAccess.LOCKING
            || (access == RowAccess.CONSISTENT && TransactionSnapshot.readsLock(options, settings));
  }

  /** Whether reads of it lock rows, so that the transaction stands on their locks. */
  boolean locked() {
    return locked;
  }

  /** Whether it changed or locked rows: it cannot be given up for another connection. */
  boolean claims() {
    return wrote || locked;
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
