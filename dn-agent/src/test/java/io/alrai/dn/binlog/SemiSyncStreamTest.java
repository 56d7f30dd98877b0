package io.alrai.dn.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.link.ReadWatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stream over connections whose mysqld is the test. */
class SemiSyncStreamTest {
  private static final DnId DN = new DnId("dn-1");
  private static final UUID SERVER = new UUID(3, 4);
  private static final int MORE_RESULTS = 8;

  @TempDir Path directory;
  private final EmbeddedChannel loop = new EmbeddedChannel();
  private final List<EmbeddedChannel> opened = new ArrayList<>();
  private AckedMark mark;

  @BeforeEach
  void open() throws IOException {
    mark = AckedMark.open(directory.resolve("acked"));
  }

  @AfterEach
  void close() {
    mark.close();
  }

  private SemiSyncStream stream(CommitGate gate) {
    return new SemiSyncStream(
        DN,
        (eventLoop, account, home, taker) -> {
          EmbeddedChannel channel = new EmbeddedChannel();
          opened.add(channel);
          PipelinedBranch branch = new PipelinedBranch(DN, channel, 1, home, ReadWatch.NONE);
          channel.pipeline().addLast("branch", branch);
          taker.taken(branch);
        },
        loop.eventLoop(),
        1 << 20,
        LongEvents.NONE,
        gate,
        mark,
        WayOut.standard(() -> {
          throw new AssertionError("nobody is locked out");
        }));
  }

  @Test
  void theMarkIsWrittenBeforeAnythingFollowsFromAnAcknowledgement() {
    List<BinlogPosition> marks = new ArrayList<>();
    List<BinlogPosition> ends = new ArrayList<>();
    SemiSyncStream stream =
        stream(
            new CommitGate() {
              private Acks acks;

              @Override
              public void attached(Acks current, GtidSet visible, BinlogPosition start) {
                acks = current;
              }

              @Override
              public void received(BinlogTransaction transaction) {
                acks.ack(transaction.end());
                ends.add(transaction.end());
                marks.add(mark.read().orElseThrow().end());
              }

              @Override
              public void detached() {}
            });
    stream.attach(SERVER);
    loop.runPendingTasks();
    EmbeddedChannel channel = opened.getFirst();
    answerLogin(channel);
    // all in one read: what is acknowledged in it is sent at its end
    channel.writeInbound(sent(RecordedLog.eventsUntil(7_075)));
    assertTrue(ends.size() > 10, ends.toString());
    assertEquals(ends, marks);
    assertEquals(1, acknowledgements(channel));
  }

  @Test
  void nobodyAttachesOneThatIsClosed() {
    SemiSyncStream stream =
        stream(
            new CommitGate() {
              @Override
              public void attached(Acks current, GtidSet visible, BinlogPosition start) {
                throw new AssertionError("it is closed");
              }

              @Override
              public void received(BinlogTransaction transaction) {}

              @Override
              public void detached() {}
            });
    CompletableFuture<Void> before = stream.attach(SERVER);
    loop.runPendingTasks();
    assertEquals(1, opened.size());
    assertFalse(before.isDone());

    CompletableFuture<Void> closed = stream.close();
    CompletableFuture<Void> after = stream.attach(SERVER);
    loop.runPendingTasks();
    assertTrue(closed.isDone());
    assertTrue(before.isCompletedExceptionally());
    assertTrue(after.isCompletedExceptionally());
    assertEquals(1, opened.size(), "no connection is made for it");
    assertFalse(opened.getFirst().isOpen());
  }

  private static int acknowledgements(EmbeddedChannel channel) {
    int acks = 0;
    ByteBuf packet;
    while ((packet = channel.readOutbound()) != null) {
      acks += packet.getUnsignedByte(Packets.HEADER) == 0xef ? 1 : 0;
      packet.release();
    }
    return acks;
  }

  /** The settings with gtid_executed, and REGISTER_REPLICA. */
  private static void answerLogin(EmbeddedChannel channel) {
    ByteBuf settings = Unpooled.buffer();
    Packets.writeOk(settings, 1, new OkPacket(0, 0, MORE_RESULTS, 0, ""));
    Packets.write(settings, 2, Unpooled.wrappedBuffer(new byte[] {1}));
    Packets.write(settings, 3, Unpooled.wrappedBuffer(new byte[] {3, 'd', 'e', 'f'}));
    Packets.write(settings, 4, Unpooled.wrappedBuffer(new byte[] {0}));
    Packets.writeResultEnd(settings, 5, 0, 0);
    channel.writeInbound(settings);
    ByteBuf registered = Unpooled.buffer();
    Packets.writeOk(registered, 1, new OkPacket(0, 0, 0, 0, ""));
    channel.writeInbound(registered);
  }

  private static ByteBuf sent(List<byte[]> events) {
    ByteBuf all = Unpooled.buffer();
    for (byte[] event : events) {
      // it wants an acknowledgement of each, and counts anew
      all.writeMediumLE(event.length + 3).writeByte(1);
      all.writeByte(0).writeByte(0xef).writeByte(1).writeBytes(event);
    }
    return all;
  }
}
