package io.alrai.dn.ship;

import io.alrai.dn.binlog.GtidSet;

/** The log of a DN, as one of its members gives it to those who follow it. Thread-safe. */
public interface FollowedLog {
  /** Whether it can be had here now, as far as is known without asking anybody. */
  default boolean isThere() {
    return true;
  }

  /**
   * Reads what becomes visible from now on, with its stamps.
   *
   * @throws io.alrai.dn.binlog.BinlogException when it cannot be had here now
   */
  LogSubscription follow() throws InterruptedException;

  /**
   * Reads what is not in the set, with its stamps, and then on: what an earlier subscription has
   * given comes no second time, even if another member leads by now.
   *
   * @param known {@link LogSubscription#position} of that one
   * @throws io.alrai.dn.binlog.BinlogException when it cannot be had here now; {@link
   *     io.alrai.dn.binlog.BinlogException#positionLost} when not all of it can be had any more
   */
  LogSubscription follow(GtidSet known) throws InterruptedException;
}
