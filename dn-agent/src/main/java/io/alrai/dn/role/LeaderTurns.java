package io.alrai.dn.role;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How often the leader of a group has changed lately. Where it does so again and again, a member
 * that is slow is better than one more change. One thread at a time.
 */
final class LeaderTurns {
  /** As many changes within {@link #WITHIN_NANOS} are too many. */
  static final int MOST = 3;

  static final long WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ArrayDeque<Long> turns = new ArrayDeque<>();
  private String last = "";

  /**
   * A look.
   *
   * @param leader one with rows; empty while there is none
   * @return whether this look finds one change too many
   */
  boolean look(Optional<String> leader, long now) {
    if (leader.isEmpty() || leader.get().equals(last)) {
      return false;
    }
    boolean first = last.isEmpty();
    last = leader.get();
    if (first) {
      return false;
    }
    boolean before = areTooMany(now);
    turns.add(now);
    return !before && areTooMany(now);
  }

  /** Whether nobody should hand the lead over who can lead somehow. */
  boolean areTooMany(long now) {
    while (!turns.isEmpty() && now - turns.peekFirst() > WITHIN_NANOS) {
      turns.removeFirst();
    }
    return turns.size() >= MOST;
  }
}
