package io.alrai.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterStatesTest {
  private final Object first = new Object();
  private final Object second = new Object();

  @BeforeEach
  void begin() {
    ClusterStates.begin();
  }

  @AfterEach
  void end() {
    ClusterStates.forget(first);
    ClusterStates.forget(second);
  }

  @Test
  void clustersThatAreOpenAndThatWereClosedAreDescribed() {
    ClusterStates.opened(first, () -> "a");
    ClusterStates.opened(second, () -> "b");
    ClusterStates.closing(first);
    assertEquals(List.of("closed: a", "open: b"), ClusterStates.all());
  }

  @Test
  void whatWasClosedBeforeTheTestIsNotItsOwn() {
    ClusterStates.opened(first, () -> "a");
    ClusterStates.closing(first);
    ClusterStates.begin();
    assertEquals(List.of(), ClusterStates.all());
  }

  @Test
  void theOldestAreForgotten() {
    for (int i = 0; i < 6; i++) {
      String name = Integer.toString(i);
      ClusterStates.opened(first, () -> name);
      ClusterStates.closing(first);
    }
    assertEquals(List.of("closed: 2", "closed: 3", "closed: 4", "closed: 5"), ClusterStates.all());
  }

  @Test
  void aClusterThatCannotBeDescribedHidesNoOther() {
    ClusterStates.opened(
        first,
        () -> {
          throw new IllegalStateException("gone");
        });
    ClusterStates.closing(first);
    assertEquals(
        List.of("closed: not described: java.lang.IllegalStateException: gone"),
        ClusterStates.all());
  }
}
