package io.alrai.cn.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LargeCommandTest {
  private static final int STEP = LargeCommand.STEP;
  private final AtomicLong budget = new AtomicLong(3L * STEP);

  private static ByteBuf begun() {
    return Unpooled.buffer()
        .writeBytes("begun".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  @Test
  void keepsWhatWasThereAndTakesMore() {
    LargeCommand command = LargeCommand.behind(begun(), budget);
    command.grow(1);
    command.writeBytes(new byte[STEP]);
    command.grow(7);
    command.writeLong(7);
    assertEquals('b', command.getByte(0));
    assertEquals(7, command.getLong(5 + STEP));
    assertEquals(STEP, budget.get());
    command.release();
  }

  @Test
  void takesNoMoreThanThereIsForAllAndGivesItBack() {
    LargeCommand one = LargeCommand.behind(begun(), budget);
    LargeCommand another = LargeCommand.behind(begun(), budget);
    one.grow(2 * STEP);
    another.grow(STEP);
    assertThrows(OutOfMemoryError.class, () -> another.grow(2 * STEP));
    assertEquals(0, budget.get());
    one.release();
    another.grow(2 * STEP);
    another.release();
    assertEquals(3L * STEP, budget.get());
  }
}
