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
import org.junit.jupiter.api.Test;

/**
 * A mysqld that sends what none should instead of its binary log: its reader is told once that the
 * stream is over, and gets no event twice or in another order. {@code -Dhostile.rounds} and {@code
 * -Dhostile.seed} as for replies.
 */
final class HostileLogTest {
  private static final int ROUNDS = Integer.getInteger("hostile.rounds", 2_000);
  private static final long FIXED = 20_261_126;

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
    Long only = Long.getLong("hostile.seed");
    long fresh = System.nanoTime();
    for (int i = 0; i < (only == null ? ROUNDS : 1); i++) {
      long seed = only == null ? (i % 2 == 0 ? FIXED : fresh) + i : only;
      try {
        round(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Dhostile.seed=" + seed, e);
      }
    }
  }

  private static void round(long seed) {
    HostileReplies hostile = new HostileReplies(seed);
    boolean semiSync = hostile.random().nextBoolean();
    EmbeddedChannel channel = new EmbeddedChannel();
    Read read = new Read();
    DumpConnection connection =
        new DumpConnection(channel.eventLoop(), new UUID(1, seed), semiSync, read);
    channel.pipeline().addLast(new DumpHandler(semiSync, connection, read));
    int count = 1 + hostile.random().nextInt(6);
    ByteBuf stream = Unpooled.buffer();
    for (int i = 0; i < count; i++) {
      int header = Packets.begin(stream, i + 1);
      stream.writeByte(0);
      if (semiSync) {
        stream.writeByte(0xef).writeByte(1);
      }
      stream.writeBytes(("event " + i).getBytes(US_ASCII));
      Packets.end(stream, header);
    }
    List<byte[]> packets = HostileReplies.packets(stream);
    stream.release();
    boolean changed = hostile.change(packets);
    for (ByteBuf part : hostile.reads(packets)) {
      if (channel.isOpen()) {
        channel.writeInbound(part);
      } else {
        part.release();
      }
    }
    assertTrue(read.attached <= 1);
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
