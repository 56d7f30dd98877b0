package io.alrai.dn.xa;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The primary branches on this DN that wait for their decision. Thread-safe.
 *
 * <pre>
 *            beginDecide              decided | settled
 * UNDECIDED ------------> DECIDING -------------------> gone
 *     |  asked about after the silence, or its connection is gone; rolled back by its coordinator
 *     +--------------------------------------------------------> gone
 * </pre>
 *
 * A transaction that is gone cannot be decided any more: a late DECIDE finds nothing here.
 */
final class PrimaryBranches {
  private enum State {
    UNDECIDED,
    DECIDING
  }

  private record Entry(Branch branch, HlcTimestamp lowerBound, long sinceNanos, State state) {
    Entry deciding() {
      return new Entry(branch, lowerBound, sinceNanos, State.DECIDING);
    }
  }

  private final Map<TransactionId, Entry> entries = new HashMap<>();

  /** Enters UNDECIDED. */
  synchronized void register(
      TransactionId id, Branch branch, HlcTimestamp lowerBound, long nowNanos) {
    entries.put(id, new Entry(branch, lowerBound, nowNanos, State.UNDECIDED));
  }

  /**
   * UNDECIDED to DECIDING.
   *
   * @return the lower bound of its commit timestamp; empty when it may not be decided any more
   */
  @SuppressWarnings("ReferenceEquality") // the very connection, not an equal one
  synchronized Optional<HlcTimestamp> beginDecide(TransactionId id, Branch branch) {
    Entry entry = entries.get(id);
    if (entry == null || entry.state != State.UNDECIDED || entry.branch != branch) {
      return Optional.empty();
    }
    entries.put(id, entry.deciding());
    return Optional.of(entry.lowerBound);
  }

  /**
   * Asked by someone who holds a prepared branch.
   *
   * @return true while the coordinator is at work on it; after false an UNDECIDED one is gone, and
   *     the log alone tells the outcome
   */
  synchronized boolean atWork(TransactionId id, long nowNanos, long silenceNanos) {
    Entry entry = entries.get(id);
    if (entry == null) {
      return false;
    }
    if (entry.branch.alive() && nowNanos - entry.sinceNanos < silenceNanos) {
      return true;
    }
    if (entry.state == State.UNDECIDED) {
      entries.remove(id);
    }
    return false;
  }

  /** Decided, settled or rolled back. */
  synchronized void remove(TransactionId id) {
    entries.remove(id);
  }

  /** Forgets UNDECIDED ones that nobody decides: their coordinators rolled back without a word. */
  synchronized void removeStale(long nowNanos, long ageNanos) {
    entries
        .values()
        .removeIf(entry ->
            entry.state == State.UNDECIDED
                && (!entry.branch.alive() || nowNanos - entry.sinceNanos > ageNanos));
  }

  synchronized int size() {
    return entries.size();
  }
}
