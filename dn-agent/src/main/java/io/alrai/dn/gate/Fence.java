package io.alrai.dn.gate;

import io.alrai.common.time.HlcTimestamp;

/**
 * How far this DN's visible state has come: the largest of the stamps that may be visible and of
 * the commit timestamps that were given to the mysqld. No view below it can be opened. It only
 * rises, and starts at the clock, which is above everything from before the start.
 *
 * <p>Snapshots that were opened do not raise it: everything after their cut is stamped above them
 * (see {@link #cutThrough}), so that an older snapshot which comes late over another connection can
 * still be shown as long as nothing between the two has become visible.
 */
final class Fence {
  private HlcTimestamp fence;
  private HlcTimestamp visible;
  private HlcTimestamp cutThrough = HlcTimestamp.ZERO;

  Fence(HlcTimestamp start) {
    this.fence = start;
    this.visible = start;
  }

  HlcTimestamp value() {
    return fence;
  }

  /** The largest stamp that anybody may have seen here. */
  HlcTimestamp visible() {
    return visible;
  }

  /** The largest snapshot that had its cut: nothing that arrives now is stamped at or below it. */
  HlcTimestamp cutThrough() {
    return cutThrough;
  }

  /** A decided commit goes to the mysqld. */
  void submitted(HlcTimestamp commitTs) {
    fence = max(fence, commitTs);
  }

  /** A commit with this stamp is acknowledged. */
  void acknowledged(HlcTimestamp stamp) {
    visible = max(visible, stamp);
    fence = max(fence, stamp);
  }

  /** A cut was given up before a view was opened. */
  void uncut(HlcTimestamp cutThroughBefore) {
    cutThrough = cutThroughBefore;
  }

  /** A snapshot's cut was made. */
  void cut(HlcTimestamp snapshot) {
    cutThrough = max(cutThrough, snapshot);
  }

  static HlcTimestamp max(HlcTimestamp a, HlcTimestamp b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
