package io.alrai.columnar.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ZoneFilterTest {
  private record Fixed(Zone zone) implements ZoneMap {
    @Override
    public int rows() {
      return 3;
    }

    @Override
    public Zone zone(int ordinal) {
      return ordinal == 0 ? zone : new Zone.Unknown();
    }
  }

  @Test
  void leavesOutWhatLiesBeside() {
    ZoneMap zones = new Fixed(new Zone.Longs(10, 20, true));
    assertFalse(ZoneFilter.between(0, Long.MIN_VALUE, 9).mayMatch(zones));
    assertTrue(ZoneFilter.between(0, Long.MIN_VALUE, 10).mayMatch(zones));
    assertTrue(ZoneFilter.between(0, 12, 13).mayMatch(zones));
    assertTrue(ZoneFilter.between(0, 20, 30).mayMatch(zones));
    assertFalse(ZoneFilter.between(0, 21, 30).mayMatch(zones));
  }

  @Test
  void nullsAreInNoRangeAndTheUnknownMayBeInAny() {
    assertFalse(ZoneFilter.between(0, 0, 9).mayMatch(new Fixed(new Zone.OnlyNulls())));
    assertTrue(ZoneFilter.between(0, 0, 9).mayMatch(new Fixed(new Zone.Unknown())));
    assertTrue(ZoneFilter.between(1, 0, 9).mayMatch(new Fixed(new Zone.OnlyNulls())));
  }

  @Test
  void bothOfTwoMustPass() {
    ZoneMap zones = new Fixed(new Zone.Longs(10, 20, false));
    ZoneFilter hit = ZoneFilter.between(0, 15, 16);
    ZoneFilter miss = ZoneFilter.between(0, 25, 26);
    assertTrue(hit.and(ZoneFilter.ALL).mayMatch(zones));
    assertFalse(hit.and(miss).mayMatch(zones));
    assertFalse(miss.and(hit).mayMatch(zones));
  }

  @Test
  void theNarrowestStorageHoldsBothEnds() {
    assertEquals(Storage.INT8, Storage.holding(-128, 127));
    assertEquals(Storage.INT16, Storage.holding(-129, 0));
    assertEquals(Storage.INT16, Storage.holding(0, 32_767));
    assertEquals(Storage.INT32, Storage.holding(0, 32_768));
    assertEquals(Storage.INT32, Storage.holding(Integer.MIN_VALUE, Integer.MAX_VALUE));
    assertEquals(Storage.INT64, Storage.holding(0, 1L << 31));
  }
}
