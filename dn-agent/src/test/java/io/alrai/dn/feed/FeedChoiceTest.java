package io.alrai.dn.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
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
    assertEquals(List.of(), choice.next(List.of()));
    assertEquals(BOTH, choice.next(BOTH));
    choice.failed("b", 0);
    assertEquals(List.of("c"), choice.next(BOTH));
    choice.failed("c", 0);
    assertEquals(List.of(), choice.next(BOTH));
    after(3);
    assertEquals(BOTH, choice.next(BOTH));
  }

  @Test
  void whoFailsAgainIsAskedLessOften() {
    choice.failed("b", 0);
    after(2);
    choice.failed("b", 0);
    after(1);
    assertEquals(List.of(), choice.next(List.of("b")));
    after(2);
    assertEquals(List.of("b"), choice.next(List.of("b")));
    choice.failed("b", TimeUnit.MINUTES.toNanos(5));
    after(3);
    assertEquals(List.of("b"), choice.next(List.of("b")), "it had fed well before");
  }

  @Test
  void whoHasNotFailedIsAskedFirst() {
    choice.failed("b", 0);
    after(3);
    assertEquals(List.of("c", "b"), choice.next(BOTH));
  }

  /** It leads meanwhile, or is gone. */
  @Test
  void whoFollowsAnewHasNotFailed() {
    choice.failed("b", 0);
    assertEquals(List.of("a"), choice.next(List.of("a")));
    assertEquals(List.of("b"), choice.next(List.of("b")));
  }
}
