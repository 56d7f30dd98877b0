package io.alrai.dn.backend;

import io.alrai.common.error.ErrorCode;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a fake mysqld answers to one command: packets, how their bytes are cut into pieces, and
 * whether the connection breaks after the last.
 */
public final class FakeReply {
  private static final int UTF8MB4 = 255;
  private static final int LONGEST = 1024;

  private final ByteBuf packets = Unpooled.buffer();
  private int sequence = 1;
  private int pieceBytes = Integer.MAX_VALUE;
  private boolean breaks;
  private MysqlType type = MysqlType.VARCHAR;

  private FakeReply() {}

  /** One without packets yet. */
  public static FakeReply empty() {
    return new FakeReply();
  }

  /** An OK outside of any transaction. */
  public static FakeReply ok() {
    return empty().ok(0, ServerStatus.AUTOCOMMIT);
  }

  /** Rows of one schema's table {@code t}, whose columns are texts, to the end of the result. */
  public static FakeReply rows(String schema, int columns, String... values) {
    FakeReply reply = empty().columns(schema, columns);
    for (int i = 0; i < values.length; i += columns) {
      String[] row = new String[columns];
      System.arraycopy(values, i, row, 0, columns);
      reply.row(row);
    }
    return reply.end(0, ServerStatus.AUTOCOMMIT);
  }

  /** What a mysqld says that closes a connection whose commands it has not read. */
  public static FakeReply leaves(ErrorCode code, String message) {
    FakeReply reply = empty();
    reply.sequence = 0;
    return reply.fails(code, message);
  }

  /** An error. */
  public static FakeReply error(ErrorCode code, String message) {
    return empty().fails(code, message);
  }

  private int number() {
    return sequence++ & 0xff;
  }

  /** Adds an OK. */
  public FakeReply ok(int affected, int status) {
    return ok(new OkPacket(affected, 0, status, 0, ""));
  }

  /** Adds an OK. */
  public FakeReply ok(OkPacket ok) {
    Packets.writeOk(packets, number(), ok);
    return this;
  }

  /** Adds the head of a result whose columns are {@code c0, c1 ...} of a table {@code t}. */
  public FakeReply columns(String schema, int count) {
    int header = Packets.begin(packets, number());
    Lenenc.write(packets, count);
    Packets.end(packets, header);
    for (int i = 0; i < count; i++) {
      int start = Packets.begin(packets, number());
      new ColumnDefinition(schema, "t", "t", "c" + i, "c" + i, UTF8MB4, LONGEST, type, 0, 0)
          .write(packets);
      Packets.end(packets, start);
    }
    return this;
  }

  /** Makes columns that are added from now on integers. */
  public FakeReply numbers() {
    type = MysqlType.BIGINT;
    return this;
  }

  /** Adds a row of texts. */
  public FakeReply row(String... values) {
    int header = Packets.begin(packets, number());
    for (String value : values) {
      Lenenc.writeBytes(packets, value.getBytes(StandardCharsets.UTF_8));
    }
    Packets.end(packets, header);
    return this;
  }

  /** Adds the end of a result. */
  public FakeReply end(int warnings, int status) {
    Packets.writeResultEnd(packets, number(), warnings, status);
    return this;
  }

  /** Adds an error, which ends the reply. */
  public FakeReply fails(ErrorCode code, String message) {
    return fails(code.errno(), code.sqlState(), message);
  }

  /** Adds an error, which ends the reply. */
  public FakeReply fails(int errno, String sqlState, String message) {
    Packets.writeErr(packets, number(), errno, sqlState, message);
    return this;
  }

  /** Lets it arrive in pieces of so many bytes. */
  public FakeReply inPieces(int bytes) {
    pieceBytes = bytes;
    return this;
  }

  /** The last bytes do not come: the connection breaks there. */
  public FakeReply breaksBefore(int bytes) {
    packets.writerIndex(packets.writerIndex() - bytes);
    breaks = true;
    return this;
  }

  /** All bytes of it. */
  public byte[] bytes() {
    byte[] bytes = new byte[packets.readableBytes()];
    packets.getBytes(packets.readerIndex(), bytes);
    return bytes;
  }

  /** How many these are. */
  public int length() {
    return packets.readableBytes();
  }

  boolean breaks() {
    return breaks;
  }

  /** The next bytes that arrive; null after the last. */
  @Nullable ByteBuf next() {
    int bytes = Math.min(pieceBytes, packets.readableBytes());
    return bytes == 0 ? null : Unpooled.buffer(bytes).writeBytes(packets, bytes);
  }
}
