package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

/** Which states of a server may follow one another. */
class SupervisionRulesTest {
  @Test
  void onlyANewOrStartingServerStopsWithoutStopping() {
    for (MysqldState state : MysqldState.values()) {
      boolean direct =
          state == MysqldState.NEW
              || state == MysqldState.STARTING
              || state == MysqldState.STOPPING;
      assertEquals(direct, state.mayBecome(MysqldState.STOPPED), state.name());
      assertFalse(MysqldState.STOPPED.mayBecome(state));
      assertFalse(state.mayBecome(MysqldState.NEW));
      assertFalse(state.mayBecome(state));
    }
    assertFalse(MysqldState.DOWN.mayBecome(MysqldState.UP));
  }
}
