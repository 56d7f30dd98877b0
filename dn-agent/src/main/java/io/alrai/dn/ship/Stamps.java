package io.alrai.dn.ship;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.Gtid;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * The stamps of transactions that one subscription has not read yet, in the order of the log, which
 * does not hold them. Thread-safe.
 */
final class Stamps {
  /** About 50 MB; then the oldest are forgotten. */
  private static final int MOST = 1 << 20;

  /** A transaction with its place in time. */
  record Stamped(Gtid gtid, HlcTimestamp stamp) {}

  @GuardedBy("this")
  private final ArrayDeque<Stamped> stamps = new ArrayDeque<>();

  synchronized void put(Gtid gtid, HlcTimestamp stamp) {
    if (stamps.size() == MOST) {
      stamps.remove();
    }
    stamps.add(new Stamped(gtid, stamp));
  }

  /** Takes the stamp of a transaction. They are asked for in order: earlier ones are dropped. */
  synchronized Optional<HlcTimestamp> take(Gtid gtid) {
    if (stamps.stream().noneMatch(next -> next.gtid().equals(gtid))) {
      return Optional.empty();
    }
    while (true) {
      Stamped next = stamps.remove();
      if (next.gtid().equals(gtid)) {
        return Optional.of(next.stamp());
      }
    }
  }
}
