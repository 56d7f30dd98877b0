package io.alrai.dn.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a leader waits with each acknowledgement, so that another member can take over quickly:
 * longer while the best of those that follow lags too much, in small steps, and shorter again when
 * it has caught up. Members that are away do not count, nor those that have not caught up since,
 * nor those so far away that waiting would not help. Looks now and then on one thread; asked on
 * any.
 */
public final class CommitBrake {
  private static final Logger log = LoggerFactory.getLogger(CommitBrake.class);

  /** No acknowledgement waits longer. */
  public static final long MOST_MILLIS = 500;

  /** Between two looks, roughly. */
  public static final long LOOK_MILLIS = 200;

  /**
   * A member whose lag has grown as fast as time for so many looks is busy with one statement that
   * takes as long as it takes: nothing that waits makes that faster.
   */
  static final int MOST_STANDING_LOOKS = 5;

  /** A member that lags more is busy with something that takes as long as it takes. */
  static final long HOPELESS_MILLIS = TimeUnit.SECONDS.toMillis(30);

  private final String name;
  private final LongSupplier mostLag;

  /** Members that follow and have been near enough. */
  @GuardedBy("this")
  private final Set<String> near = new HashSet<>();

  /** Of each near member that lags too much: its lag at the last look, and how long it stands. */
  @GuardedBy("this")
  private final Map<String, Standing> standing = new HashMap<>();

  private record Standing(long lag, int looks) {}

  private volatile long millis;

  /**
   * A brake that does not hold.
   *
   * @param name of the member
   * @param mostLag milliseconds that the best of the others may lag, asked at each look; 0: as much
   *     as it likes
   */
  public CommitBrake(String name, LongSupplier mostLag) {
    this.name = name;
    this.mostLag = mostLag;
  }

  /** How long the next acknowledgement waits. */
  public long millis() {
    return millis;
  }

  /** Nothing waits: the member does not lead. */
  public synchronized void release() {
    near.clear();
    standing.clear();
    millis = 0;
  }

  @GuardedBy("this")
  private boolean isHopeless(String member, long lag) {
    Standing before = standing.getOrDefault(member, new Standing(lag, 0));
    boolean stands = lag - before.lag >= LOOK_MILLIS * 3 / 4;
    Standing now = new Standing(lag, stands ? before.looks + 1 : 0);
    standing.put(member, now);
    return lag > HOPELESS_MILLIS || now.looks >= MOST_STANDING_LOOKS;
  }

  /**
   * A look.
   *
   * @param lags of the members with rows that follow and have just said how far they are, in
   *     milliseconds
   */
  public synchronized void look(Map<String, Long> lags) {
    long mostLagMillis = mostLag.getAsLong();
    if (mostLagMillis == 0) {
      release();
      return;
    }
    near.retainAll(lags.keySet());
    standing.keySet().retainAll(lags.keySet());
    lags.forEach((member, lag) -> {
      if (lag <= mostLagMillis) {
        near.add(member);
        standing.remove(member);
      } else if (isHopeless(member, lag) && near.remove(member)) {
        log.warn("{}: {} lags {} ms, and is not waited for any more", name, member, lag);
      }
    });
    long best = near.stream().mapToLong(lags::get).min().orElse(0);
    long before = millis;
    if (best > mostLagMillis) {
      millis = Math.min(MOST_MILLIS, Math.max(1, 2 * before));
    } else if (best <= mostLagMillis / 2) {
      millis = near.isEmpty() ? 0 : before * 3 / 4;
    }
    if (before == 0 && millis > 0) {
      log.warn("{}: commits wait, as the best of its followers lags {} ms", name, best);
    } else if (before > 0 && millis == 0) {
      log.info("{}: commits do not wait for followers any more", name);
    }
  }
}
