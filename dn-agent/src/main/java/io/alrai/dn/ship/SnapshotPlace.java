package io.alrai.dn.ship;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.GtidSet;

/** What a leader says of a snapshot. */
public sealed interface SnapshotPlace {
  /**
   * Where it is in the log.
   *
   * @param transactions what is committed at or below it, for good: a mysqld that has executed
   *     these and no others shows it
   */
  record Found(GtidSet transactions) implements SnapshotPlace {}

  /**
   * The DN shows more already: it is too late to find the place.
   *
   * @param hint a snapshot at or above it would have been possible
   */
  record Passed(HlcTimestamp hint) implements SnapshotPlace {}
}
