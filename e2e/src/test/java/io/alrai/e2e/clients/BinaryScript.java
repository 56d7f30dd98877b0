package io.alrai.e2e.clients;

import io.alrai.common.wire.Command;
import io.alrai.common.wire.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands of one session, byte by byte, which are sent all at once; servers number prepared
 * statements from 1 on.
 */
final class BinaryScript {
  static final int CURSOR = 1;
  private static final int END = 0xfe;

  /** A SELECT over several places does not tell whether it used some. */
  private static final int ABOUT_INDEXES =
      ServerStatus.NO_INDEX_USED | ServerStatus.NO_GOOD_INDEX_USED;

  private final String title;
  private final ByteBuf commands = Unpooled.buffer();

  BinaryScript(String title) {
    this.title = title;
  }

  @Override
  public String toString() {
    return title;
  }

  BinaryScript query(String sql) {
    return text(Command.QUERY, sql);
  }

  BinaryScript prepare(String sql) {
    return text(Command.STMT_PREPARE, sql);
  }

  private BinaryScript text(int command, String sql) {
    ByteBuf body = Unpooled.buffer().writeByte(command);
    body.writeCharSequence(sql, StandardCharsets.UTF_8);
    return command(body);
  }

  /** An execution without parameters. */
  BinaryScript execute(int id, int flags) {
    ByteBuf body = Unpooled.buffer().writeByte(Command.STMT_EXECUTE).writeIntLE(id);
    return command(body.writeByte(flags).writeIntLE(1));
  }

  /** An execution with one BIGINT. */
  BinaryScript execute(int id, int flags, long value) {
    ByteBuf body = Unpooled.buffer().writeByte(Command.STMT_EXECUTE).writeIntLE(id);
    body.writeByte(flags).writeIntLE(1).writeByte(0).writeByte(1).writeShortLE(8);
    return command(body.writeLongLE(value));
  }

  BinaryScript fetch(int id, int rows) {
    ByteBuf body = Unpooled.buffer().writeByte(Command.STMT_FETCH).writeIntLE(id);
    return command(body.writeIntLE(rows));
  }

  BinaryScript reset(int id) {
    return command(Unpooled.buffer().writeByte(Command.STMT_RESET).writeIntLE(id));
  }

  BinaryScript close(int id) {
    return command(Unpooled.buffer().writeByte(Command.STMT_CLOSE).writeIntLE(id));
  }

  /** Any command. */
  BinaryScript command(ByteBuf body) {
    commands.writeBytes(RawClient.command(body));
    return this;
  }

  /**
   * What a server answers.
   *
   * @param more capabilities
   */
  List<String> answers(int port, int more) throws IOException {
    try (Socket socket = RawClient.login(port, RawClient.BINARY | more)) {
      RawClient.send(
          socket,
          ByteBufUtil.getBytes(commands, commands.readerIndex(), commands.readableBytes()),
          RawClient.command(Unpooled.buffer().writeByte(Command.QUIT)));
      return RawClient.packets(RawClient.untilEnd(socket), BinaryScript::shown);
    }
  }

  /** How the answers of two servers differ. */
  List<String> differences(int plain, int alrai, int more) throws IOException {
    List<String> expected = answers(plain, more);
    List<String> actual = answers(alrai, more);
    List<String> different = new ArrayList<>();
    for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
      String ofPlain = i < expected.size() ? expected.get(i) : "nothing";
      String ofAlrai = i < actual.size() ? actual.get(i) : "nothing";
      if (!ofPlain.equals(ofAlrai)) {
        different.add(title + ", packet " + i + "\n  plain " + ofPlain + "\n  alrai " + ofAlrai);
      }
    }
    return different;
  }

  /** A packet's bytes, and then its letters. */
  private static String shown(ByteBuf payload) {
    if (payload.getUnsignedByte(0) == END && payload.readableBytes() < 9) {
      payload.setByte(3, payload.getByte(3) & ~ABOUT_INDEXES);
    }
    String letters = payload.toString(StandardCharsets.ISO_8859_1);
    return ByteBufUtil.hexDump(payload) + " " + letters.replaceAll("[^ -~]", ".");
  }
}
