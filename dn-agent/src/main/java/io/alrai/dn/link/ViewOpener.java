package io.alrai.dn.link;

import io.alrai.common.time.HlcTimestamp;
import java.util.concurrent.CompletableFuture;

/**
 * Opens read views of one DN that show exactly what was committed up to a snapshot. Thread-safe.
 */
public interface ViewOpener {
  /**
   * Opens a view. Must be called on the branch's event loop, with no reply outstanding, and nothing
   * may be sent on the branch until the future completes, there. It fails when the branch broke,
   * the mysqld refused the opening, or the DN is out of reach; the holder closes the branch then.
   *
   * @param branch where the view is opened
   * @param at the snapshot
   * @param opening the statements that open the view, at the moment that is right for it; if the
   *     moment turns out to have been wrong, {@code undo} is run and they are run again
   * @param undo the statements that undo the opening; they do not fail on a branch on which it has
   *     run
   * @param again whether the branch has a view that was opened so; it is undone first
   */
  CompletableFuture<Opening> open(
      Branch branch, HlcTimestamp at, String opening, String undo, boolean again);

  /**
   * Opens a view and lets a follower send its statement before the view is known to be good, so
   * that the mysqld is woken once for both. The statement has read at the snapshot if the future
   * completes with {@link Opening.Open}; otherwise its reply is worthless. That reply may still be
   * outstanding then.
   *
   * @param follower runs on the branch's loop right after the opening, at most once; or never,
   *     where the opening may have to be repeated, or the DN is out of the process
   */
  default CompletableFuture<Opening> open(
      Branch branch,
      HlcTimestamp at,
      String opening,
      String undo,
      boolean again,
      Runnable follower) {
    return open(branch, at, opening, undo, again);
  }

  /**
   * The largest stamp that a read of current rows which was answered by now may have seen on this
   * DN, as 64 bits of HLC.
   */
  long visibleStamp();

  /** The result of an opening. */
  sealed interface Opening {
    /** The branch reads at the snapshot. */
    record Open() implements Opening {}

    /**
     * The DN shows more than the snapshot already; the branch has no view, nor one of before.
     *
     * @param hint a snapshot at or above it would have been possible
     */
    record Refused(HlcTimestamp hint) implements Opening {}
  }
}
