package io.alrai.cn.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ForwardStateTest {
  private static final Set<ForwardState> END = EnumSet.of(ForwardState.ENDING, ForwardState.IDLE);
  private static final Set<ForwardState> END_OR_AGAIN =
      EnumSet.of(ForwardState.TAKING, ForwardState.ENDING, ForwardState.IDLE);
  private static final Map<ForwardState, Set<ForwardState>> NEXT =
      Map.of(
          ForwardState.IDLE, EnumSet.of(ForwardState.TAKING),
          ForwardState.TAKING, EnumSet.complementOf(EnumSet.of(ForwardState.TAKING)),
          ForwardState.OWN, END_OR_AGAIN,
          ForwardState.VIEW, END_OR_AGAIN,
          ForwardState.SHARED, END,
          ForwardState.SHARED_AT_SNAPSHOT, END,
          ForwardState.KEPT, END,
          ForwardState.KEPT_AT_SNAPSHOT, END,
          ForwardState.ENDING, EnumSet.of(ForwardState.IDLE));

  @Test
  void whatIsNotInTheTableIsRefused() {
    for (ForwardState from : ForwardState.values()) {
      for (ForwardState next : ForwardState.values()) {
        if (NEXT.get(from).contains(next)) {
          assertSame(next, from.advance(next, "a test"));
        } else {
          IllegalStateException refused =
              assertThrows(IllegalStateException.class, () -> from.advance(next, "a test"));
          assertEquals(
              "a forward: " + from + " cannot become " + next + " (a test)", refused.getMessage());
        }
      }
    }
  }
}
