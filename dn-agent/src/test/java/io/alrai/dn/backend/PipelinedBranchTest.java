package io.alrai.dn.backend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class PipelinedBranchTest {
  private final EmbeddedBranch embedded = new EmbeddedBranch();
  private final EmbeddedChannel channel = embedded.channel;
  private final List<String> home = embedded.home;
  private final PipelinedBranch branch = embedded.branch;

  private void send() {
    branch.send(Unpooled.wrappedBuffer(new byte[] {1, 0, 0, 0, 14}), ReplyKind.STATUS, NOTHING);
    branch.flush();
  }

  private boolean sent() {
    ByteBuf out = channel.readOutbound();
    if (out != null) {
      out.release();
    }
    return out != null;
  }

  private void answer() {
    embedded.answerOk();
  }

  @Test
  void aHeldBranchSendsNothingMore() {
    send();
    assertTrue(sent());
    branch.hold();
    branch.hold();
    answer();
    send();
    branch.resume();
    assertFalse(sent());
    branch.resume();
    assertTrue(sent());
    answer();
    assertFalse(branch.busy());
  }

  @Test
  void aHeldBranchServesNobodyElseUntilTheKillIsThrough() {
    send();
    assertTrue(branch.busy());
    branch.hold();
    answer();
    branch.release();
    assertEquals(List.of(), home);
    branch.resume();
    assertEquals(List.of("returned"), home);
  }

  @Test
  void aBranchThatIsKeptServesNobodyElseUntilWhatIsPreparedOnItIsEnded() {
    branch.keep();
    branch.release();
    assertEquals(List.of(), home);
    send();
    assertTrue(sent(), "it can still be told to end it");
    answer();
    branch.hold();
    branch.letGo();
    assertEquals(List.of(), home);
    branch.resume();
    assertEquals(List.of("returned"), home);
  }

  @Test
  void aBranchThatWasKeptAndNotGivenBackStaysItsHolders() {
    branch.keep();
    branch.letGo();
    assertEquals(List.of(), home);
    branch.release();
    assertEquals(List.of("returned"), home);
  }

  @Test
  void aBranchIsGivenBackOnce() {
    branch.release();
    assertThrows(IllegalStateException.class, branch::release);
    branch.lend();
    assertThrows(IllegalStateException.class, branch::lend, "two would send on it");
    branch.release();
    assertEquals(List.of("returned", "returned"), home);
  }

  @Test
  void aBranchThatIsClosedIsNobodysAnyMore() {
    branch.keep();
    branch.close();
    branch.keep();
    branch.letGo();
    branch.close();
    assertFalse(branch.alive());
    assertThrows(IllegalStateException.class, branch::lend);
  }

  @Test
  void aHeldBranchThatBreaksIsNoMatterForItsHolder() {
    branch.hold();
    branch.release();
    channel.close();
    branch.resume();
    assertEquals(List.of("lost"), home, "and not given back as well");
    assertNull(channel.readOutbound());
    assertNotNull(branch.state());
  }

  private List<String> texts() {
    List<String> texts = new ArrayList<>();
    ByteBuf out;
    while ((out = channel.readOutbound()) != null) {
      texts.add(
          out.toString(Packets.HEADER + 1, out.readableBytes() - Packets.HEADER - 1, US_ASCII));
      out.release();
    }
    return texts;
  }

  @Test
  void aViewThatNobodyNeedsEndsBeforeTheNextCommand() {
    branch.releaseViewed();
    assertEquals(List.of("returned"), home);
    assertEquals(List.of(), texts());
    send();
    assertEquals(List.of("COMMIT AND NO CHAIN NO RELEASE", ""), texts());
    answer();
    answer();
    assertFalse(branch.busy());
    send();
    assertEquals(List.of(""), texts());
  }

  @Test
  void whoInheritsAViewEndsIt() {
    assertFalse(branch.inherits());
    branch.releaseViewed();
    assertTrue(branch.inherits());
    assertFalse(branch.inherits());
    send();
    assertEquals(List.of(""), texts());
  }

  @Test
  void aBranchWhoseViewDoesNotEndIsClosed() {
    branch.releaseViewed();
    assertFalse(branch.endOldView());
    assertEquals(List.of(), texts());
    assertTrue(branch.endOldView());
    assertEquals(List.of("COMMIT AND NO CHAIN NO RELEASE"), texts());
    ByteBuf error = Unpooled.buffer();
    Packets.writeErr(error, 1, 1317, "70100", "Query execution was interrupted");
    channel.writeInbound(error);
    assertFalse(branch.alive());
  }

  @Test
  void aViewBehindAStatementEndsAtOnce() {
    send();
    branch.releaseViewed();
    assertEquals(List.of("", "COMMIT AND NO CHAIN NO RELEASE"), texts());
    answer();
    assertEquals(List.of(), home);
    answer();
    assertEquals(List.of("returned"), home);
    assertFalse(branch.inherits());
  }

  /** Records what it receives. */
  private static final class Told implements ReplySink {
    final List<String> all = new ArrayList<>();
    Runnable onChunk = () -> {};

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
      all.add(kind.name());
    }

    @Override
    public void chunkEnd() {
      onChunk.run();
    }

    @Override
    public void end(int status) {
      all.add("end");
    }

    @Override
    public void failed(AlraiException reason) {
      all.add("failed " + reason.errno());
    }
  }

  private Told query(String sql) {
    Told told = new Told();
    ByteBuf out = Unpooled.buffer();
    Packets.writeCommand(out, Command.QUERY, sql.getBytes(US_ASCII));
    branch.send(out, ReplyKind.RESULTS, told);
    branch.flush();
    return told;
  }

  private void require(String sql) {
    ByteBuf out = Unpooled.buffer();
    Packets.writeCommand(out, Command.QUERY, sql.getBytes(US_ASCII));
    branch.require(out, ReplyKind.STATUS);
  }

  private static void ok(ByteBuf out, int sequence, int status) {
    Packets.writeOk(out, sequence, new OkPacket(0, 0, status, 0, ""));
  }

  private void comes(Consumer<ByteBuf> packets) {
    ByteBuf out = Unpooled.buffer();
    packets.accept(out);
    channel.writeInbound(out);
  }

  @Test
  void backPressureEndsWithTheReply() {
    Told told = query("SELECT 1");
    told.onChunk = () -> branch.reading(false);
    answer();
    assertEquals(List.of("OK", "end"), told.all);
    assertTrue(channel.config().isAutoRead());
    branch.reading(false);
    assertTrue(channel.config().isAutoRead(), "nobody would start it again");
    branch.release();
    assertEquals(List.of("returned"), home);
  }

  @Test
  void oneReadersBackPressureIsNotTheNextOnes() {
    Told first = query("SELECT 1");
    Told second = query("SELECT 2");
    first.onChunk = () -> branch.reading(false);
    answer();
    assertTrue(channel.config().isAutoRead());
    branch.reading(false);
    assertFalse(channel.config().isAutoRead());
    answer();
    assertEquals(List.of("OK", "end"), second.all);
    assertTrue(channel.config().isAutoRead());
  }

  @Test
  void aBranchInATransactionServesNobodyElse() {
    query("BEGIN");
    comes(out -> ok(out, 1, ServerStatus.AUTOCOMMIT | ServerStatus.IN_TRANS));
    branch.release();
    assertFalse(branch.alive());
    assertTrue(home.contains("in_transaction"), home::toString);
  }

  @Test
  void aBranchWhoseStatementsDoNotCommitServesNobodyElse() {
    query("SET autocommit=0");
    comes(out -> ok(out, 1, 0));
    branch.release();
    assertTrue(home.contains("autocommit_off"), home::toString);
  }

  @Test
  void aBranchWithHalfAPacketServesNobodyElse() {
    query("SELECT 1");
    comes(out -> {
      ok(out, 1, 2);
      out.writeMedium(7);
    });
    branch.release();
    assertTrue(home.contains("out_of_step"), home::toString);
  }

  @Test
  void aBranchAtWorkServesNobodyElse() {
    query("SELECT 1");
    branch.release();
    assertTrue(home.contains("busy"), home::toString);
    assertFalse(branch.alive());
  }

  @Test
  void aViewedBranchMayBeInItsTransaction() {
    query("START TRANSACTION READ ONLY");
    comes(out -> ok(out, 1, ServerStatus.AUTOCOMMIT | ServerStatus.IN_TRANS));
    branch.releaseViewed();
    assertEquals(List.of("returned"), home);
  }

  @Test
  void whatAnotherHasEndedIsOver() {
    query("UPDATE");
    comes(out -> ok(out, 1, ServerStatus.AUTOCOMMIT | ServerStatus.IN_TRANS));
    branch.transaction(false);
    branch.release();
    assertEquals(List.of("returned"), home);
  }

  @Test
  void aPacketOutOfStepIsNobodysReply() {
    Told told = query("SELECT 1");
    Told next = query("SELECT 2");
    comes(out -> ok(out, 2, 2));
    assertFalse(branch.alive());
    assertEquals(List.of("failed 2013"), told.all);
    assertEquals(List.of("failed 2013"), next.all);
  }

  @Test
  void theReplyOfALongCommandBeginsAfterItsPackets() {
    branch.secondStatements().notAskedFor();
    Told told = new Told();
    ByteBuf out = Unpooled.buffer();
    Packets.writeCommand(out, Command.QUERY, new byte[Packets.MAX_PAYLOAD * 2]);
    branch.send(out, ReplyKind.RESULTS, told);
    branch.flush();
    comes(reply -> ok(reply, 3, 2));
    assertEquals(List.of("OK", "end"), told.all);
  }

  @Test
  void aCommandThatIsTooLargeIsRefusedBeforeItIsRead() {
    branch.secondStatements().notAskedFor();
    Told told = new Told();
    ByteBuf out = Unpooled.buffer();
    Packets.writeCommand(out, Command.QUERY, new byte[Packets.MAX_PAYLOAD * 2]);
    branch.send(out, ReplyKind.RESULTS, told);
    branch.flush();
    comes(reply -> Packets.writeErr(reply, 1, 1153, "08S01", "Got a packet bigger"));
    assertEquals(List.of("ERR", "end"), told.all);
  }

  @Test
  void whyAConnectionEndsIsNoStatementsReply() {
    Told told = query("SELECT 1");
    comes(out -> Packets.writeErr(out, 0, 4031, "HY000", "inactivity"));
    assertFalse(branch.alive());
    assertEquals(List.of("failed 2006"), told.all, "it has not run");
  }

  @Test
  void aReaderThatFailsIsToldAndSoAreTheOthers() {
    Told told = query("SELECT 1");
    Told next = query("SELECT 2");
    told.onChunk =
        () -> {
          throw new IllegalStateException("a defect");
        };
    answer();
    assertFalse(branch.alive());
    assertEquals(List.of("OK", "failed 2013"), told.all);
    assertEquals(List.of("failed 2013"), next.all);
  }

  @Test
  void nothingRunsAfterAPreparationThatFailed() {
    require("SET SESSION insert_id=DEFAULT");
    Told told = query("INSERT");
    assertEquals(List.of("SET SESSION insert_id=DEFAULT"), texts());
    assertTrue(branch.busy());
    comes(out -> Packets.writeErr(out, 1, 1230, "42000", "no default"));
    assertEquals(List.of(), texts());
    assertEquals(List.of("failed 2006"), told.all);
    assertFalse(branch.alive());
  }

  @Test
  void whatFollowsAPreparationIsSentInItsOrder() {
    require("SET a");
    require("SET b");
    Told one = query("SELECT 1");
    require("SET c");
    Told two = query("SELECT 2");
    assertEquals(List.of("SET a", "SET b"), texts());
    answer();
    assertEquals(List.of(), texts());
    answer();
    assertEquals(List.of("SELECT 1", "SET c"), texts());
    answer();
    assertEquals(List.of("OK", "end"), one.all);
    answer();
    assertEquals(List.of("SELECT 2"), texts());
    answer();
    assertEquals(List.of("OK", "end"), two.all);
    assertFalse(branch.busy());
  }

  @Test
  void whatWaitsForAPreparationFailsWithItsConnection() {
    require("SET a");
    Told told = query("SELECT 1");
    channel.close();
    assertEquals(List.of("failed 2006"), told.all);
  }

  @Test
  void nothingOfAClosedBranchIsBelieved() {
    Told told = query("SELECT 1");
    Told next = query("SELECT 2");
    told.onChunk = branch::close;
    comes(out -> {
      ok(out, 1, 2);
      ok(out, 1, 2);
    });
    assertEquals(List.of("failed 2013"), next.all);
  }

  private static final ReplySink NOTHING =
      new ReplySink() {
        @Override
        public void packet(PacketKind kind, ByteBuf buf, int header, int length) {}

        @Override
        public void chunkEnd() {}

        @Override
        public void end(int status) {}

        @Override
        public void failed(AlraiException reason) {}
      };

  private boolean tellsOfChanges(long affected, String info) {
    branch.state().unchanged();
    send();
    ByteBuf ok = Unpooled.buffer();
    Packets.writeOk(ok, 1, new OkPacket(affected, 0, 3, 0, info));
    channel.writeInbound(ok);
    return branch.state().changed();
  }

  @Test
  void answersTellWhetherRowsWereChanged() {
    assertFalse(tellsOfChanges(0, ""));
    assertFalse(tellsOfChanges(0, "Rows matched: 1  Changed: 0  Warnings: 0"));
    assertTrue(tellsOfChanges(1, ""));
    assertTrue(tellsOfChanges(2, "Records: 2  Duplicates: 0  Warnings: 0"));
    assertTrue(tellsOfChanges(3, "Rows matched: 3  Changed: 3  Warnings: 0"));
    // to clients with CLIENT_FOUND_ROWS
    assertFalse(tellsOfChanges(3, "Rows matched: 3  Changed: 0  Warnings: 0"));
    assertTrue(tellsOfChanges(300, "Rows matched: 300  Changed: 10  Warnings: 0"));
  }
}
