package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
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
  void whoHasWaitedLongAsksOneThatCouldLead() {
    long some = Successors.IMPATIENT_NANOS;
    AtomicReference<Optional<String>> ready = new AtomicReference<>(Optional.empty());
    successors.mayAsk(ready::get);
    LongConsumer waits = successors.impatience();
    waits.accept(some);
    ready.set(Optional.of("c"));
    waits.accept(2 * some - 1);
    assertEquals(List.of(), asked, "it asks now and then");
    unwilling.add("c");
    waits.accept(2 * some);
    waits.accept(3 * some);
    assertEquals(List.of("c", "c"), asked);
    successors.impatience().accept(some - 1);
    assertEquals(List.of("c", "c"), asked);
  }

  @Test
  void whoDoesNotWaitAsksTheBestAlone() {
    successors.prefer(() -> Optional.of("c"));
    unwilling.add("c");
    successors.takeOver();
    assertEquals(List.of("c"), asked);
  }
}
