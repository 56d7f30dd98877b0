package io.alrai.cn.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.Commands;
import io.alrai.cn.snapshot.ForwardingBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BeginningBranchTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final FakeBranch raw = dns.branch(new DnId("dn-1"), channel.eventLoop());
  private final List<ReplySink> sinks = new ArrayList<>();
  private final BeginningBranch branch =
      new BeginningBranch(
          new ForwardingBranch(raw) {
            @Override
            public void send(ByteBuf command, ReplyKind reply, ReplySink sink) {
              sinks.add(sink);
              super.send(command, reply, sink);
            }
          },
          Sql.of("XA START 'x';SAVEPOINT s"),
          2);
  private final List<String> told = new ArrayList<>();
  private final ReplySink reply =
      new ReplySink() {
        @Override
        public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
          told.add(kind + " " + buf.getByte(header + Packets.HEADER - 1));
        }

        @Override
        public void chunkEnd() {
          told.add("chunk");
        }

        @Override
        public void end(int status) {
          told.add("end");
        }

        @Override
        public void failed(AlraiException reason) {
          told.add("failed " + reason.errno());
        }
      };

  private void query(String sql) {
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, Sql.client(sql)), ReplyKind.RESULTS, reply);
  }

  private void ok(int sequence) {
    ByteBuf ok = Unpooled.buffer();
    Packets.writeOk(ok, sequence, new OkPacket(0, 0, 0, 0, ""));
    sinks.getFirst().packet(PacketKind.OK, ok, 0, ok.readableBytes());
  }

  private void error(int sequence, int errno) {
    ByteBuf error = Unpooled.buffer();
    Packets.writeErr(error, sequence, errno, "XAE08", "no");
    sinks.getFirst().packet(PacketKind.ERR, error, 0, error.readableBytes());
  }

  @Test
  void theFirstStatementIsInOneTextWithWhatBegins() {
    query("UPDATE t SET a = 1");
    query("SELECT 2");
    assertEquals(
        List.of("XA START 'x';SAVEPOINT s;UPDATE t SET a = 1", "SELECT 2"), raw.statements);
  }

  /** A second statement in it is refused only where there is no first one of Alrai's. */
  @Test
  void aTextWithASemicolonStandsAlone() {
    query("UPDATE t SET a = ';'");
    query("SELECT 2");
    assertEquals(
        List.of("XA START 'x';SAVEPOINT s", "UPDATE t SET a = ';'", "SELECT 2"), raw.statements);
  }

  @Test
  void onlyItsOwnAnswerIsPassedOn() {
    query("UPDATE t SET a = 1");
    ok(1);
    ok(2);
    ok(3);
    sinks.getFirst().chunkEnd();
    sinks.getFirst().end(0);
    assertEquals(List.of("OK 1", "chunk", "end"), told);
  }

  @Test
  void whatCannotBeginIsClosed() {
    query("UPDATE t SET a = 1");
    error(1, 1440);
    sinks.getFirst().chunkEnd();
    sinks.getFirst().end(0);
    assertEquals(List.of("failed 1440"), told);
    assertTrue(raw.closed);
  }

  /** Nobody knows whether it has run: the mysqld is out of step. */
  @Test
  void aReplyThatEndsBeforeTheStatementsOwnIsNone() {
    query("UPDATE t SET a = 1");
    ok(1);
    sinks.getFirst().end(0);
    assertEquals(List.of("failed 2013"), told);
    assertTrue(raw.closed);
  }

  @Test
  void aResultIsNoAnswerOfWhatBegins() {
    query("UPDATE t SET a = 1");
    ok(1);
    ByteBuf count = Unpooled.buffer().writeMediumLE(1).writeByte(2).writeByte(1);
    sinks.getFirst().packet(PacketKind.COLUMN_COUNT, count, 0, count.readableBytes());
    ok(3);
    sinks.getFirst().chunkEnd();
    sinks.getFirst().end(0);
    assertEquals(List.of("failed 2013"), told);
    assertTrue(raw.closed);
  }

  @Test
  void anErrorOfTheStatementIsItsAnswer() {
    query("UPDATE t SET a = 1");
    ok(1);
    ok(2);
    error(3, 1062);
    sinks.getFirst().end(0);
    assertEquals(List.of("ERR 1", "end"), told);
    assertFalse(raw.closed);
  }

  @Test
  void anotherCommandCannotBeFirst() {
    ByteBuf prepare =
        Commands.command(ByteBufAllocator.DEFAULT, Command.STMT_PREPARE, new byte[] {'x'});
    assertThrows(IllegalStateException.class, () -> branch.send(prepare, ReplyKind.PREPARE, reply));
    prepare.release();
  }
}
