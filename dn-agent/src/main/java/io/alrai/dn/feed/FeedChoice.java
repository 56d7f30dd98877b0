package io.alrai.dn.feed;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which member a reader of a DN's log asks: one that follows, in the order of names; not one that
 * has failed, for a while that doubles with each failure. Thread-safe.
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

  /** Whom to ask now, of those that follow; empty for the leader. */
  public synchronized Optional<M> next(List<M> following) {
    failures.keySet().retainAll(following);
    long now = nanos.getAsLong();
    for (M member : following) {
      if (!isPaused(failures.get(member), now)) {
        return Optional.of(member);
      }
    }
    return Optional.empty();
  }

  private static boolean isPaused(@Nullable Failed failed, long now) {
    return failed != null
        && now - failed.nanos() < FIRST_PAUSE_NANOS << Math.min(failed.times() - 1, MOST_DOUBLINGS);
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
