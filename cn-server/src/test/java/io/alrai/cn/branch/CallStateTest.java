package io.alrai.cn.branch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.cn.branch.CallState.Arrival;
import io.alrai.cn.branch.CallState.Wish;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallStateTest {
  /** The way to each state from the first. */
  private static final Map<Arrival, List<Arrival>> WAYS =
      new EnumMap<>(
          Map.of(
              Arrival.AWAITED, List.of(),
              Arrival.ARRIVING, List.of(Arrival.ARRIVING),
              Arrival.IN_ERROR, List.of(Arrival.ARRIVING, Arrival.IN_ERROR),
              Arrival.SUCCEEDED, List.of(Arrival.ARRIVING, Arrival.SUCCEEDED),
              Arrival.FAILED, List.of(Arrival.IN_ERROR, Arrival.FAILED)));

  private static final Map<Arrival, Set<Arrival>> NEXT =
      Map.of(
          Arrival.AWAITED, EnumSet.complementOf(EnumSet.of(Arrival.AWAITED)),
          Arrival.ARRIVING, EnumSet.of(Arrival.IN_ERROR, Arrival.SUCCEEDED, Arrival.FAILED),
          Arrival.IN_ERROR, EnumSet.of(Arrival.FAILED),
          Arrival.SUCCEEDED, EnumSet.noneOf(Arrival.class),
          Arrival.FAILED, EnumSet.noneOf(Arrival.class));

  @Test
  void aReplyComesToOneEndAndNothingFollowsIt() {
    for (Arrival from : Arrival.values()) {
      for (Arrival next : Arrival.values()) {
        CallState state = new CallState();
        WAYS.get(from).forEach(step -> state.advance(step, "a test"));
        if (NEXT.get(from).contains(next)) {
          state.advance(next, "a test");
          assertEquals(next, state.arrival());
        } else {
          IllegalStateException refused =
              assertThrows(IllegalStateException.class, () -> state.advance(next, "a test"));
          assertEquals(
              "a call: " + from + " cannot become " + next + " (a test)", refused.getMessage());
          assertEquals(from, state.arrival());
        }
      }
    }
  }

  @Test
  void whatNobodyWantsIsNeverWantedAgain() {
    CallState state = new CallState();
    state.advance(Wish.DISCARDED, "a test");
    assertThrows(IllegalStateException.class, () -> state.advance(Wish.WANTED, "a test"));
    state.advance(Wish.ABANDONED, "a test");
    assertThrows(IllegalStateException.class, () -> state.advance(Wish.DISCARDED, "a test"));
    state.advance(Wish.ABANDONED, "its reader closes it twice");
    assertEquals(Wish.ABANDONED, state.wish());
  }
}
