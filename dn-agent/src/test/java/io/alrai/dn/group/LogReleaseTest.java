package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupView.Progress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogReleaseTest {
  private static final String UUID = "00000000-0000-0001-0000-000000000002";

  private final List<Long> released = new ArrayList<>();
  private final LogRelease release = new LogRelease(released::add);

  private static GtidSet to(long number) {
    return number == 0 ? new GtidSet() : GtidSet.parse(UUID + ":1-" + number);
  }

  private void look(long index, long committed, long settled, long settledIndex, long flushed) {
    release.look(new Progress(index, to(committed), to(settled), settledIndex), to(flushed));
  }

  @Test
  void whatIsFlushedAndSettledGoes() {
    look(10, 5, 0, -1, 5);
    assertEquals(List.of(), released);
    look(20, 9, 5, 15, 9);
    assertEquals(List.of(10L), released);
  }

  @Test
  void whatTheMysqldMayLoseStays() {
    look(10, 5, 0, -1, 0);
    look(20, 9, 9, 19, 4);
    assertEquals(List.of(), released);
    look(30, 9, 9, 25, 9);
    assertEquals(List.of(20L), released);
  }

  @Test
  void aDecisionThatMayBeAskedForStays() {
    look(10, 5, 4, 9, 5);
    look(20, 9, 4, 19, 9);
    assertEquals(List.of(), released);
  }

  @Test
  void theEntryThatSaysWhatIsSettledStays() {
    look(10, 5, 5, 8, 5);
    look(20, 5, 5, 8, 5);
    look(30, 5, 5, 8, 5);
    assertEquals(List.of(), released);
    look(40, 6, 5, 35, 5);
    assertEquals(List.of(30L), released);
  }

  @Test
  void aGapIsNotPassed() {
    look(10, 5, 5, 50, 0);
    release.look(new Progress(60, to(6), to(6), 55), GtidSet.parse(UUID + ":1-3:5-6"));
    assertEquals(List.of(), released);
  }

  @Test
  void aMysqldThatStandsStillIsNotRememberedForEver() {
    for (int i = 0; i < 1_000; i++) {
      look(i, i, 0, -1, 0);
    }
    look(2_000, 2_000, 2_000, 1_999, 2_000);
    assertEquals(1, released.size());
    look(3_000, 3_000, 3_000, 2_999, 3_000);
    look(4_000, 4_000, 4_000, 3_999, 4_000);
    assertEquals(3_000, released.getLast());
  }
}
