package io.alrai.dn.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.group.GroupView.Progress;
import org.junit.jupiter.api.Test;

class ErrantWatchTest {
  private static final String LEADER = "00000000-0000-0000-0000-000000000001:";
  private static final String OWN = "00000000-0000-0000-0000-000000000002:";

  private final ErrantWatch watch = new ErrantWatch("dn-1-b");

  private boolean look(String executed, String committed, String settled) {
    Progress later = new Progress(7, GtidSet.parse(committed), GtidSet.parse(settled), 7);
    return watch.look(GtidSet.parse(executed), later);
  }

  @Test
  void whatTheGroupHasIsNotErrant() {
    assertFalse(look(LEADER + "1-9", LEADER + "5-12", LEADER + "1-6"));
    assertEquals("", watch.error());
  }

  @Test
  void whatIsMissingTwiceIsErrant() {
    assertTrue(look(LEADER + "1-9," + OWN + "1", LEADER + "1-9", ""), "looks again soon");
    assertEquals("", watch.error());
    assertFalse(look(LEADER + "1-12," + OWN + "1", LEADER + "1-12", ""));
    assertTrue(watch.error().contains(": " + OWN + "1;"), watch.error());
  }

  @Test
  void aLogThatIsStillReadCatchesUp() {
    look(LEADER + "1-90", LEADER + "1-5", "");
    look(LEADER + "1-95", LEADER + "1-60", "");
    assertTrue(watch.error().contains(LEADER + "61-90"), "it stood still for long");
    look(LEADER + "1-95", LEADER + "1-95", "");
    assertEquals("", watch.error());
  }

  @Test
  void oneThatHasLedInBetweenIsLookedAtAnew() {
    look(OWN + "1", "", "");
    watch.forget();
    look(OWN + "1", "", "");
    assertEquals("", watch.error());
  }
}
