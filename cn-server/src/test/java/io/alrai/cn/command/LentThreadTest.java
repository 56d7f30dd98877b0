package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LentThreadTest {
  @Test
  void workThatIsThroughAtOnceIsNotAtWork() throws InterruptedException {
    LentThread lent = new LentThread();
    for (int i = 0; i < 20_000; i++) {
      CountDownLatch over = new CountDownLatch(1);
      lent.start("short", () -> {}, over::countDown);
      assertEquals(true, over.await(10, TimeUnit.SECONDS));
      assertFalse(lent.isAtWork(), "after " + i);
    }
  }
}
