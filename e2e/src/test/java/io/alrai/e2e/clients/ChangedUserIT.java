package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.wire.Command;
import io.alrai.e2e.Servers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** CHANGE_USER brings a character set of its own, as a login does. */
@ExtendWith(Servers.Shared.class)
class ChangedUserIT {
  private static final int LATIN1_GERMAN1_CI = 5;
  private static final int UTF8MB4_BIN = 46;

  @Test
  void theCharacterSetIsThatOfTheChange(Servers servers) throws IOException {
    for (int collation : new int[] {LATIN1_GERMAN1_CI, UTF8MB4_BIN}) {
      assertEquals(
          changed(servers.plain().port(), collation), changed(servers.cluster().port(), collation));
    }
  }

  /** What the session has afterwards: client, results, connection's collation. */
  private static String changed(int port, int collation) throws IOException {
    try (Socket socket = RawClient.login(port, RawClient.CAPABILITIES)) {
      RawClient.send(socket, changeOfUser(collation));
      byte[] answer = RawClient.packet(socket);
      if (answer[4] == (byte) 0xfe) { // another nonce: root has no password to prove over it
        RawClient.send(socket, new byte[] {0, 0, 0, (byte) (answer[3] + 1)});
        answer = RawClient.packet(socket);
      }
      ok(answer);
      RawClient.send(
          socket,
          query(
              "SELECT CONCAT_WS(' ', @@character_set_client, @@character_set_results,"
                  + " @@collation_connection)"));
      RawClient.packet(socket);
      RawClient.packet(socket);
      RawClient.packet(socket);
      byte[] row = RawClient.packet(socket);
      return new String(row, 5, row.length - 5, StandardCharsets.US_ASCII);
    }
  }

  private static void ok(byte[] packet) {
    assertEquals(0, packet[4], () -> new String(packet, StandardCharsets.UTF_8));
  }

  private static byte[] changeOfUser(int collation) {
    ByteBuf out = Unpooled.buffer().writeByte(Command.CHANGE_USER);
    out.writeCharSequence("root", StandardCharsets.US_ASCII);
    out.writeByte(0).writeByte(0).writeByte(0).writeShortLE(collation);
    out.writeCharSequence("caching_sha2_password", StandardCharsets.US_ASCII);
    return RawClient.command(out.writeByte(0));
  }

  private static byte[] query(String sql) {
    ByteBuf out = Unpooled.buffer().writeByte(Command.QUERY);
    out.writeCharSequence(sql, StandardCharsets.US_ASCII);
    return RawClient.command(out);
  }
}
