package io.alrai.dn.group;

import io.alrai.dn.binlog.GtidSet;

/** All that a group has committed, in order, as one member sees it. Thread-safe. */
public interface GroupSource {
  /**
   * Reads every transaction that is not in the set, from the oldest that is kept on.
   *
   * @param known copied
   */
  GroupReader open(GtidSet known);
}
