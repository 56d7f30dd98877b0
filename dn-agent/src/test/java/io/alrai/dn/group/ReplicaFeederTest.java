package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.wire.Capability;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.Scramble;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica of sockets at a feeder. */
class ReplicaFeederTest {
  private static final UUID A = UUID.fromString("3e11fa47-71ca-11e1-9e33-c80aa9429562");
  private static final int QUERY_COLUMNS = 1;

  private final MemoryGroup group = new MemoryGroup(1);
  private EventLoopGroup loops;
  private ReplicaFeeder feeder;

  @BeforeEach
  void start() {
    loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    feeder = new ReplicaFeeder("dn-1", group, loops.next(), () -> 7_000);
    feeder.start();
  }

  @AfterEach
  void stop() {
    feeder.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private static final class Replica implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private int sequence;

    Replica(int port) throws IOException {
      socket = new Socket("127.0.0.1", port);
      socket.setSoTimeout((int) Eventually.PATIENCE.toMillis());
      in = new DataInputStream(socket.getInputStream());
    }

    ByteBuf read() throws IOException {
      int length = in.readUnsignedByte() | in.readUnsignedByte() << 8;
      length |= in.readUnsignedByte() << 16;
      assertEquals(sequence++ & 0xff, in.readUnsignedByte());
      byte[] payload = new byte[length];
      in.readFully(payload);
      return Unpooled.wrappedBuffer(payload);
    }

    void write(ByteBuf payload) throws IOException {
      ByteBuf out = Unpooled.buffer();
      out.writeMediumLE(payload.readableBytes()).writeByte(sequence++).writeBytes(payload);
      socket.getOutputStream().write(out.array(), 0, out.readableBytes());
    }

    ByteBuf login(String user, String password) throws IOException {
      ByteBuf greeting = read();
      greeting.skipBytes(1);
      greeting.skipBytes(greeting.bytesBefore((byte) 0) + 1 + 4);
      ByteBuf nonce = Unpooled.buffer();
      nonce.writeBytes(greeting, 8);
      assertEquals(0, greeting.getUnsignedShortLE(greeting.readerIndex() + 1) & Capability.SSL);
      greeting.skipBytes(1 + 2 + 1 + 2 + 2 + 1 + 10);
      nonce.writeBytes(greeting, 12);
      byte[] bytes = new byte[20];
      nonce.readBytes(bytes);
      ByteBuf out = Unpooled.buffer();
      out.writeIntLE(Capability.PROTOCOL_41).writeIntLE(1 << 30).writeByte(255).writeZero(23);
      out.writeBytes(user.getBytes(StandardCharsets.UTF_8)).writeByte(0);
      Lenenc.writeBytes(
          out, Scramble.proof(Scramble.SHA2, password.getBytes(StandardCharsets.UTF_8), bytes));
      out.writeBytes("caching_sha2_password\0".getBytes(StandardCharsets.US_ASCII));
      write(out);
      return read();
    }

    void command(int command, ByteBuf argument) throws IOException {
      sequence = 0;
      write(Unpooled.wrappedBuffer(Unpooled.buffer().writeByte(command), argument));
    }

    String ask(String query) throws IOException {
      command(Command.QUERY, Unpooled.wrappedBuffer(query.getBytes(StandardCharsets.UTF_8)));
      ByteBuf reply = read();
      if (reply.getByte(0) == 0) {
        return "OK";
      }
      if (reply.getUnsignedByte(0) == 0xff) {
        return "error " + ErrPacket.parse(reply, 0, reply.readableBytes()).errno();
      }
      assertEquals(QUERY_COLUMNS, reply.getByte(0));
      read();
      String value = new String(Lenenc.readBytes(read()), StandardCharsets.UTF_8);
      assertEquals(0xfe, read().getUnsignedByte(0));
      return value;
    }

    void dump(GtidSet known) throws IOException {
      ByteBuf set = Unpooled.buffer();
      known.encode(set);
      ByteBuf out = Unpooled.buffer();
      out.writeShortLE(2).writeIntLE(5).writeIntLE(0).writeLongLE(4);
      out.writeIntLE(set.readableBytes()).writeBytes(set);
      command(Command.BINLOG_DUMP_GTID, out);
    }

    ByteBuf event() throws IOException {
      ByteBuf packet = read();
      assertEquals(0, packet.readByte());
      return packet;
    }

    boolean ended() {
      try {
        while (true) {
          event();
        }
      } catch (EOFException | SocketException closed) {
        return true;
      } catch (IOException e) {
        return false;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private Replica loggedIn() throws IOException {
    Replica replica = new Replica(feeder.port());
    ByteBuf proof = replica.login(ReplicaFeeder.USER, feeder.password());
    assertEquals(1, proof.getByte(0));
    assertEquals(3, proof.getByte(1));
    assertEquals(0, replica.read().getByte(0));
    return replica;
  }

  private static int type(ByteBuf event) {
    return event.getByte(event.readerIndex() + 4);
  }

  @Test
  void whoHasNotThePasswordGetsNothing() throws Exception {
    List<String[]> wrong =
        List.of(
            new String[] {ReplicaFeeder.USER, feeder.password() + "x"},
            new String[] {ReplicaFeeder.USER, ""},
            new String[] {"root", feeder.password()});
    for (String[] one : wrong) {
      try (Replica stranger = new Replica(feeder.port())) {
        ByteBuf reply = stranger.login(one[0], one[1]);
        assertEquals(1045, ErrPacket.parse(reply, 0, reply.readableBytes()).errno());
        assertThrows(IOException.class, stranger::read);
      }
    }
    // nor who asks before the proof, or says nothing that can be read
    for (int length : new int[] {1, 40}) {
      try (Replica stranger = new Replica(feeder.port())) {
        stranger.read();
        stranger.write(Unpooled.buffer().writeByte(Command.BINLOG_DUMP_GTID).writeZero(length));
        ByteBuf reply = stranger.read();
        assertEquals(0xff, reply.getUnsignedByte(0));
        assertThrows(IOException.class, stranger::read);
      }
    }
    ReplicaFeeder other = new ReplicaFeeder("dn-1", group, loops.next(), () -> 7_000);
    assertTrue(!other.password().equals(feeder.password()));
    assertEquals(other.uuid(), feeder.uuid());
  }

  @Test
  void whatReplicasAskIsAnswered() throws Exception {
    try (Replica replica = loggedIn()) {
      assertEquals("OK", replica.ask("SET NAMES utf8mb4"));
      assertEquals("7", replica.ask("SELECT UNIX_TIMESTAMP()"));
      assertEquals("4294967294", replica.ask("SELECT @@GLOBAL.SERVER_ID"));
      assertEquals("CRC32", replica.ask("SELECT @source_binlog_checksum"));
      assertEquals("ON", replica.ask("SELECT @@GLOBAL.GTID_MODE"));
      assertEquals(feeder.uuid().toString(), replica.ask("SELECT @@GLOBAL.SERVER_UUID"));
      assertEquals("error 1193", replica.ask("SELECT @@GLOBAL.NEW_VARIABLE"));
      replica.command(Command.REGISTER_REPLICA, Unpooled.buffer().writeZero(18));
      assertEquals(0, replica.read().getByte(0));
      replica.command(0x1f, Unpooled.EMPTY_BUFFER);
      assertEquals(0xff, replica.read().getUnsignedByte(0));
    }
  }

  @Test
  void theLogComesFromWhereTheReplicaIs() throws Exception {
    BinlogTransaction first = MadeTransactions.of(A, 1, 1, 30);
    BinlogTransaction second = MadeTransactions.of(A, 2, 2, 300, 5_000);
    BinlogTransaction third = MadeTransactions.of(A, 3, 3, 40);
    group.commit(List.of(first, second));
    try (Replica replica = loggedIn()) {
      assertEquals("OK", replica.ask("SET @source_heartbeat_period = 20000000"));
      replica.dump(GtidSet.parse(A + ":1"));
      assertEquals(4, type(replica.event()));
      for (ByteBuf event : MadeTransactions.events(second)) {
        assertEquals(event, replica.event());
      }
      assertEquals(41, type(replica.event()));
      assertEquals(41, type(replica.event()));
      assertEquals(second.gtid(), feeder.lastSent().orElseThrow());
      group.commit(List.of(third));
      ByteBuf event = replica.event();
      while (type(event) == 41) {
        event = replica.event();
      }
      assertEquals(MadeTransactions.events(third).getFirst(), event);
    }
  }

  @Test
  void aNewConnectionEndsTheOldOneAndAStrangersDoesNot() throws Exception {
    try (Replica first = loggedIn()) {
      assertEquals("OK", first.ask("SET @source_heartbeat_period = 20000000"));
      first.dump(new GtidSet());
      assertEquals(4, type(first.event()));
      try (Replica stranger = new Replica(feeder.port());
          Replica idle = loggedIn()) {
        stranger.login("root", "");
        idle.ask("SELECT @@GLOBAL.GTID_MODE");
        assertEquals(41, type(first.event()));
        idle.dump(new GtidSet());
        assertEquals(4, type(idle.event()));
        assertTrue(first.ended());
      }
    }
  }

  @Test
  void whoDoesNotReadIsNotReadFor() throws Exception {
    List<BinlogTransaction> many = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      many.add(MadeTransactions.of(A, i, i, 500_000));
    }
    group.commit(many);
    try (Replica replica = loggedIn()) {
      replica.dump(new GtidSet());
      Eventually.await("a full socket", () -> feeder.sentBytes() > 2 << 20);
      AtomicLong before = new AtomicLong();
      AtomicInteger looks = new AtomicInteger();
      Eventually.await(
          "rest",
          () -> {
            long now = feeder.sentBytes();
            return (before.getAndSet(now) == now ? looks.incrementAndGet() : looks.getAndSet(0))
                > 40;
          });
      assertTrue(before.get() < 20 << 20, "sent " + before);
      assertEquals(4, type(replica.event()));
      for (BinlogTransaction one : many) {
        for (ByteBuf event : MadeTransactions.events(one)) {
          assertEquals(event, replica.event());
        }
      }
    }
  }

  @Test
  void aFeederThatIsClosedFeedsNobody() throws Exception {
    try (Replica replica = loggedIn()) {
      replica.dump(new GtidSet());
      assertEquals(4, type(replica.event()));
      int port = feeder.port();
      feeder.close();
      assertTrue(replica.ended());
      assertThrows(IOException.class, () -> new Replica(port));
    }
  }
}
