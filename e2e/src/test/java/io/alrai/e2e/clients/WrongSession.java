package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.alrai.common.wire.Command;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * A client that sends wrong bytes: for its login, as commands, as parameters of a prepared
 * statement, as frames of a compressed connection, as TLS. The seed repeats it.
 */
final class WrongSession {
  private static final int QUIET_MILLIS = 30;
  private static final int END_MILLIS = 20_000;
  private static final int COMPRESS = 1 << 5;
  private static final int MULTI_STATEMENTS = 1 << 16;
  private static final String INTERNAL_ERROR = "\u0097!#HY000";

  private static final List<String> TEXTS =
      List.of(
          "SELECT 1",
          "SELECT * FROM fuzz.t WHERE a = 1",
          "SELECT a, b FROM fuzz.t ORDER BY b LIMIT 3",
          "SELECT COUNT(*), MAX(b) FROM fuzz.t GROUP BY a % 3",
          "SELECT 'it''s \\' \\\\', \"x\", `a`, 0x41, b'1', N'n', _utf8mb4'q', 1e5, .5 FROM fuzz.t",
          "SELECT x.a FROM fuzz.t x JOIN (SELECT b FROM fuzz.t) y ON x.b = y.b WHERE x.a IN (1, 2)",
          "INSERT INTO fuzz.t VALUES (1, 'one'), (2, NULL) ON DUPLICATE KEY UPDATE b = 'again'",
          "UPDATE fuzz.t SET b = CONCAT(b, 'x') WHERE a = 3",
          "BEGIN; SELECT 1; ROLLBACK",
          "SET NAMES latin1",
          "SET @x = 1, sql_mode = 'ANSI_QUOTES'",
          "PREPARE s FROM 'SELECT ?'",
          "LOAD DATA LOCAL INFILE 'f' INTO TABLE fuzz.t",
          "SHOW TABLES FROM fuzz /*! LIKE 't' */ -- end");

  private final int port;
  private final Random random;
  private final Mutations mutations;

  WrongSession(int port, long seed) {
    this.port = port;
    this.random = new Random(seed);
    this.mutations = new Mutations(random);
  }

  /**
   * Comes, does wrong and goes.
   *
   * @throws IOException when the server did not end the connection after the client's end
   */
  void run() throws IOException {
    try (Socket socket = RawClient.connect(port)) {
      switch (random.nextInt(6)) {
        case 0 -> told(socket, mutations.noise(random.nextInt(3000)));
        case 1 -> wrongLogin(socket);
        case 2 -> wrongTls(socket);
        case 3 -> wrongCommands(socket);
        case 4 -> wrongParameters(socket);
        default -> wrongFrames(socket);
      }
      end(socket);
    }
  }

  /** Nobody is let in whose password is wrong, whatever else is. */
  private void wrongLogin(Socket socket) throws IOException {
    byte[] right = RawClient.loginPacket(1, "stranger", RawClient.CAPABILITIES, 20);
    byte[] answer = told(socket, mutations.packet(right));
    byte[] more = told(socket, packet(Command.QUERY, "SELECT 1"));
    for (byte[] bytes : List.of(answer, more)) {
      boolean ok = bytes.length > 6 && bytes[1] == 0 && bytes[2] == 0 && bytes[4] == 0;
      assertFalse(ok, "let in");
    }
  }

  private void wrongTls(Socket socket) throws IOException {
    told(socket, mutations.packet(RawClient.sslRequest()));
    told(socket, mutations.noise(random.nextInt(500)));
  }

  private void wrongCommands(Socket socket) throws IOException {
    login(socket, MULTI_STATEMENTS);
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      told(socket, mutations.packet(command()));
    }
  }

  private void wrongParameters(Socket socket) throws IOException {
    login(socket, 0);
    RawClient.send(
        socket, packet(Command.STMT_PREPARE, "SELECT ?, b FROM fuzz.t WHERE a = ? OR b = ?"));
    byte[] prepared = RawClient.packet(socket);
    if (prepared[4] != 0) {
      throw new IOException("not prepared");
    }
    told(socket, new byte[0]);
    byte[] id = {prepared[5], prepared[6], prepared[7], prepared[8]};
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      told(socket, mutations.packet(random.nextInt(4) == 0 ? longData(id) : execution(id)));
    }
  }

  private void wrongFrames(Socket socket) throws IOException {
    login(socket, COMPRESS);
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      byte[] command = command();
      ByteBuf frame = Unpooled.buffer();
      frame.writeMediumLE(command.length).writeByte(0);
      frame.writeMediumLE(random.nextInt(3) == 0 ? random.nextInt(1 << 24) : 0);
      frame.writeBytes(random.nextBoolean() ? mutations.packet(command) : command);
      told(socket, mutations.some(ByteBufUtil.getBytes(frame)));
    }
  }

  private void login(Socket socket, int more) throws IOException {
    RawClient.send(
        socket, RawClient.loginPacket(1, "root", RawClient.CAPABILITIES & ~(1 << 11) | more, 0));
    byte[] answer = RawClient.packet(socket);
    if (answer[4] != 0) {
      throw new IOException("root was not let in");
    }
  }

  private byte[] command() {
    byte[] arguments = mutations.noise(random.nextInt(30));
    return switch (random.nextInt(5)) {
      case 0, 1 -> packet(Command.QUERY, TEXTS.get(random.nextInt(TEXTS.size())));
      case 2 -> packet(Command.STMT_PREPARE, TEXTS.get(random.nextInt(TEXTS.size())));
      case 3 ->
          packet(
              List.of(
                      Command.INIT_DB,
                      Command.FIELD_LIST,
                      Command.CHANGE_USER,
                      Command.STMT_EXECUTE,
                      Command.STMT_SEND_LONG_DATA,
                      Command.STMT_CLOSE,
                      Command.STMT_RESET,
                      Command.STMT_FETCH,
                      Command.SET_OPTION,
                      Command.RESET_CONNECTION)
                  .get(random.nextInt(10)),
              random.nextBoolean()
                  ? "fuzz\0t\0%"
                  : new String(arguments, StandardCharsets.ISO_8859_1));
      default ->
          packet(0x20 + random.nextInt(224), new String(arguments, StandardCharsets.ISO_8859_1));
    };
  }

  private static byte[] packet(int command, String rest) {
    ByteBuf out = Unpooled.buffer();
    out.writeMediumLE(1 + rest.length()).writeByte(0).writeByte(command);
    out.writeCharSequence(rest, StandardCharsets.ISO_8859_1);
    return ByteBufUtil.getBytes(out);
  }

  /** One run of the statement of three parameters: a number, a text and a time. */
  private static byte[] execution(byte[] id) {
    ByteBuf out = Unpooled.buffer();
    out.writeMediumLE(0).writeByte(0).writeByte(Command.STMT_EXECUTE).writeBytes(id);
    out.writeByte(0).writeIntLE(1).writeByte(0).writeByte(1);
    out.writeShortLE(8).writeShortLE(253).writeShortLE(12);
    out.writeLongLE(5).writeByte(3).writeBytes(new byte[] {'a', 'b', 'c'});
    out.writeByte(4).writeShortLE(2026).writeByte(11).writeByte(22);
    out.setMediumLE(0, out.writerIndex() - 4);
    return ByteBufUtil.getBytes(out);
  }

  private static byte[] longData(byte[] id) {
    ByteBuf out = Unpooled.buffer();
    out.writeMediumLE(10).writeByte(0).writeByte(Command.STMT_SEND_LONG_DATA).writeBytes(id);
    out.writeShortLE(1).writeBytes(new byte[] {'x', 'y', 'z'});
    return ByteBufUtil.getBytes(out);
  }

  /** Sends, and reads until there is nothing more for a moment. */
  private static byte[] told(Socket socket, byte[] bytes) throws IOException {
    RawClient.send(socket, bytes);
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    socket.setSoTimeout(QUIET_MILLIS);
    byte[] piece = new byte[8192];
    try {
      for (int n = socket.getInputStream().read(piece);
          n > 0;
          n = socket.getInputStream().read(piece)) {
        answer.write(piece, 0, n);
      }
    } catch (SocketTimeoutException quiet) {
      // it waits for more
    } catch (SocketException reset) {
      // it has seen enough
    }
    socket.setSoTimeout(END_MILLIS);
    return withoutInternalError(answer.toByteArray());
  }

  private static void end(Socket socket) throws IOException {
    try {
      socket.shutdownOutput();
    } catch (SocketException reset) {
      return;
    }
    withoutInternalError(RawClient.untilEnd(socket));
  }

  private static byte[] withoutInternalError(byte[] answer) {
    String text = new String(answer, StandardCharsets.ISO_8859_1);
    int at = text.indexOf(INTERNAL_ERROR);
    assertFalse(at >= 0, () -> text.substring(at));
    return answer;
  }
}
