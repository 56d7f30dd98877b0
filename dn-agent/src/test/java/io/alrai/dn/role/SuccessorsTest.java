package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SuccessorsTest {
  private final List<String> asked = new ArrayList<>();
  private final Set<String> unwilling = new HashSet<>();
  private Optional<String> best = Optional.empty();
  private final Successors successors =
      new Successors("a", () -> List.of("b", "c", "d"), this::handOver);

  private CompletableFuture<Void> handOver(String to) {
    asked.add(to);
    return unwilling.contains(to)
        ? CompletableFuture.failedFuture(new IllegalStateException("it lags"))
        : CompletableFuture.completedFuture(null);
  }

  @Test
  void theBestComesFirst() {
    successors.prefer(() -> best);
    assertEquals(List.of("b", "c", "d"), successors.all());
    best = Optional.of("c");
    assertEquals(List.of("c", "b", "d"), successors.all());
    best = Optional.of("gone");
    assertEquals(List.of("b", "c", "d"), successors.all());
  }

  @Test
  void theNextIsAskedWhenTheBestDoesNotTakeIt() {
    successors.prefer(() -> Optional.of("d"));
    unwilling.add("d");
    successors.letAnotherLead("full");
    assertEquals(List.of("d", "b"), asked);
  }

  @Test
  void whoHasWaitedLongLetsOneLeadThatCould() {
    long some = Successors.PATIENCE_NANOS;
    AtomicReference<Optional<String>> ready = new AtomicReference<>(Optional.empty());
    successors.know(ready::get);
    Successors.Patience patience = successors.new Patience();
    assertFalse(patience.ends(some));
    ready.set(Optional.of("c"));
    assertFalse(patience.ends(2 * some - 1), "it asks now and then");
    unwilling.add("c");
    assertFalse(patience.ends(2 * some));
    unwilling.clear();
    assertTrue(patience.ends(3 * some));
    assertEquals(List.of("c", "c"), asked);
    assertFalse(successors.new Patience().ends(some - 1));
  }

  @Test
  void whoDoesNotWaitAsksTheBestAlone() {
    successors.prefer(() -> Optional.of("c"));
    unwilling.add("c");
    successors.takeOver();
    assertEquals(List.of("c"), asked);
  }
}
