package io.alrai.dn.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.BranchLease.State;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class BranchLeaseTest {
  /** The way to each state from the first. */
  private static final Map<State, List<State>> WAYS =
      new EnumMap<>(
          Map.of(
              State.LENT, List.of(),
              State.HOME, List.of(State.HOME),
              State.KEPT, List.of(State.KEPT),
              State.LEAVING, List.of(State.LEAVING),
              State.LEAVING_KEPT, List.of(State.KEPT, State.LEAVING_KEPT),
              State.CLOSED, List.of(State.CLOSED)));

  private static final Map<State, Set<State>> NEXT =
      Map.of(
          State.HOME, EnumSet.of(State.LENT, State.CLOSED),
          State.LENT, EnumSet.of(State.HOME, State.KEPT, State.LEAVING, State.CLOSED),
          State.KEPT, EnumSet.of(State.LENT, State.LEAVING_KEPT, State.CLOSED),
          State.LEAVING, EnumSet.of(State.HOME, State.CLOSED),
          State.LEAVING_KEPT, EnumSet.of(State.LEAVING, State.CLOSED),
          State.CLOSED, EnumSet.noneOf(State.class));

  private static BranchLease in(State state) {
    BranchLease lease = new BranchLease(7);
    WAYS.get(state).forEach(next -> lease.advance(next, "a test"));
    assertEquals(state, lease.state());
    return lease;
  }

  @Test
  void whatIsNotInTheTableIsRefusedAndChangesNothing() {
    for (State from : State.values()) {
      for (State next : State.values()) {
        BranchLease lease = in(from);
        if (NEXT.get(from).contains(next)) {
          lease.advance(next, "a test");
          assertEquals(next, lease.state());
        } else {
          IllegalStateException refused =
              assertThrows(IllegalStateException.class, () -> lease.advance(next, "a test"));
          assertEquals(
              "connection 7: " + from + " cannot become " + next + " (a test)",
              refused.getMessage());
          assertEquals(from, lease.state());
        }
      }
    }
  }

  @Test
  void whoHoldsItUpAndWhatIsPreparedAreWaitedFor() {
    BranchLease lease = new BranchLease(7);
    lease.keep();
    lease.hold();
    assertFalse(lease.giveBack(false));
    assertFalse(lease.leaves());
    lease.letGo();
    assertFalse(lease.leaves());
    lease.resume();
    assertTrue(lease.leaves());
    lease.home("given back");
    assertEquals(State.HOME, lease.state());
  }

  @Test
  void whatIsGivenBackTwiceIsRefusedWhoeverHoldsItUp() {
    for (State given : List.of(State.LEAVING, State.LEAVING_KEPT, State.HOME)) {
      BranchLease lease = in(given);
      lease.hold();
      assertThrows(IllegalStateException.class, () -> lease.giveBack(false), given::name);
      assertEquals(given, lease.state());
    }
  }

  @Test
  void aBusyOneLeavesAtOnceAsItEnds() {
    BranchLease lease = new BranchLease(7);
    lease.hold();
    assertTrue(lease.giveBack(true));
  }
}
