package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class QueuedCommandsTest {
  private final QueuedCommands queue = new QueuedCommands();

  private static ByteBuf command(int bytes) {
    return Unpooled.buffer(bytes).writeZero(bytes);
  }

  @Test
  void boundedByNumber() {
    for (int i = 0; i < 64; i++) {
      assertFalse(queue.add(command(5)));
    }
    assertTrue(queue.add(command(5)));
    assertFalse(queue.hasRoom());
    for (int i = 0; i < 34; i++) {
      queue.poll();
    }
    assertTrue(queue.hasRoom());
  }

  @Test
  void boundedByBytes() {
    assertFalse(queue.add(command(600 << 10)));
    ByteBuf large = command(600 << 10);
    assertTrue(queue.add(large));
    assertEquals(600 << 10, queue.poll().readableBytes());
    assertFalse(queue.hasRoom());
    assertEquals(large, queue.poll());
    assertTrue(queue.hasRoom());
    assertNull(queue.poll());
  }
}
