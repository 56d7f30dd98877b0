package io.alrai.dn.rpc;

import java.util.concurrent.atomic.AtomicLong;

/** The largest of the stamps that came over any connection to one DN. Thread-safe. */
final class HighestStamp {
  private final AtomicLong highest = new AtomicLong();

  /** Notes one. Nothing is written when it is not the largest, as nearly always. */
  void note(long stamp) {
    long known = highest.get();
    while (stamp > known && !highest.compareAndSet(known, stamp)) {
      known = highest.get();
    }
  }

  /** The largest; 0 before the first. */
  long value() {
    return highest.get();
  }
}
