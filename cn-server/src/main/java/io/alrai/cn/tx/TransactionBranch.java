package io.alrai.cn.tx;

import io.alrai.dn.link.Branch;

/** A transaction's part on one DN. Event loop only. */
public final class TransactionBranch {
  private final Branch branch;
  private final boolean primary;
  private boolean wrote;

  TransactionBranch(Branch branch, boolean primary) {
    this.branch = branch;
    this.primary = primary;
  }

  /** The connection. */
  public Branch branch() {
    return branch;
  }

  /** The first-touched DN's branch is a plain transaction, all later ones are XA. */
  public boolean primary() {
    return primary;
  }

  /** Whether it may have changed or locked rows, so that its commit matters. */
  public boolean wrote() {
    return wrote;
  }

  /** Notes that it may have. */
  public void markWrote() {
    wrote = true;
  }
}
