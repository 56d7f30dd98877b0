package io.alrai.dn.xa;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The branches on this DN that are prepared, or may be, and whose outcome it does not know. What XA
 * RECOVER lists is the truth; this follows it. Thread-safe.
 */
public final class PreparedSet {
  /**
   * One branch.
   *
   * @param sinceNanos when it was first seen, by the agent's monotonic clock
   * @param prepareTs its prepare timestamp; ZERO while that is not known
   */
  public record Prepared(TransactionId id, long sinceNanos, HlcTimestamp prepareTs) {}

  private final Map<TransactionId, Prepared> branches = new ConcurrentHashMap<>();

  /** Those there are now. */
  public List<Prepared> snapshot() {
    return List.copyOf(branches.values());
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return branches.isEmpty();
  }

  /** XA PREPARE is about to be sent, or XA RECOVER lists it. */
  void add(TransactionId id, long nowNanos) {
    branches.putIfAbsent(id, new Prepared(id, nowNanos, HlcTimestamp.ZERO));
  }

  /** XA PREPARE was answered. */
  void prepared(TransactionId id, HlcTimestamp prepareTs, long nowNanos) {
    branches.merge(
        id,
        new Prepared(id, nowNanos, prepareTs),
        (old, now) -> new Prepared(id, old.sinceNanos(), prepareTs));
  }

  /** Its outcome is known and applied. */
  void remove(TransactionId id) {
    branches.remove(id);
  }

  /**
   * Takes what XA RECOVER listed: adds what is new, drops what was there before the question and is
   * not listed.
   *
   * @param before {@link #snapshot} from before XA RECOVER was sent
   * @param maybeYoung branches younger than this may be on their way to be prepared and stay
   */
  void reconcile(
      Collection<TransactionId> listed, List<Prepared> before, long nowNanos, long maybeYoung) {
    for (TransactionId id : listed) {
      add(id, nowNanos);
    }
    for (Prepared old : before) {
      if (!listed.contains(old.id()) && nowNanos - old.sinceNanos() > maybeYoung) {
        branches.remove(old.id(), old);
      }
    }
  }
}
