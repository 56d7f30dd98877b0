package io.alrai.dn.backend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.wire.Command;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class SecondStatementsTest {
  private final EmbeddedBranch embedded = new EmbeddedBranch();
  private final EmbeddedChannel channel = embedded.channel;
  private final List<String> home = embedded.home;
  private final PipelinedBranch branch = embedded.branch;

  private void answer() {
    embedded.answerOk();
  }

  private String query(String sql, ReplyKind kind) {
    ByteBuf command = Unpooled.buffer();
    Packets.writeCommand(command, Command.QUERY, sql.getBytes(US_ASCII));
    branch.send(command, kind, Answer.sink(new CompletableFuture<>()));
    branch.flush();
    StringBuilder all = new StringBuilder();
    ByteBuf out;
    while ((out = channel.readOutbound()) != null) {
      int length = out.readableBytes() - Packets.HEADER;
      all.append(
          out.getByte(Packets.HEADER) == Command.SET_OPTION
              ? "option " + out.getByte(Packets.HEADER + 1) + " "
              : out.toString(Packets.HEADER + 1, length - 1, US_ASCII));
      out.release();
      answer();
    }
    return all.toString();
  }

  /** Whatever is quoted in it, and whoever has looked at it before. */
  @Test
  void aTextThatMightHaveASecondStatementIsSentWhereNoneIsTaken() {
    assertEquals("SELECT 1", query("SELECT 1", ReplyKind.RESULTS));
    assertEquals("XA END x;XA PREPARE x", query("XA END x;XA PREPARE x", ReplyKind.SEVERAL));
    assertEquals("option 1 SELECT ';'", query("SELECT ';'", ReplyKind.RESULTS));
    assertEquals("DO 1;DROP x", query("DO 1;DROP x", ReplyKind.RESULTS));
    assertEquals("SELECT 1", query("SELECT 1", ReplyKind.RESULTS));
    assertEquals("option 0 DO 1;DO 2", query("DO 1;DO 2", ReplyKind.SEVERAL));
    String large = "SELECT '" + "x".repeat(1 << 20) + "'";
    assertEquals("option 1 " + large, query(large, ReplyKind.RESULTS));
    assertFalse(branch.secondStatements().areTaken());
    branch.secondStatements().take();
    assertTrue(branch.secondStatements().areTaken());
    assertEquals("option 0 SELECT 1", query("SELECT 1", ReplyKind.RESULTS));
    assertFalse(branch.busy());
    branch.release();
    assertEquals(List.of("returned"), home);
  }
}
