package io.alrai.dn.binlog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.wire.Packets;
import io.alrai.testing.HostileReplies;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A mysqld that sends what none should instead of its binary log: its reader gets the end of the
 * stream once, and gets no event twice or in another order. {@code -Dhostile.rounds} and {@code
 * -Dhostile.seed} as for replies.
 */
final class HostileLogTest {
  private static final class Read implements DumpConnection.Sink {
    final List<String> events = new ArrayList<>();
    int attached;
    int closed;

    @Override
    public GtidSet begin(GtidSet executed) {
      return executed;
    }

    @Override
    public void attached() {
      attached++;
    }

    @Override
    public void event(Event event) {
      assertEquals(0, closed, "nothing comes after the end");
      events.add(event.bytes().toString(event.start(), event.length(), US_ASCII));
    }

    @Override
    public void batchEnd() {}

    @Override
    public void closed(Throwable reason) {
      closed++;
    }
  }

  @Test
  void theReaderOfTheLogIsToldOnceThatItIsOver() {
    HostileReplies.rounds(2_000, HostileLogTest::round);
  }

  private static String event(int number) {
    return "event " + number;
  }

  private static void round(HostileReplies hostile) {
    boolean semiSync = hostile.random().nextBoolean();
    EmbeddedChannel channel = new EmbeddedChannel();
    Read read = new Read();
    DumpConnection connection =
        new DumpConnection(channel.eventLoop(), new UUID(1, 2), semiSync, read);
    channel.pipeline().addLast(new DumpHandler(semiSync, connection, read));
    int count = 1 + hostile.random().nextInt(9);
    ByteBuf stream = Unpooled.buffer();
    int sequence = 1;
    for (int i = 0; i < count; i++) {
      int header = Packets.begin(stream, sequence++);
      stream.writeByte(0);
      if (semiSync) {
        boolean last = sequence > 2 && hostile.random().nextBoolean();
        stream.writeByte(0xef).writeByte(last ? 1 : 0);
        sequence = last ? 1 : sequence;
      }
      stream.writeBytes(event(i).getBytes(US_ASCII));
      Packets.end(stream, header);
    }
    boolean changed = hostile.give(stream, channel);
    assertTrue(read.attached <= 1);
    long wrong =
        IntStream.range(0, read.events.size())
            .filter(i -> !read.events.get(i).equals(event(i)))
            .count();
    assertTrue(wrong <= 1, () -> "missing, twice or in another order: " + read.events);
    if (!changed) {
      assertEquals(count, read.events.size());
      assertEquals(0, read.closed);
    }
    channel.close();
    channel.runPendingTasks();
    channel.finishAndReleaseAll();
    assertEquals(1, read.closed);
  }
}
