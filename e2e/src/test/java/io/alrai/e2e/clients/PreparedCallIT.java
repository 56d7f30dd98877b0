package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.wire.Capability;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ServerStatus;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * CALL in the binary protocol, byte by byte: OUT parameters come in a result of their own (MySQL
 * protocol documentation, SERVER_PS_OUT_PARAMS), on Alrai as on a plain mysqld.
 */
@ExtendWith(Servers.Shared.class)
class PreparedCallIT {
  private static final int EOF = 0xfe;
  private static final int FLAGS = ServerStatus.PS_OUT_PARAMS | ServerStatus.MORE_RESULTS_EXISTS;

  @Test
  void outParametersAreAResultOfTheirOwn(Servers servers) throws SQLException, IOException {
    outParameters(servers, 0);
  }

  @Test
  void andWithoutEof(Servers servers) throws SQLException, IOException {
    outParameters(servers, Capability.DEPRECATE_EOF);
  }

  private static void outParameters(Servers servers, int capability)
      throws SQLException, IOException {
    List<String> plain = answer(servers.plain().port(), capability);
    assertEquals(plain, answer(servers.cluster().port(), capability));
    assertTrue(plain.toString().contains("flags " + FLAGS), plain::toString);
  }

  private static List<String> answer(int port, int capability) throws SQLException, IOException {
    Servers.freshSchema(port, "prepcall");
    try (Connection connection = MiniCluster.connect(port, "prepcall", "");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE PROCEDURE p(IN a INT, OUT b BIGINT, INOUT c VARCHAR(20)) BEGIN SELECT CAST(a AS SIGNED); SET b ="
              + " a * 2, c = CONCAT(c, '!'); END");
    }
    try (Socket socket = RawClient.login(port, RawClient.BINARY | capability)) {
      RawClient.send(
          socket, RawClient.command(text(Command.STMT_PREPARE, "CALL prepcall.p(?, ?, ?)")));
      byte[] prepared = RawClient.packet(socket);
      int id = Unpooled.wrappedBuffer(prepared).getIntLE(5);
      for (int i = 0; i < (capability == 0 ? 4 : 3); i++) {
        RawClient.packet(socket); // three parameters and what ends them
      }
      RawClient.send(socket, RawClient.command(execution(id)));
      RawClient.send(socket, RawClient.command(Unpooled.buffer().writeByte(Command.QUIT)));
      return RawClient.packets(RawClient.untilEnd(socket), PreparedCallIT::said);
    }
  }

  private static ByteBuf text(int command, String sql) {
    ByteBuf body = Unpooled.buffer().writeByte(command);
    body.writeCharSequence(sql, StandardCharsets.UTF_8);
    return body;
  }

  private static ByteBuf execution(int id) {
    ByteBuf body = Unpooled.buffer().writeByte(Command.STMT_EXECUTE).writeIntLE(id);
    body.writeByte(0).writeIntLE(1).writeByte(0b010).writeByte(1);
    body.writeShortLE(3).writeShortLE(3).writeShortLE(253); // INT, INT, VARCHAR
    body.writeIntLE(21).writeByte(1).writeByte('x');
    return body;
  }

  /** A packet's content but for what names and describes columns. */
  private static String said(ByteBuf payload) {
    return switch (payload.getUnsignedByte(0)) {
      case 3 -> "column";
      case EOF -> "end, flags " + (payload.getUnsignedShortLE(3) & ~ServerStatus.AUTOCOMMIT);
      default -> ByteBufUtil.hexDump(payload);
    };
  }
}
