package io.alrai.common.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VirtualAnswerTest {
  private static Throwable reason(CompletableFuture<?> answer) {
    return assertThrows(ExecutionException.class, () -> answer.get(20, TimeUnit.SECONDS))
        .getCause();
  }

  @Test
  void whoeverAsksHearsSomethingHoweverItEnds() throws Exception {
    assertEquals(7, VirtualAnswer.to("seven", () -> 7).get(20, TimeUnit.SECONDS));
    assertInstanceOf(
        OutOfMemoryError.class,
        reason(
            VirtualAnswer.to(
                "error",
                () -> {
                  throw new OutOfMemoryError("of a test");
                })));
    AlraiException interrupted =
        assertInstanceOf(
            AlraiException.class,
            reason(
                VirtualAnswer.to(
                    "interrupt",
                    () -> {
                      throw new InterruptedException();
                    })));
    assertEquals(ErrorCode.ER_QUERY_INTERRUPTED.errno(), interrupted.errno());
  }
}
