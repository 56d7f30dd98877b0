package io.alrai.cn.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.common.wire.StateChange;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A mysqld's reply becomes a client's. */
class ForwardedReplyTest implements ForwardedReply.Listener {
  private static final String PHYSICAL = "a17_p00003";
  private static final Sql ANY = Sql.of("SELECT c0 FROM t");
  private static final int STATUS = ServerStatus.AUTOCOMMIT;

  private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(false);
  private final EmbeddedChannel client = new EmbeddedChannel();
  private FakeReply reply = FakeReply.ok();
  private final FakeBranch branch =
      new FakeBranch(new DnId("dn-1"), client.eventLoop(), (on, sent) -> reply);

  /** The listener's calls. */
  private final List<String> told = new ArrayList<>();

  private boolean again;
  private Runnable afterwards = () -> {};
  private @Nullable OkPacket ok;

  ForwardedReplyTest() {
    client.config().setAllocator(buffers);
  }

  @AfterEach
  void nothingIsLeft() {
    client.releaseOutbound();
    assertEquals(0, buffers.metric().usedHeapMemory());
  }

  @Override
  public StateChange stateChange() {
    return StateChange.NONE;
  }

  @Override
  public AlraiException told(AlraiException failure) {
    return failure;
  }

  @Override
  public boolean runsAgain(AlraiException failure) {
    return again;
  }

  @Override
  public void again() {
    told.add("again");
  }

  @Override
  public void forwarded(@Nullable AlraiException failure, @Nullable OkPacket last) {
    ok = last;
    told.add(failure == null ? "forwarded" : "failed " + failure.errno());
    afterwards.run();
  }

  @Override
  public void disturbed() {
    told.add("disturbed");
  }

  @Override
  public void lost(AlraiException reason, ForwardedReply.Had client) {
    told.add("lost " + reason.errno() + " " + client);
  }

  private ForwardedReply forward(
      boolean deprecateEof, boolean watched, int firstSequence, FakeReply given) {
    reply = given;
    ForwardedReply forwarded =
        new ForwardedReply(
            client, deprecateEof, text -> text.replaceAll("a17_(p00003|b)", "shop"), this);
    forwarded.begin(bytes(PHYSICAL), bytes("shop"), watched ? branch : null, STATUS, firstSequence);
    ByteBuf command = Unpooled.buffer();
    Packets.writeCommand(command, Command.QUERY, bytes(ANY.text()));
    branch.send(command, ReplyKind.RESULTS, forwarded);
    branch.flush();
    return forwarded;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What the client has been sent. */
  private byte[] sent() {
    ByteBuf all = Unpooled.buffer();
    ByteBuf next;
    while ((next = client.readOutbound()) != null) {
      all.writeBytes(next);
      next.release();
    }
    byte[] bytes = new byte[all.readableBytes()];
    all.readBytes(bytes);
    return bytes;
  }

  /** The bytes of a reply as a mysqld sends it. */
  private static byte[] bytes(FakeReply of) {
    return of.bytes();
  }

  private static FakeReply rows(String schema, int rows, int width) {
    FakeReply reply = FakeReply.empty().columns(schema, 1);
    for (int i = 0; i < rows; i++) {
      reply.row("r".repeat(width));
    }
    return reply.end(0, STATUS);
  }

  @Test
  void aResultIsTheMysqldsWithAnotherNameOfItsSchema() {
    ForwardedReply forwarded = forward(true, false, 1, rows(PHYSICAL, 3, 10));
    assertArrayEquals(bytes(rows("shop", 3, 10)), sent());
    assertEquals(3, forwarded.rows());
    assertEquals(List.of("forwarded"), told);
  }

  @Test
  void schemasOfBroadcastTablesAndOthersAreNamedAsTheyAre() {
    forward(true, false, 1, rows("a17_b", 1, 1));
    assertArrayEquals(bytes(rows("shop", 1, 1)), sent());
    forward(true, false, 1, rows("mysql", 1, 1));
    assertArrayEquals(bytes(rows("mysql", 1, 1)), sent());
  }

  @Test
  void numbersOfPacketsGoOnFromTheClientsAndBeginAgainAfter255() {
    for (int first : new int[] {1, 7, 250}) {
      forward(true, false, first, rows("shop", 600, 30));
      byte[] sent = sent();
      int expected = first;
      for (int at = 0; at < sent.length; at += 4 + (sent[at] & 0xff)) {
        assertEquals(expected & 0xff, sent[at + 3] & 0xff);
        expected++;
      }
      assertEquals(first + 603, expected);
    }
  }

  @Test
  void clientsOfOldGetEofPacketsAroundTheRows() {
    forward(false, false, 1, rows("shop", 1, 1));
    byte[] sent = sent();
    List<Integer> lengths = new ArrayList<>();
    for (int at = 0; at < sent.length; at += 4 + (sent[at] & 0xff)) {
      lengths.add((int) sent[at]);
      assertEquals(lengths.size(), sent[at + 3]);
    }
    assertEquals(5, lengths.size());
    assertEquals(List.of(5, 2, 5), lengths.subList(2, 5), "EOF, row, EOF");
  }

  @Test
  void anyPiecesGiveTheSameBytes() {
    for (int width : new int[] {1, 300, 5_000}) {
      byte[] whole = bytes(rows("shop", 20, width));
      for (int piece : new int[] {1, 2, 3, 5, 64, 4_095, 4_096, 9_999}) {
        forward(true, false, 1, rows(PHYSICAL, 20, width).inPieces(piece));
        assertArrayEquals(whole, sent(), width + " in pieces of " + piece);
      }
    }
  }

  @Test
  void rowsAreOnTheirWayBeforeTheResultHasEnded() {
    branch.stepwise = true;
    forward(true, false, 1, rows("shop", 100, 1_000).inPieces(20_000));
    branch.arrive();
    assertTrue(sent().length > 15_000);
    assertEquals(List.of(), told);
    branch.arriveAll();
    assertEquals(List.of("forwarded"), told);
  }

  @Test
  void aShortReplyIsOneBuffer() {
    forward(true, false, 1, rows("shop", 3, 10));
    assertEquals(1, client.outboundMessages().size());
  }

  @Test
  void statusFlagsOfTheMysqldsSessionAreTheClientsSessions() {
    forward(true, false, 1, FakeReply.empty().ok(5, ServerStatus.IN_TRANS));
    assertArrayEquals(bytes(FakeReply.empty().ok(5, STATUS)), sent());
    assertEquals(5, ok.affectedRows());
  }

  @Test
  void anErrorHasLogicalNames() {
    forward(true, false, 1, FakeReply.error(ErrorCode.ER_DUP_ENTRY, "in " + PHYSICAL + ".t"));
    assertArrayEquals(bytes(FakeReply.error(ErrorCode.ER_DUP_ENTRY, "in shop.t")), sent());
    assertEquals(List.of("failed 1062"), told);
  }

  @Test
  void anErrorAfterRowsFollowsThem() {
    FakeReply cut = FakeReply.empty().columns("shop", 1).row("a");
    cut.fails(ErrorCode.ER_QUERY_TIMEOUT, "x");
    FakeReply same = FakeReply.empty().columns("shop", 1).row("a");
    same.fails(ErrorCode.ER_QUERY_TIMEOUT, "x");
    forward(true, false, 1, cut);
    assertArrayEquals(bytes(same), sent());
    assertEquals(List.of("failed 3024"), told);
  }

  @Test
  void aStatementThatRunsAgainTellsTheClientNothing() {
    again = true;
    forward(true, false, 1, FakeReply.error(ErrorCode.ER_NO_SUCH_TABLE, "gone"));
    assertEquals(0, sent().length);
    assertEquals(List.of("again"), told);
  }

  @Test
  void anErrorAfterRowsIsNoReasonToRunAgain() {
    again = true;
    FakeReply cut = FakeReply.empty().columns("shop", 1).row("a");
    forward(true, false, 1, cut.fails(ErrorCode.ER_NO_SUCH_TABLE, "gone"));
    assertEquals(List.of("failed 1146"), told);
  }

  @Test
  void aReadThatWasDisturbedTellsTheClientNothing() {
    branch.disturbances.add(true);
    forward(true, true, 1, rows("shop", 2_000, 100).inPieces(1_000));
    assertEquals(0, sent().length);
    assertEquals(List.of("disturbed"), told);
    forward(true, true, 1, rows("shop", 1, 1));
    assertArrayEquals(bytes(rows("shop", 1, 1)), sent());
    assertEquals(List.of("disturbed", "forwarded"), told);
  }

  @Test
  void aConnectionThatBreaksAnywhereIsToldOnceAndLeavesNothing() {
    int length = rows("shop", 3, 10).length();
    for (int missing = 1; missing <= length; missing++) {
      told.clear();
      FakeBranch broken = new FakeBranch(new DnId("dn-1"), client.eventLoop(), (on, sent) -> reply);
      reply = rows("shop", 3, 10).breaksBefore(missing);
      ForwardedReply forwarded = new ForwardedReply(client, true, text -> text, this);
      forwarded.begin(bytes(PHYSICAL), bytes("shop"), null, STATUS, 1);
      ByteBuf command = Unpooled.buffer();
      Packets.writeCommand(command, Command.QUERY, bytes(ANY.text()));
      broken.send(command, ReplyKind.RESULTS, forwarded);
      broken.flush();
      assertEquals(List.of("lost 2013 NOTHING"), told);
      assertEquals(0, sent().length);
      assertFalse(broken.alive());
    }
  }

  @Test
  void aConnectionThatBreaksAfterRowsWereSentIsToldAsThat() {
    forward(true, false, 1, rows("shop", 100, 1_000).inPieces(20_000).breaksBefore(1));
    assertTrue(sent().length > 15_000);
    assertEquals(List.of("lost 2013 PACKETS"), told);
  }

  @Test
  void aDefectAfterTheEndIsALossOfWhatTheClientHas() {
    afterwards =
        () -> {
          throw new IllegalStateException("a defect");
        };
    forward(true, false, 1, rows("shop", 1, 1));
    assertArrayEquals(bytes(rows("shop", 1, 1)), sent());
    assertEquals(List.of("forwarded", "lost 2013 MORE"), told);
    assertFalse(branch.alive());
  }

  @Test
  void aLackOfStackAfterTheEndIsSuchALossToo() {
    afterwards =
        () -> {
          throw new StackOverflowError();
        };
    forward(true, false, 1, rows("shop", 1, 1));
    sent();
    assertEquals(List.of("forwarded", "lost 2013 MORE"), told);
    assertFalse(branch.alive());
  }

  @Test
  void aReplyThatWasLeftIsNotLookedAt() {
    for (int bytes = 1; bytes < 60; bytes++) {
      told.clear();
      FakeReply many = rows("shop", 3, 100).inPieces(bytes);
      FakeBranch slow = new FakeBranch(new DnId("dn-1"), client.eventLoop(), (on, sent) -> many);
      slow.stepwise = true;
      ForwardedReply left = new ForwardedReply(client, true, text -> text, this);
      left.begin(bytes(PHYSICAL), bytes("shop"), null, STATUS, 1);
      ByteBuf command = Unpooled.buffer();
      Packets.writeCommand(command, Command.QUERY, bytes(ANY.text()));
      slow.send(command, ReplyKind.RESULTS, left);
      slow.flush();
      slow.arrive();
      slow.arrive();
      left.leave();
      slow.arriveAll();
      assertEquals(List.of(), told);
      assertEquals(0, sent().length);
    }
  }

  @Test
  void severalResultsAreOneReply() {
    FakeReply two =
        FakeReply.empty()
            .columns(PHYSICAL, 1)
            .row("a")
            .end(0, STATUS | ServerStatus.MORE_RESULTS_EXISTS)
            .ok(0, STATUS);
    FakeReply same =
        FakeReply.empty()
            .columns("shop", 1)
            .row("a")
            .end(0, STATUS | ServerStatus.MORE_RESULTS_EXISTS)
            .ok(0, STATUS);
    ForwardedReply forwarded = forward(true, false, 1, two);
    assertArrayEquals(bytes(same), sent());
    assertEquals(6, forwarded.nextSequence());
    assertEquals(List.of("forwarded"), told);
  }
}
