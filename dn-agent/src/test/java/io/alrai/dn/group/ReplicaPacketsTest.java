package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReplicaPacketsTest {
  private static final UUID A = UUID.fromString("3e11fa47-71ca-11e1-9e33-c80aa9429562");
  private static final UUID B = UUID.fromString("f3b0c442-98fc-1c14-9afb-f4c8996fb924");
  private static final int MAX = 0xffffff;
  private static final int ROTATE = 4;

  private final ReplicaPackets packets = new ReplicaPackets();
  private final ByteBuf out = Unpooled.buffer();

  private void send(BinlogTransaction transaction, int pieceLength) {
    packets.begin(transaction.gtid());
    ByteBuf all = transaction.events().orElseThrow().view();
    while (all.isReadable()) {
      int length = Math.min(pieceLength, all.readableBytes());
      packets.piece(ByteBuffer.wrap(ByteBufUtil.getBytes(all.readSlice(length))), out);
    }
    packets.end();
  }

  /** The events that a replica reads, and checks that packets are numbered. */
  private List<ByteBuf> received() {
    List<ByteBuf> events = new ArrayList<>();
    int sequence = 1;
    ByteBuf event = Unpooled.buffer();
    while (out.isReadable()) {
      int length = out.readUnsignedMediumLE();
      assertEquals(sequence++ & 0xff, out.readUnsignedByte());
      event.writeBytes(out, length);
      if (length < MAX) {
        assertEquals(0, event.readByte());
        events.add(event);
        event = Unpooled.buffer();
      }
    }
    assertFalse(event.isReadable());
    return events;
  }

  private static int type(ByteBuf event) {
    return event.getByte(event.readerIndex() + 4);
  }

  private static String file(ByteBuf rotation) {
    return rotation.toString(
        rotation.readerIndex() + 27, rotation.readableBytes() - 31, StandardCharsets.US_ASCII);
  }

  /** Also where a packet is exactly full, and an empty one follows. */
  @Test
  void longEventsTakeSeveralPackets() {
    int[] lengths = {MAX - 2, MAX - 1, MAX, 2 * MAX - 1, 23};
    BinlogTransaction transaction = MadeTransactions.of(A, 1, 1, lengths);
    packets.rotation(out);
    send(transaction, 1 << 20);
    List<ByteBuf> events = received();
    assertEquals(MadeTransactions.events(transaction), events.subList(1, events.size()));
  }

  @Test
  void piecesEndAnywhere() {
    BinlogTransaction transaction = MadeTransactions.of(A, 1, 1, 23, 30, 500, 24);
    for (int length = 1; length < 100; length++) {
      ReplicaPacketsTest one = new ReplicaPacketsTest();
      one.packets.rotation(one.out);
      one.send(transaction, length);
      List<ByteBuf> events = one.received();
      assertEquals(MadeTransactions.events(transaction), events.subList(1, events.size()));
    }
  }

  @Test
  void whereNumbersDoNotGoOnThereIsARotation() {
    packets.rotation(out);
    send(MadeTransactions.of(A, 1, 7, 30), 50);
    send(MadeTransactions.of(A, 2, 8, 30), 50);
    send(MadeTransactions.of(B, 1, 9, 30), 50); // by chance
    send(MadeTransactions.of(B, 2, 10, 30), 50);
    send(MadeTransactions.of(B, 4, 12, 30), 50); // one that the replica has
    send(MadeTransactions.of(B, 5, 1, 30), 50); // another file, or another life
    List<Integer> types = received().stream().map(ReplicaPacketsTest::type).toList();
    assertEquals(List.of(4, 33, 30, 33, 30, 4, 33, 30, 33, 30, 4, 33, 30, 4, 33, 30), types);
  }

  @Test
  void heartbeatsNameTheFileAndWhereTheReplicaIs() {
    packets.rotation(out);
    BinlogTransaction transaction = MadeTransactions.of(A, 1, 7, 30, 300);
    send(transaction, 1_000);
    packets.heartbeat(out);
    packets.heartbeat(out);
    send(MadeTransactions.of(B, 1, 7, 400), 1_000);
    packets.heartbeat(out);
    List<ByteBuf> events = received();
    assertEquals("group.000001", file(events.get(0)));
    assertEquals(events.get(4), events.get(5));
    assertEquals("group.000001", named(events.get(4)));
    assertEquals(4 + transaction.length(), place(events.get(4)));
    assertEquals(ROTATE, type(events.get(6)));
    assertEquals("group.000002", file(events.get(6)));
    assertEquals("group.000002", named(events.get(9)));
    assertEquals(
        4 + events.get(7).readableBytes() + events.get(8).readableBytes(), place(events.get(9)));
  }

  private static String named(ByteBuf heartbeat) {
    assertEquals(41, type(heartbeat));
    assertEquals(1, heartbeat.getByte(heartbeat.readerIndex() + 19));
    int length = heartbeat.getByte(heartbeat.readerIndex() + 20);
    return heartbeat.toString(heartbeat.readerIndex() + 21, length, StandardCharsets.US_ASCII);
  }

  private static long place(ByteBuf heartbeat) {
    int at = heartbeat.readerIndex() + 21 + named(heartbeat).length();
    assertEquals(2, heartbeat.getByte(at));
    assertEquals(3, heartbeat.getByte(at + 1));
    assertEquals(0xfc, heartbeat.getUnsignedByte(at + 2));
    return heartbeat.getUnsignedShortLE(at + 3);
  }

  @Test
  void whatAreNoEventsIsNotSent() {
    BinlogTransaction transaction = MadeTransactions.of(A, 1, 7, 30);
    ByteBuf all = transaction.events().orElseThrow().view();
    packets.rotation(out);
    packets.begin(transaction.gtid());
    assertThrows(BinlogException.class, packets::end);
    packets.piece(all.nioBuffer(0, all.readableBytes() - 1), out);
    assertThrows(BinlogException.class, packets::end);
    ReplicaPackets others = new ReplicaPackets();
    others.begin(transaction.gtid());
    assertThrows(
        BinlogException.class, () -> others.piece(ByteBuffer.allocate(40), Unpooled.buffer()));
    ReplicaPackets noGtid = new ReplicaPackets();
    noGtid.begin(transaction.gtid());
    ByteBuf rows = MadeTransactions.events(transaction).get(1);
    assertThrows(BinlogException.class, () -> noGtid.piece(rows.nioBuffer(), Unpooled.buffer()));
  }
}
