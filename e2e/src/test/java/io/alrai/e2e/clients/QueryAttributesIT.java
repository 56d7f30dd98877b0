package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.wire.Capability;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.Lenenc;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Commands with attributes, byte by byte: the answers of a plain mysqld. */
@ExtendWith(Servers.Shared.class)
class QueryAttributesIT {
  private static final int COUNT_AVAILABLE = 8;
  private static final byte[] DO = {'D', 'O', ' ', '1'};

  private static ByteBuf string(ByteBuf out, String text) {
    Lenenc.writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    return out;
  }

  /** Attributes {@code a}, a number, and {@code b}, a text; {@code c} is NULL. */
  private static ByteBuf attributed(String sql) {
    ByteBuf body = Unpooled.buffer().writeByte(Command.QUERY).writeByte(3).writeByte(1);
    body.writeByte(0b100).writeByte(1);
    string(body.writeShortLE(8), "a");
    string(body.writeShortLE(253), "b");
    string(body.writeShortLE(6), "c");
    string(body.writeLongLE(5), "value");
    body.writeCharSequence(sql, StandardCharsets.UTF_8);
    return body;
  }

  private static ByteBuf plain(String sql) {
    ByteBuf body = Unpooled.buffer().writeByte(Command.QUERY).writeByte(0).writeByte(1);
    body.writeCharSequence(sql, StandardCharsets.UTF_8);
    return body;
  }

  private static ByteBuf head(int id, int flags) {
    ByteBuf body = Unpooled.buffer().writeByte(Command.STMT_EXECUTE).writeIntLE(id);
    return body.writeByte(flags).writeIntLE(1);
  }

  private static BinaryScript script(String title) {
    return new BinaryScript(title).command(plain("USE attributes"));
  }

  private static ByteBuf oneAndAttribute(int flags) {
    ByteBuf body = head(1, COUNT_AVAILABLE | flags).writeByte(2).writeByte(0).writeByte(1);
    string(string(body.writeShortLE(8), "").writeShortLE(253), "traceparent");
    return string(body.writeLongLE(2), "00-af");
  }

  private static List<BinaryScript> scripts() {
    String byKey = "SELECT a, b FROM t WHERE a > ? ORDER BY a";
    return List.of(
        script("texts")
            .command(plain("SELECT b FROM t WHERE a = 1"))
            .command(attributed("SELECT b FROM t WHERE a = 2"))
            .command(attributed("SELECT a, b FROM t ORDER BY a"))
            .command(attributed("UPDATE t SET b = b + 1 WHERE a = 2"))
            .command(plain("UPDATE t SET b = b + 1 WHERE a > 0"))
            .command(attributed("SELECT mysql_query_attribute_string('a')"))
            .command(attributed(""))
            .command(plain("")),
        script("executions without a count")
            .prepare("SELECT b FROM t WHERE a = 1")
            .command(head(1, 0))
            .command(head(1, COUNT_AVAILABLE).writeByte(0)),
        script("executions with a count")
            .prepare(byKey)
            .command(oneAndAttribute(0))
            .command(oneAndAttribute(BinaryScript.CURSOR))
            .fetch(1, 1)
            .fetch(1, 9)
            .command(
                head(1, COUNT_AVAILABLE).writeByte(1).writeByte(0).writeByte(0).writeLongLE(1)),
        script("executions with parameters and no flag")
            .prepare(byKey)
            .command(
                string(head(1, 0).writeByte(1).writeByte(0).writeByte(1).writeShortLE(8), "n")
                    .writeLongLE(2))
            .command(
                string(head(1, 0).writeByte(0).writeByte(1).writeShortLE(8), "n").writeLongLE(2)),
        script("only attributes")
            .prepare("SELECT b FROM t WHERE a = 1")
            .command(
                string(
                    string(
                        head(1, COUNT_AVAILABLE)
                            .writeByte(1)
                            .writeByte(0)
                            .writeByte(1)
                            .writeShortLE(253),
                        "name"),
                    "value")),
        script("several sets of attributes")
            .command(Unpooled.buffer().writeByte(3).writeByte(0).writeByte(2).writeBytes(DO))
            .command(Unpooled.buffer().writeByte(3).writeByte(0).writeByte(0).writeBytes(DO)),
        script("attributes without types")
            .command(
                Unpooled.buffer()
                    .writeByte(3)
                    .writeByte(1)
                    .writeByte(1)
                    .writeByte(1)
                    .writeByte(0)
                    .writeBytes(DO)),
        script("attributes that end early")
            .command(Unpooled.buffer().writeByte(3).writeByte(1).writeByte(1)),
        script("no attributes").command(Unpooled.buffer().writeByte(3)),
        script("too few").prepare(byKey).command(head(1, COUNT_AVAILABLE).writeByte(0)));
  }

  private static void fill(int port) throws SQLException {
    Servers.freshSchema(port, "attributes");
    try (Connection connection = MiniCluster.connect(port, "attributes", "")) {
      Servers.run(
          connection,
          "CREATE TABLE t (a INT PRIMARY KEY, b INT) /*alrai PARTITION BY KEY(a) PARTITIONS 4 */",
          "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3), (4, 4)");
    }
  }

  @Test
  void commandsWithAttributesAreAnsweredAsByAPlainServer(Servers servers)
      throws SQLException, IOException {
    fill(servers.plain().port());
    fill(servers.cluster().port());
    List<String> differences = new ArrayList<>();
    for (BinaryScript script : scripts()) {
      differences.addAll(
          script.differences(
              servers.plain().port(),
              servers.cluster().port(),
              Capability.QUERY_ATTRIBUTES | Capability.DEPRECATE_EOF));
    }
    assertEquals(List.of(), differences);
  }
}
