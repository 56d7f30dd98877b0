package io.alrai.cn.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClientWatchTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private long nanos;
  private int ended;
  private final ClientWatch watch = new ClientWatch(channel, () -> 60, () -> ended++, () -> nanos);

  private void write(int bytes) {
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(10, 100));
    channel.write(Unpooled.buffer(bytes).writeZero(bytes));
    channel.runPendingTasks();
  }

  private void pass(int seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
    channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void aClientThatTakesNothingIsLeft() {
    write(500);
    assertFalse(channel.isWritable());
    watch.writable(false);
    pass(59);
    assertTrue(channel.isOpen());
    pass(2);
    assertFalse(channel.isOpen());
    assertEquals(1, ended);
  }

  @Test
  void oneThatReadsSlowlyIsNot() {
    write(500);
    write(500);
    watch.writable(false);
    pass(59);
    channel.flush();
    write(300);
    pass(59);
    assertTrue(channel.isOpen());
    assertEquals(0, ended);
  }

  @Test
  void oneThatHasTakenAllIsNot() {
    write(500);
    watch.writable(false);
    pass(30);
    channel.flush();
    watch.writable(true);
    pass(600);
    assertTrue(channel.isOpen());
  }
}
