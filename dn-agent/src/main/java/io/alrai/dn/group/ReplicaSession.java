package io.alrai.dn.group;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.Scramble;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.GtidSet;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a replica until it asks for the log: docs/design/0070 has what replicas say.
 * Event loop only.
 *
 * <pre>
 * greeting -> PROOF -> COMMANDS (queries, REGISTER_REPLICA) -> BINLOG_DUMP_GTID -> {@link ReplicaStream}
 *               | wrong: 1045       | unknown: an error
 * </pre>
 */
final class ReplicaSession extends ByteToMessageDecoder {
  private static final Logger log = LoggerFactory.getLogger(ReplicaSession.class);

  /** Neither TLS nor query attributes: queries come as plain texts. */
  private static final int CAPABILITIES =
      Capability.LONG_PASSWORD
          | Capability.LONG_FLAG
          | Capability.PROTOCOL_41
          | Capability.TRANSACTIONS
          | Capability.SECURE_CONNECTION
          | Capability.PLUGIN_AUTH
          | Capability.PLUGIN_AUTH_LENENC
          | Capability.DEPRECATE_EOF;

  /** utf8mb4_0900_ai_ci. */
  private static final int COLLATION = 255;

  private static final String VERSION = "9.7.4-alrai";
  private static final int NONCE_LENGTH = 20;
  private static final int FIRST_NONCE_LENGTH = 8;

  /** Capabilities 4, longest packet 4, collation 1, zeros. */
  private static final int BEFORE_USER = 32;

  private static final int MOST_MILLIS = 10_000;
  private static final int MOST_BYTES = 16 << 20;
  private static final int MOST_LOGIN_BYTES = 64 << 10;
  private static final int ACCESS_DENIED = 1045;
  private static final int UNKNOWN_COMMAND = 1047;
  private static final int UNKNOWN_VARIABLE = 1193;
  private static final int MALFORMED = 1835;
  private static final Pattern HEARTBEAT = Pattern.compile("@source_heartbeat_period *= *(\\d+)");
  private static final long LEAST_HEARTBEAT_MILLIS = 10;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ReplicaFeeder feeder;
  private final byte[] nonce = nonce();
  private @Nullable ScheduledFuture<?> bound;
  private boolean loggedIn;
  private boolean finished;
  private long heartbeatMillis = 500;

  ReplicaSession(ReplicaFeeder feeder) {
    this.feeder = feeder;
  }

  /** As mysqlds make them: no zero, which would end it, and no dollar. */
  private static byte[] nonce() {
    byte[] nonce = new byte[NONCE_LENGTH];
    for (int i = 0; i < nonce.length; i++) {
      int random = 1 + RANDOM.nextInt(126);
      nonce[i] = (byte) (random < '$' ? random : random + 1);
    }
    return nonce;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    bound = ctx.executor().schedule(() -> ctx.close(), MOST_MILLIS, TimeUnit.MILLISECONDS);
    reply(
        ctx,
        out -> {
          int header = Packets.begin(out, 0);
          out.writeByte(10);
          text(out, VERSION);
          out.writeIntLE(1).writeBytes(nonce, 0, FIRST_NONCE_LENGTH).writeByte(0);
          out.writeShortLE(CAPABILITIES).writeByte(COLLATION).writeShortLE(ServerStatus.AUTOCOMMIT);
          out.writeShortLE(CAPABILITIES >>> 16).writeByte(NONCE_LENGTH + 1).writeZero(10);
          out.writeBytes(nonce, FIRST_NONCE_LENGTH, NONCE_LENGTH - FIRST_NONCE_LENGTH);
          out.writeByte(0);
          text(out, Scramble.SHA2);
          Packets.end(out, header);
        });
    ctx.fireChannelActive();
  }

  private static void text(ByteBuf out, String text) {
    out.writeCharSequence(text, StandardCharsets.US_ASCII);
    out.writeByte(0);
  }

  private static void reply(ChannelHandlerContext ctx, Consumer<ByteBuf> packets) {
    ByteBuf out = ctx.alloc().buffer(256);
    packets.accept(out);
    ctx.writeAndFlush(out, ctx.voidPromise());
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (finished) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (in.readableBytes() < Packets.HEADER) {
      return;
    }
    int length = in.getUnsignedMediumLE(in.readerIndex());
    if (length > (loggedIn ? MOST_BYTES : MOST_LOGIN_BYTES) || length == 0) {
      refuse(ctx, 0, MALFORMED, "08S01", "Malformed communication packet");
      return;
    }
    if (in.readableBytes() < Packets.HEADER + length) {
      return;
    }
    int sequence = in.getUnsignedByte(in.readerIndex() + Packets.HEADER - 1) + 1;
    ByteBuf payload = in.skipBytes(Packets.HEADER).readSlice(length);
    try {
      if (loggedIn) {
        command(ctx, payload, sequence);
      } else {
        proof(ctx, payload, sequence);
      }
    } catch (IndexOutOfBoundsException | BinlogException e) {
      refuse(ctx, sequence, MALFORMED, "08S01", "Malformed communication packet");
    }
  }

  private void proof(ChannelHandlerContext ctx, ByteBuf in, int sequence) {
    in.skipBytes(BEFORE_USER);
    int length = in.bytesBefore((byte) 0);
    String user = in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    byte[] proof = Lenenc.readBytes(in.skipBytes(1));
    if (!user.equals(ReplicaFeeder.USER)
        || !Scramble.matches(Scramble.SHA2, feeder.digest(), nonce, proof)) {
      log.warn("{}: {} asks for the log without its password", feeder.group(), ctx.channel());
      refuse(ctx, sequence, ACCESS_DENIED, "28000", "Access denied for user '" + user + "'");
      return;
    }
    loggedIn = true;
    reply(
        ctx,
        out -> {
          out.writeMediumLE(2).writeByte(sequence).writeByte(1).writeByte(3); // the proof is right
          ok(out, sequence + 1);
        });
  }

  private static void ok(ByteBuf out, int sequence) {
    Packets.writeOk(out, sequence, new OkPacket(0, 0, ServerStatus.AUTOCOMMIT, 0, ""));
  }

  private void refuse(
      ChannelHandlerContext ctx, int sequence, int errno, String state, String message) {
    finished = true;
    ByteBuf out = ctx.alloc().buffer(256);
    Packets.writeErr(out, sequence, errno, state, message);
    ctx.writeAndFlush(out).addListener(done -> ctx.close());
  }

  private void command(ChannelHandlerContext ctx, ByteBuf in, int sequence) {
    int command = in.readUnsignedByte();
    switch (command) {
      case Command.QUERY -> query(ctx, in.toString(StandardCharsets.UTF_8), sequence);
      case Command.PING, Command.REGISTER_REPLICA -> reply(ctx, out -> ok(out, sequence));
      case Command.BINLOG_DUMP_GTID -> stream(ctx, in);
      case Command.QUIT -> ctx.close();
      default -> {
        log.warn("{}: a replica sends the command {}", feeder.group(), command);
        refuse(ctx, sequence, UNKNOWN_COMMAND, "08S01", "Unknown command");
      }
    }
  }

  private void query(ChannelHandlerContext ctx, String query, int sequence) {
    if (query.startsWith("SET ")) {
      Matcher period = HEARTBEAT.matcher(query);
      if (period.find()) {
        long millis = TimeUnit.NANOSECONDS.toMillis(Long.parseLong(period.group(1)));
        heartbeatMillis = Math.max(LEAST_HEARTBEAT_MILLIS, millis);
      }
      reply(ctx, out -> ok(out, sequence));
      return;
    }
    Optional<String> value =
        switch (query) {
          case "SELECT UNIX_TIMESTAMP()" -> Optional.of(Long.toString(feeder.unixSeconds()));
          case "SELECT @@GLOBAL.SERVER_ID" ->
              Optional.of(Integer.toUnsignedString(ReplicaFeeder.SERVER_ID));
          case "SELECT @source_binlog_checksum" -> Optional.of("CRC32");
          case "SELECT @@GLOBAL.GTID_MODE" -> Optional.of("ON");
          case "SELECT @@GLOBAL.SERVER_UUID" -> Optional.of(feeder.uuid().toString());
          default -> Optional.empty();
        };
    if (value.isEmpty()) {
      log.warn("{}: a replica asks: {}", feeder.group(), query);
    }
    reply(
        ctx,
        out ->
            value.ifPresentOrElse(
                text -> row(out, sequence, query, text),
                () ->
                    Packets.writeErr(
                        out, sequence, UNKNOWN_VARIABLE, "HY000", "Unknown system variable")));
  }

  private static void row(ByteBuf out, int sequence, String name, String value) {
    out.writeMediumLE(1).writeByte(sequence).writeByte(1);
    int column = Packets.begin(out, sequence + 1);
    ColumnDefinition.expression(name, MysqlType.VARCHAR, COLLATION, 1024, 0, 31).write(out);
    Packets.end(out, column);
    int row = Packets.begin(out, sequence + 2);
    Lenenc.writeBytes(out, value.getBytes(StandardCharsets.US_ASCII));
    Packets.end(out, row);
    Packets.writeResultEnd(out, sequence + 3, 0, ServerStatus.AUTOCOMMIT);
  }

  /** flags 2 | server id 4 | name length 4 | name | place 8 | length 4 | GTID set. */
  private void stream(ChannelHandlerContext ctx, ByteBuf in) {
    in.skipBytes(2 + 4);
    in.skipBytes(in.readIntLE()).skipBytes(8 + 4);
    GtidSet known = GtidSet.decode(in);
    finished = true;
    unbound();
    ReplicaStream stream = new ReplicaStream(feeder, ctx.channel(), known, heartbeatMillis);
    log.info("{}: the mysqld is fed from {} on", feeder.group(), known);
    feeder.began(ctx.channel());
    ctx.pipeline().replace(this, "stream", stream);
    stream.start();
  }

  private void unbound() {
    ScheduledFuture<?> watching = bound;
    if (watching != null) {
      watching.cancel(false);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    unbound();
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    log.debug("{}: a connection breaks", feeder.group(), cause);
    ctx.close();
  }
}
