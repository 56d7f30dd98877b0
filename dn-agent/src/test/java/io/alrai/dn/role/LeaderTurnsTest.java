package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeaderTurnsTest {
  private final LeaderTurns turns = new LeaderTurns();

  private boolean look(String leader, long seconds) {
    Optional<String> who = leader.isEmpty() ? Optional.empty() : Optional.of(leader);
    return turns.look(who, TimeUnit.SECONDS.toNanos(seconds));
  }

  private boolean tooMany(long seconds) {
    return turns.areTooMany(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void threeChangesWithinAMinuteAreTooMany() {
    assertFalse(look("a", 0)); // the first is no change
    assertFalse(look("b", 1));
    assertFalse(look("", 2));
    assertFalse(look("b", 3)); // nobody in between is none either
    assertFalse(look("a", 30));
    assertFalse(tooMany(30));
    assertTrue(look("b", 61));
    assertTrue(tooMany(61));
    assertFalse(look("a", 61)); // has been said
    assertTrue(tooMany(90));
    assertFalse(tooMany(91));
    assertFalse(look("b", 130));
    assertFalse(tooMany(130));
  }
}
