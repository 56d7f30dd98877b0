package io.alrai.dn.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FeedChoiceTest {
  private static final List<String> BOTH = List.of("b", "c");

  private final AtomicLong nanos = new AtomicLong();
  private final FeedChoice<String> choice = new FeedChoice<>(nanos::get);

  private void after(long seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void theLeaderFeedsWhereNobodyFollowsWell() {
    assertEquals(Optional.empty(), choice.next(List.of()));
    assertEquals(Optional.of("b"), choice.next(BOTH));
    choice.failed("b", 0);
    assertEquals(Optional.of("c"), choice.next(BOTH));
    choice.failed("c", 0);
    assertEquals(Optional.empty(), choice.next(BOTH));
    after(3);
    assertEquals(Optional.of("b"), choice.next(BOTH));
  }

  @Test
  void whoFailsAgainIsAskedLessOften() {
    choice.failed("b", 0);
    after(2);
    choice.failed("b", 0);
    after(1);
    assertEquals(Optional.empty(), choice.next(List.of("b")));
    after(2);
    assertEquals(Optional.of("b"), choice.next(List.of("b")));
    choice.failed("b", TimeUnit.MINUTES.toNanos(5));
    after(3);
    assertEquals(Optional.of("b"), choice.next(List.of("b")), "it had fed well before");
  }

  /** It leads meanwhile, or is gone. */
  @Test
  void whoFollowsAnewHasNotFailed() {
    choice.failed("b", 0);
    assertEquals(Optional.of("a"), choice.next(List.of("a")));
    assertEquals(Optional.of("b"), choice.next(List.of("b")));
  }
}
