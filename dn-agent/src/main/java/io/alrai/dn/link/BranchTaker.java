package io.alrai.dn.link;

import io.alrai.common.error.AlraiException;

/** Takes a branch when there is one. Called on the event loop that was named. */
public interface BranchTaker {
  /** The branch belongs to the taker until it is released or closed. */
  void taken(Branch branch);

  /** Whether the first command that it sends there is one text of less than a packet. */
  default boolean sendsText() {
    return false;
  }

  /** No branch can be had: the DN is down, or all connections were busy for too long. */
  void refused(AlraiException reason);
}
