package io.alrai.dn.xa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.DnId;
import io.alrai.dn.backend.Answer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CommitWatchTest {
  private long nanos = 1;
  private long visible;
  private CompletableFuture<Answer> waiting = new CompletableFuture<>();
  private final CommitWatch watch =
      new CommitWatch(new DnId("dn-1"), () -> waiting, () -> visible, () -> nanos);

  private double after(int seconds, int sessions) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
    List<String> row = List.of("Rpl_semi_sync_source_wait_sessions", String.valueOf(sessions));
    waiting = CompletableFuture.completedFuture(new Answer(List.of(row), 1, false));
    watch.look();
    return watch.seconds();
  }

  @Test
  void commitsThatWaitWhileNoneBecomesVisibleStandStill() {
    assertEquals(0, after(1, 3));
    assertEquals(10, after(10, 3));
    assertEquals(25, after(15, 1));
  }

  @Test
  void thoseThatBecomeVisibleDoNot() {
    after(1, 3);
    after(10, 3);
    visible++;
    assertEquals(0, after(1, 3));
    assertEquals(0, after(1, 3));
    assertEquals(1, after(1, 3));
    assertEquals(0, after(1, 0), "nobody waits");
  }

  @Test
  void oneQuestionIsAskedAtATime() {
    CompletableFuture<Answer> late = waiting;
    watch.look();
    waiting = CompletableFuture.failedFuture(new IllegalStateException("asked twice"));
    watch.look();
    late.completeExceptionally(new IllegalStateException("the mysqld is away"));
    assertEquals(0, watch.seconds());
    assertEquals(0, after(1, 1));
  }
}
