package io.alrai.cn.branch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.shard.LoopWait;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OwnWorkTest {
  private final OwnWork work = new OwnWork();

  @Test
  void aKillInterruptsTheWaitAndNothingBehindIt() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Boolean> behind = new CompletableFuture<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      interrupted.complete(
          work.interruptibly(() -> {
            begun.countDown();
            try {
              new CountDownLatch(1).await();
              return false;
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              return true;
            }
          }));
      behind.complete(Thread.currentThread().isInterrupted());
    });
    begun.await();
    assertTrue(work.end());
    assertTrue(interrupted.join());
    assertFalse(behind.join());
    assertFalse(work.end());
  }

  /** KILL QUERY does not end what is done with the transaction; a client's leaving does. */
  @Test
  void theLoopIsWaitedForUnlessTheSessionIsGone() {
    CompletableFuture<Integer> commit = new CompletableFuture<>();
    AtomicBoolean gone = new AtomicBoolean();
    CompletableFuture<Object> seen = new CompletableFuture<>();
    Thread waiting =
        Thread.startVirtualThread(() -> {
          int value = new LoopWait(gone::get).on(commit);
          seen.complete(Thread.currentThread().isInterrupted() ? value : "not interrupted");
        });
    waiting.interrupt();
    commit.complete(7);
    assertEquals(7, seen.join());
    gone.set(true);
    AlraiException left =
        assertThrows(
            AlraiException.class, () -> new LoopWait(gone::get, 50).on(new CompletableFuture<>()));
    assertEquals(ErrorCode.ER_QUERY_INTERRUPTED.errno(), left.errno());
  }
}
