package io.alrai.dn.feed;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which members a reader of a DN's log asks: those that follow, in the order of names; one that has
 * failed after all that have not, and not for a while that doubles with each failure. Thread-safe.
 *
 * @param <M> a member
 */
public final class FeedChoice<M> {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_DOUBLINGS = 5;

  /** Who has fed for so long is as good as one that has never failed. */
  private static final long PROVEN_NANOS = TimeUnit.SECONDS.toNanos(60);

  private record Failed(int times, long nanos) {}

  private final LongSupplier nanos;

  @GuardedBy("this")
  private final Map<M, Failed> failures = new HashMap<>();

  /**
   * Nobody has failed.
   *
   * @param nanos monotonic time
   */
  public FeedChoice(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Whom to ask now, one after the other, of those that follow; then the leader. */
  public synchronized List<M> next(List<M> following) {
    failures.keySet().retainAll(following);
    long now = nanos.getAsLong();
    List<M> all = new ArrayList<>();
    List<M> again = new ArrayList<>();
    for (M member : following) {
      Failed failed = failures.get(member);
      if (failed == null) {
        all.add(member);
      } else if (!isPaused(failed, now)) {
        again.add(member);
      }
    }
    all.addAll(again);
    return all;
  }

  private static boolean isPaused(Failed failed, long now) {
    return now - failed.nanos() < FIRST_PAUSE_NANOS << Math.min(failed.times() - 1, MOST_DOUBLINGS);
  }

  /**
   * One cannot feed.
   *
   * @param fedNanos for how long it has
   */
  public synchronized void failed(M member, long fedNanos) {
    Failed before = failures.get(member);
    int times = before == null || fedNanos > PROVEN_NANOS ? 1 : before.times() + 1;
    failures.put(member, new Failed(times, nanos.getAsLong()));
  }
}
