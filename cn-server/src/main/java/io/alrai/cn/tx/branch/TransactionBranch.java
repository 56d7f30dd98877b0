package io.alrai.cn.tx.branch;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.snapshot.TransactionSnapshot;
import io.alrai.dn.link.Branch;

/** A transaction's part on one DN. Event loop only. */
public final class TransactionBranch {
  private final Branch branch;
  private final boolean plain;
  private boolean wrote;
  private boolean untold;
  private boolean locked;
  private boolean viewed;
  private boolean readFirst;

  public TransactionBranch(Branch branch, boolean plain) {
    this.branch = branch;
    this.plain = plain;
    branch.state().unchanged();
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

  /** Whether a statement that changes rows ran on it, with or without effect. */
  public boolean wrote() {
    return wrote;
  }

  /** Whether rows are changed on it for certain. */
  public boolean changed() {
    return wrote && branch.state().changed();
  }

  /** Whether rows may be changed on it, so that its commit matters. */
  public boolean mayHaveChanged() {
    return wrote && (untold || branch.state().changed());
  }

  /**
   * Records what a statement of a transaction with these options does on it.
   *
   * @param tells whether its answer reports all changes
   */
  public void note(
      RowAccess access, boolean tells, TransactionOptions options, SessionSettings settings) {
    boolean writes = access == RowAccess.CHANGING && !options.readOnly();
    wrote |= writes;
    untold |= writes && !tells;
    locked |=
        access == RowAccess.LOCKING
            || (access == RowAccess.CONSISTENT && TransactionSnapshot.readsLock(options, settings));
  }

  /** Whether its reads lock rows, so that the transaction relies on these locks. */
  public boolean locked() {
    return locked;
  }

  /** Whether it may have changed or locked rows: it cannot be given up for another connection. */
  public boolean claims() {
    return wrote || locked;
  }

  /** Whether its view of the transaction's snapshot is open. */
  public boolean viewed() {
    return viewed;
  }

  /**
   * Whether only its view is left to be ended, which the next owner may do by opening another one
   * in its place. A mysqld begins that one at the isolation of the transaction which is open, and
   * ignores WITH CONSISTENT SNAPSHOT where that is not REPEATABLE READ: only views are.
   */
  public boolean leavesView() {
    return plain && viewed;
  }

  /** Whether the transaction's first consistent read was here, or here too. */
  public boolean readFirst() {
    return readFirst;
  }

  /** Its view is open. */
  public void markViewed(boolean byFirstRead) {
    viewed = true;
    readFirst |= byFirstRead;
  }

  /** The branch as others may see it. */
  public OpenTransaction.Part seen(boolean primary) {
    return new OpenTransaction.Part(branch.dn(), branch.serverConnectionId(), primary, wrote);
  }
}
