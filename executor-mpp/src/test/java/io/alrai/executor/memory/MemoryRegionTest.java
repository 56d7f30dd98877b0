package io.alrai.executor.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.memory.MemoryRegion.Growth;
import org.junit.jupiter.api.Test;

/** Who gets how much. */
class MemoryRegionTest {
  private static final long MEGA = 1 << 20;
  private final MemoryRegion region = new MemoryRegion(100 * MEGA);

  @Test
  void theSumIsBounded() {
    MemoryRegion.Reservation one = region.reserve(10 * MEGA, 60 * MEGA).orElseThrow();
    MemoryRegion.Reservation other = region.reserve(10 * MEGA, 60 * MEGA).orElseThrow();
    assertEquals(Growth.GRANTED, one.grow(60 * MEGA));
    assertEquals(Growth.TOO_MUCH, one.grow(1));
    assertFalse(one.isCrowdedOut());
    assertEquals(Growth.TAKEN, other.grow(41 * MEGA));
    assertTrue(other.isCrowdedOut());
    assertEquals(Growth.GRANTED, other.grow(40 * MEGA));
    assertEquals(100 * MEGA, region.used());
    assertTrue(region.reserve(1, MEGA).isEmpty());
    one.close();
    one.close();
    assertEquals(40 * MEGA, region.used());
    other.close();
    assertEquals(0, region.used());
  }

  @Test
  void whatIsReservedIsThereHoweverFullItIs() {
    MemoryRegion.Reservation small = region.reserve(10 * MEGA, 20 * MEGA).orElseThrow();
    MemoryRegion.Reservation large = region.reserve(90 * MEGA, 90 * MEGA).orElseThrow();
    assertEquals(90 * MEGA, large.most());
    assertEquals(Growth.GRANTED, small.grow(9 * MEGA));
    assertEquals(Growth.GRANTED, small.grow(1 * MEGA));
    assertEquals(Growth.TAKEN, small.grow(1));
  }

  @Test
  void aLowerLimitTakesNothingAway() {
    MemoryRegion.Reservation one = region.reserve(50 * MEGA, 90 * MEGA).orElseThrow();
    region.limit(20 * MEGA);
    assertEquals(Growth.GRANTED, one.grow(50 * MEGA));
    assertEquals(Growth.TAKEN, one.grow(1));
    one.close();
    assertTrue(region.reserve(21 * MEGA, 21 * MEGA).isEmpty());
    assertTrue(region.reserve(20 * MEGA, 20 * MEGA).isPresent());
  }

  @Test
  void aPartIsFreedBeforeTheRestAndWithIt() {
    MemoryRegion.Reservation one = region.reserve(0, 40 * MEGA).orElseThrow();
    try (QueryMemory memory = new QueryMemory(one)) {
      memory.allocate(10 * MEGA);
      try (QueryMemory part = memory.part()) {
        part.allocate(20 * MEGA);
        part.part().allocate(5 * MEGA);
        assertEquals(35 * MEGA, one.given());
        assertEquals(
            1041, assertThrows(AlraiException.class, () -> part.allocate(6 * MEGA)).errno());
        assertTrue(one.isExhausted());
      }
      assertEquals(10 * MEGA, one.given());
      memory.part().allocate(30 * MEGA);
      assertEquals(40 * MEGA, region.used());
    }
    assertEquals(0, one.given());
    one.close();
    assertEquals(0, region.used());
  }

  @Test
  void whoWillNotGrowAgainGivesBackWhatItDoesNotHold() {
    MemoryRegion.Reservation one = region.reserve(10 * MEGA, 60 * MEGA).orElseThrow();
    assertEquals(Growth.GRANTED, one.grow(50 * MEGA));
    assertFalse(one.isExhausted());
    one.shrink(45 * MEGA);
    assertEquals(50 * MEGA, region.used());
    one.settle();
    assertEquals(5 * MEGA, region.used());
    one.close();
    assertEquals(0, region.used());
  }

  @Test
  void whoGoesOnForLongLeavesRoomToOthers() {
    MemoryRegion.Reservation one = region.reserve(80 * MEGA, 90 * MEGA).orElseThrow();
    one.narrow();
    assertEquals(25 * MEGA, region.used());
    assertEquals(25 * MEGA, one.most());
    assertEquals(Growth.TOO_MUCH, one.grow(26 * MEGA));
    MemoryRegion.Reservation small = region.reserve(0, 9 * MEGA).orElseThrow();
    small.narrow();
    assertEquals(9 * MEGA, small.most());
    region.limit(20 * MEGA);
    one.narrow();
    assertEquals(16 * MEGA, one.most());
    assertEquals(16 * MEGA, region.used());
  }
}
