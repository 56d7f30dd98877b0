package io.alrai.dn.clock;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;

/** The clock of one node: the paper's ClockNow, ClockAdvance and ClockUpdate. Thread-safe. */
public interface NodeClock {
  /** ClockNow as 64 bits; does not tick. */
  long nowValue();

  /** ClockAdvance: a timestamp above all that this clock gave or saw. */
  HlcTimestamp advance();

  /**
   * ClockUpdate by 64 bits: from now on this clock is at or above them.
   *
   * @throws AlraiException ALRAI_CLOCK_SKEW when they are further ahead than the bound allows
   */
  void updateValue(long remote);

  /** From now on this clock is above a timestamp that is known to be true; no bound applies. */
  void restoreAbove(HlcTimestamp floor);

  /** ClockNow: the latest timestamp, at least the wall time. */
  default HlcTimestamp now() {
    return new HlcTimestamp(nowValue());
  }

  /**
   * ClockUpdate.
   *
   * @throws AlraiException ALRAI_CLOCK_SKEW when it is further ahead than the bound allows
   */
  default void update(HlcTimestamp remote) {
    updateValue(remote.value());
  }

  /** The clock of a node that keeps no state, such as a CN: nothing is persisted. */
  static NodeClock inMemory(HybridLogicalClock clock) {
    return new NodeClock() {
      @Override
      public long nowValue() {
        return clock.nowValue();
      }

      @Override
      public HlcTimestamp advance() {
        return clock.advance();
      }

      @Override
      public void updateValue(long remote) {
        clock.updateValue(remote);
      }

      @Override
      public void restoreAbove(HlcTimestamp floor) {
        clock.restoreAbove(floor);
      }
    };
  }
}
