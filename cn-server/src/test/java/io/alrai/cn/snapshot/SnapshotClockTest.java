package io.alrai.cn.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.clock.NodeClock;
import org.junit.jupiter.api.Test;

class SnapshotClockTest {
  private long wall = 1_000_000;
  private final NodeClock clock = NodeClock.inMemory(new HybridLogicalClock(() -> wall, 500));
  private final SnapshotClock snapshots =
      new SnapshotClock(new HybridTimestamps(clock, () -> wall));

  private long aheadMillis() {
    return snapshots.next(0).join().millis() - wall;
  }

  @Test
  void liesAheadOfTheWallTime() {
    assertEquals(
        HlcTimestamp.ofMillis(wall + SnapshotClock.LEAST_AHEAD_MILLIS), snapshots.next(0).join());
  }

  @Test
  void liesAheadOfAClockThatIsAheadItself() {
    clock.update(HlcTimestamp.ofMillis(wall + 200));
    long ticks = snapshots.next(0).join().value() - clock.nowValue();
    assertEquals(TimestampSource.TICKS_PER_MILLI_AHEAD, ticks);
  }

  @Test
  void isNeverBelowWhatTheSessionHasSeen() {
    HlcTimestamp seen = HlcTimestamp.ofMillis(wall + 300);
    assertEquals(seen, snapshots.next(seen.value()).join());
  }

  @Test
  void refusalsPutItFurtherAheadUpToABound() {
    snapshots.refused(HlcTimestamp.ofMillis(wall));
    assertEquals(2, aheadMillis());
    snapshots.refused(HlcTimestamp.ofMillis(wall));
    assertEquals(4, aheadMillis());
    for (int i = 0; i < 20; i++) {
      snapshots.refused(HlcTimestamp.ofMillis(wall));
    }
    assertEquals(SnapshotClock.MOST_AHEAD_MILLIS, aheadMillis());
  }

  @Test
  void isAboveTheHint() {
    HlcTimestamp hint = HlcTimestamp.ofMillis(wall + 400);
    snapshots.refused(hint);
    assertTrue(snapshots.next(0).join().compareTo(hint) > 0);
  }

  @Test
  void manyThatAreRefusedWithinAMomentDoNotPushTheClocksAway() {
    for (int i = 0; i < 20_000; i++) {
      clock.update(snapshots.next(0).join());
      snapshots.refused(clock.advance());
    }
    assertTrue(aheadMillis() <= TimestampSource.MOST_LEAD_MILLIS, aheadMillis() + " ms ahead");
  }

  @Test
  void aHintFromAWrongClockIsAnError() {
    HlcTimestamp hint = HlcTimestamp.ofMillis(wall + 10_000);
    assertThrows(AlraiException.class, () -> snapshots.refused(hint));
  }

  @Test
  void comesNearerWhenItIsCalm() {
    snapshots.refused(HlcTimestamp.ofMillis(wall));
    snapshots.refused(HlcTimestamp.ofMillis(wall));
    for (int i = 0; i < 3 * SnapshotClock.CALM; i++) {
      snapshots.next(0);
    }
    assertEquals(SnapshotClock.LEAST_AHEAD_MILLIS, aheadMillis());
  }
}
