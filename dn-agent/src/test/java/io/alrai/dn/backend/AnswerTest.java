package io.alrai.dn.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Replies to the agent's own statements. */
final class AnswerTest {
  /** The bytes of a packet's header. */
  private static final byte[] HEADER = new byte[Packets.HEADER];

  private final CompletableFuture<Answer> done = new CompletableFuture<>();
  private final ReplySink sink = Answer.sink(done);

  private void packet(PacketKind kind, ByteBuf payload) {
    ByteBuf packet = Unpooled.wrappedBuffer(Unpooled.wrappedBuffer(HEADER), payload);
    sink.packet(kind, packet, 0, packet.readableBytes());
  }

  /** A value of that many bytes, after its length. */
  private static ByteBuf value(int length) {
    ByteBuf out = Unpooled.buffer().writeByte(0xfe).writeLongLE(length);
    return out.writeZero(length);
  }

  /** The second row begins in a packet of its own, and a full packet has an empty one after it. */
  @Test
  void rowsOfSeveralPacketsAreJoined() {
    packet(PacketKind.COLUMN_COUNT, Unpooled.wrappedBuffer(new byte[] {1}));
    int rest = 100;
    ByteBuf longer = value(Packets.MAX_PAYLOAD + rest - 9);
    packet(PacketKind.ROW, longer.readSlice(Packets.MAX_PAYLOAD));
    packet(PacketKind.ROW, longer);
    packet(PacketKind.ROW, value(3));
    packet(PacketKind.ROW, value(Packets.MAX_PAYLOAD - 9));
    packet(PacketKind.ROW, Unpooled.EMPTY_BUFFER);
    packet(PacketKind.ROW, value(4));
    assertFalse(done.isDone());
    sink.end(0);
    assertEquals(
        List.of(Packets.MAX_PAYLOAD + rest - 9, 3, Packets.MAX_PAYLOAD - 9, 4),
        done.join().rows().stream().map(row -> row.getFirst().length()).toList());
  }
}
