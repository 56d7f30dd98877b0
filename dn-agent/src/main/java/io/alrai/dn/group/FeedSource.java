package io.alrai.dn.group;

import io.alrai.dn.binlog.GtidSet;

/** What a mysqld that follows is fed from. Thread-safe. */
public interface FeedSource {
  /**
   * Reads every transaction that is not in the set, from the oldest that is kept on.
   *
   * @param known copied
   */
  GroupReader open(GtidSet known);
}
