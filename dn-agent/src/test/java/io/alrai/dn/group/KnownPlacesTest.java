package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupView.Progress;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KnownPlacesTest {
  private static final UUID ORIGIN = new UUID(1, 2);

  private final KnownPlaces places = new KnownPlaces();

  private static GtidSet to(long number) {
    return number == 0 ? new GtidSet() : GtidSet.parse(ORIGIN + ":1-" + number);
  }

  private void add(long index, long number) {
    places.add(new Progress(index, to(number), new GtidSet(), -1));
  }

  @Test
  void theLastPlaceCountsWhoseTransactionsAreKnown() {
    assertEquals(-1, places.upTo(to(5)));
    add(5, 0); // says nothing
    assertEquals(-1, places.upTo(to(5)));
    add(10, 3);
    add(20, 6);
    add(20, 6);
    add(30, 9);
    assertEquals(-1, places.upTo(to(2)));
    assertEquals(10, places.upTo(to(5)));
    assertEquals(20, places.upTo(to(6)));
    assertEquals(30, places.upTo(to(100)));
    assertEquals(-1, places.upTo(GtidSet.parse(ORIGIN + ":2-100")));
    places.forget();
    assertEquals(-1, places.upTo(to(100)));
  }

  @Test
  void ofManyPlacesSomeStay() {
    int last = 10 * KnownPlaces.MOST;
    for (int i = 1; i <= last; i++) {
      add(i, i);
    }
    assertEquals(last, places.upTo(to(last)));
    long recent = places.upTo(to(last - 100));
    assertTrue(recent > last - 200 && recent <= last - 100, () -> "up to " + recent);
  }
}
