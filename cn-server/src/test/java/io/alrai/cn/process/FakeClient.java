package io.alrai.cn.process;

import io.alrai.cn.command.ClientConnection;
import io.alrai.cn.command.SessionOpening;
import io.alrai.cn.compress.Compression;
import io.alrai.cn.protocol.ClientCapabilities;
import io.alrai.cn.service.CnServices;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyFramer;
import io.alrai.common.wire.ReplyKind;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.Grants;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A client of a {@link FakeCn} that has logged in to schema {@code shop}, as user {@code u}. */
public final class FakeClient {
  private static final int UTF8MB4 = 255;

  /** What was sent to the client and not looked at yet. */
  private final ByteBuf received = Unpooled.buffer();

  private final StepLoop loop;
  public final EmbeddedChannel channel;
  public final ClientConnection connection;
  private final Optional<SessionRegistry.Entry> entry;

  /** How many buffers the channel was given. */
  public int writes;

  FakeClient(
      CnServices services, StepLoop loop, ByteBufAllocator buffers, int connectionId, int flags) {
    this.loop = loop;
    this.channel =
        new EmbeddedChannel() {
          @Override
          public EventLoop eventLoop() {
            return loop;
          }
        };
    channel.config().setAllocator(buffers);
    this.connection = new ClientConnection(services, channel);
    channel.pipeline().addLast(new Login(services, connectionId, flags));
    this.entry = services.clients().sessions().find(connectionId);
    loop.settle();
  }

  /** The handler that logs it in. */
  private final class Login extends ChannelInboundHandlerAdapter {
    private final CnServices services;
    private final int connectionId;
    private final int flags;

    Login(CnServices services, int connectionId, int flags) {
      this.services = services;
      this.connectionId = connectionId;
      this.flags = flags;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      Access all = Access.of(Account.of("u", "%", Credential.NONE, false, Grants.ALL), 0);
      new SessionOpening(services, connection, connectionId)
          .accept(
              ctx,
              new ClientIdentity("u", "h", all, false),
              new ClientCapabilities(flags),
              Compression.NONE,
              UTF8MB4,
              "shop");
    }
  }

  /** Sends a statement, and lets the CN do what it can do now. */
  public void query(String sql) {
    send(command(Command.QUERY, sql));
  }

  /** The bytes of a command. */
  public ByteBuf command(int code, String text) {
    ByteBuf packet = channel.alloc().buffer();
    Packets.writeCommand(packet, code, text.getBytes(StandardCharsets.UTF_8));
    return packet;
  }

  /** Sends bytes, and lets the CN do what it can do now. */
  public void send(ByteBuf bytes) {
    loop.enter();
    channel.writeInbound(bytes);
    loop.settle();
  }

  /** The client's end takes nothing any more, or does again. */
  public void writable(boolean now) {
    loop.enter();
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, now);
    loop.settle();
  }

  /** The connection ends without a word. */
  public void vanish() {
    loop.enter();
    channel.close();
    loop.settle();
  }

  private void take() {
    loop.settle();
    ByteBuf sent;
    while ((sent = channel.readOutbound()) != null) {
      writes++;
      received.writeBytes(sent);
      sent.release();
    }
  }

  /** All bytes since the last look. */
  public byte[] bytes() {
    take();
    byte[] bytes = new byte[received.readableBytes()];
    received.readBytes(bytes);
    return bytes;
  }

  /** Waits for the end of the command at work, and gives its packets as {@link #packets} does. */
  public List<String> answer() {
    loop.await(() -> whole() && !entry.map(SessionRegistry.Entry::atWork).orElse(false));
    return packets();
  }

  private boolean whole() {
    take();
    ReplyFramer framer = new ReplyFramer();
    framer.begin(ReplyKind.RESULTS);
    int at = received.readerIndex();
    while (at + Packets.HEADER <= received.writerIndex()) {
      int length = received.getUnsignedMediumLE(at);
      if (at + Packets.HEADER + length > received.writerIndex()) {
        return false;
      }
      framer.accept(received, at + Packets.HEADER, length);
      if (framer.done()) {
        return true;
      }
      at += Packets.HEADER + length;
    }
    return false;
  }

  /**
   * The packets of the next reply that have arrived: {@code 2 columns}, {@code shop.t.c0}, {@code
   * row a|b}, {@code end}, {@code ok 1}, {@code err 1064 ..}. Their numbers are checked.
   */
  public List<String> packets() {
    take();
    List<String> packets = new ArrayList<>();
    ReplyFramer framer = new ReplyFramer();
    framer.begin(ReplyKind.RESULTS);
    int sequence = 1;
    while (received.readableBytes() >= Packets.HEADER && !framer.done()) {
      int length = received.readUnsignedMediumLE();
      int number = received.readUnsignedByte();
      if (number != (sequence & 0xff)) {
        throw new AssertionError("packet " + number + " where " + sequence + " is due");
      }
      sequence++;
      PacketKind kind = framer.accept(received, received.readerIndex(), length);
      packets.add(text(kind, received.readSlice(length)));
    }
    return packets;
  }

  private static String text(PacketKind kind, ByteBuf payload) {
    return switch (kind) {
      case COLUMN_COUNT -> Lenenc.value(payload, 0) + " columns";
      case COLUMN, LAST_COLUMN -> column(payload);
      case ROW -> row(payload);
      case RESULT_END ->
          "end" + warnings(OkPacket.parse(payload, payload.readerIndex(), payload.readableBytes()));
      case OK -> {
        OkPacket ok = OkPacket.parse(payload, payload.readerIndex(), payload.readableBytes());
        yield "ok " + ok.affectedRows() + warnings(ok);
      }
      case ERR -> {
        ErrPacket err = ErrPacket.parse(payload, payload.readerIndex(), payload.readableBytes());
        yield "err " + err.errno() + " " + err.message();
      }
      default -> kind.name();
    };
  }

  private static String warnings(OkPacket ok) {
    return ok.warnings() == 0 ? "" : ", " + ok.warnings() + " warnings";
  }

  private static String column(ByteBuf payload) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      parts.add(new String(Lenenc.readBytes(payload), StandardCharsets.UTF_8));
    }
    return parts.get(1) + "." + parts.get(2) + "." + parts.get(4);
  }

  private static String row(ByteBuf payload) {
    List<String> values = new ArrayList<>();
    while (payload.isReadable()) {
      values.add(new String(Lenenc.readBytes(payload), StandardCharsets.UTF_8));
    }
    return "row " + String.join("|", values);
  }
}
