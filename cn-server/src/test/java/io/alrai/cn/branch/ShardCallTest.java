package io.alrai.cn.branch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.StepLoop;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A reply between the event loop that takes it and the thread that reads it. */
class ShardCallTest {
  private static final Sql READ = Sql.of("SELECT c0 FROM t");

  private final StepLoop loop = new StepLoop();
  private FakeReply reply = FakeReply.ok();
  private final FakeBranch branch = new FakeBranch(new DnId("dn-1"), loop, (on, sent) -> reply);

  /** The calls of what was passed to the call. */
  private final List<String> calls = new ArrayList<>();

  private final ShardCall call =
      new ShardCall(() -> calls.add("complete"), () -> calls.add("answer"), () -> false);

  private void start(FakeReply given) {
    reply = given;
    call.runsOn(branch);
    branch.send(Commands.query(ByteBufAllocator.DEFAULT, READ), ReplyKind.RESULTS, call);
    branch.flush();
  }

  private static FakeReply rows(int count, int width) {
    FakeReply reply = FakeReply.empty().columns("shop", 1);
    for (int i = 0; i < count; i++) {
      reply.row("x".repeat(width));
    }
    return reply.end(0, ServerStatus.AUTOCOMMIT);
  }

  private String nextRow() {
    byte[] row = call.nextRow();
    return row == null
        ? "none"
        : new String(Lenenc.readBytes(Unpooled.wrappedBuffer(row)), StandardCharsets.UTF_8);
  }

  /** Reads all rows on a thread of its own. */
  private CompletableFuture<Integer> readAll() {
    CompletableFuture<Integer> read = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            call.columns();
            int count = 0;
            while (call.nextRow() != null) {
              count++;
            }
            call.status();
            read.complete(count);
          } catch (RuntimeException e) {
            read.completeExceptionally(e);
          }
        });
    return read;
  }

  @Test
  void aReplyIsReadInItsOrder() {
    start(FakeReply.rows("shop", 1, "a", "b"));
    assertEquals(List.of("complete", "answer"), calls);
    assertTrue(call.succeeded());
    assertEquals("c0", call.columns().getFirst().name());
    assertEquals("a", nextRow());
    assertEquals("b", nextRow());
    assertNull(call.nextRow());
    assertEquals(0, call.status().warnings());
    call.close();
  }

  @Test
  void whatGivesNoRowsHasNoColumns() {
    start(FakeReply.empty().ok(3, ServerStatus.AUTOCOMMIT));
    assertEquals(List.of(), call.columns());
    assertEquals(3, call.update().affectedRows());
    assertThrows(AlraiException.class, call::status, "read after the end");
  }

  @Test
  void severalResultsAreReadOneAfterTheOther() {
    int more = ServerStatus.AUTOCOMMIT | ServerStatus.MORE_RESULTS_EXISTS;
    start(
        FakeReply.empty()
            .columns("shop", 1)
            .row("a")
            .row("b")
            .end(0, more)
            .columns("shop", 1)
            .row("c")
            .end(0, ServerStatus.AUTOCOMMIT));
    call.columns();
    assertEquals("a", nextRow());
    call.status();
    call.columns();
    assertEquals("c", nextRow());
    assertNull(call.nextRow());
    call.status();
  }

  @Test
  void anErrorIsThrownWhereItComes() {
    start(
        FakeReply.empty()
            .columns("shop", 1)
            .row("a")
            .fails(ErrorCode.ER_QUERY_TIMEOUT, "too long"));
    assertFalse(call.succeeded());
    call.columns();
    assertEquals("a", nextRow());
    assertEquals(
        ErrorCode.ER_QUERY_TIMEOUT.errno(),
        assertThrows(AlraiException.class, call::nextRow).errno());
  }

  @Test
  void anErrorInsteadOfColumnsIsThrownByThese() {
    call.failsAs(error -> new AlraiException(ErrorCode.ER_LOCK_DEADLOCK, error.sentence()));
    start(FakeReply.error(ErrorCode.ER_NO_SUCH_TABLE, "gone"));
    assertEquals(
        ErrorCode.ER_LOCK_DEADLOCK.errno(),
        assertThrows(AlraiException.class, call::columns).errno(),
        "as it is to be worded");
  }

  @Test
  void anyPiecesGiveTheSameRows() {
    for (int bytes = 1; bytes < 30; bytes++) {
      ShardCall cut = new ShardCall(() -> {});
      reply = FakeReply.rows("shop", 1, "a", "bb", "").inPieces(bytes);
      cut.runsOn(branch);
      branch.send(Commands.query(ByteBufAllocator.DEFAULT, READ), ReplyKind.RESULTS, cut);
      branch.flush();
      cut.columns();
      assertEquals(2, cut.nextRow().length);
      assertEquals(3, cut.nextRow().length);
      assertEquals(1, cut.nextRow().length);
      assertNull(cut.nextRow());
      cut.status();
    }
  }

  @Test
  void readingStopsWhileNobodyTakesTheRowsAndGoesOnWhenSomebodyDoes() {
    start(rows(1_000, 1_000).inPieces(50_000));
    assertTrue(branch.paused);
    assertEquals(List.of("answer"), calls, "its reader is to come");
    CompletableFuture<Integer> read = readAll();
    loop.await(read::isDone);
    assertEquals(1_000, read.join());
    assertFalse(branch.paused);
    assertTrue(branch.readings.size() >= 2, () -> "stopped and begun: " + branch.readings);
    assertEquals(List.of("answer", "complete"), calls);
  }

  @Test
  void aConnectionThatBreaksAmongRowsIsAnErrorAfterThem() {
    start(FakeReply.rows("shop", 1, "a", "b").breaksBefore(13));
    call.columns();
    assertEquals("a", nextRow());
    assertEquals(
        ErrorCode.CR_SERVER_LOST.errno(),
        assertThrows(AlraiException.class, call::nextRow).errno());
    assertEquals(List.of("complete", "answer"), calls);
    call.close();
  }

  @Test
  void aConnectionThatBreaksWakesItsReader() {
    branch.stepwise = true;
    start(rows(2, 10).inPieces(40));
    CompletableFuture<Integer> read = readAll();
    branch.arrive();
    branch.breakOff();
    loop.await(read::isDone);
    assertTrue(read.isCompletedExceptionally());
  }

  @Test
  void onlyWhatHasBegunIsNotSentAgain() {
    call.sentAgainBy(loss -> {
      calls.add("sent again");
      return true;
    });
    call.failed(new AlraiException(ErrorCode.CR_SERVER_GONE_ERROR, "stale"));
    assertEquals(List.of("sent again"), calls);
    start(FakeReply.rows("shop", 1, "a").breaksBefore(5));
    assertEquals(List.of("sent again", "complete", "answer"), calls);
  }

  @Test
  void whoClosesEarlyReadsAShortRestToItsEnd() {
    branch.stepwise = true;
    start(rows(20, 10).inPieces(60));
    call.endsBy(() -> calls.add("killed"), TimeUnit.SECONDS.toNanos(20));
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(call::close, Thread::startVirtualThread);
    loop.await(call::discarded);
    branch.arriveAll();
    loop.await(closed::isDone);
    assertEquals(List.of("complete", "answer"), calls);
    assertTrue(branch.alive());
  }

  @Test
  void whoClosesEarlyHasALongRestEnded() {
    branch.stepwise = true;
    start(rows(3_000, 1_000).inPieces(50_000));
    call.endsBy(
        () -> {
          calls.add("killed");
          loop.execute(branch::arriveAll);
        },
        TimeUnit.SECONDS.toNanos(20));
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(call::close, Thread::startVirtualThread);
    loop.await(call::discarded);
    for (int i = 0; i < 30; i++) {
      branch.arrive();
    }
    loop.await(closed::isDone);
    assertTrue(calls.contains("killed"));
    assertFalse(branch.paused);
    assertTrue(branch.alive(), "it has come to its end");
  }

  @Test
  void whatIsThrownAwayIsThereForNobody() {
    branch.stepwise = true;
    start(rows(100, 1_000).inPieces(30_000));
    branch.arrive();
    call.drop(loop, () -> calls.add("killed"), () -> calls.add("dropped"));
    branch.arriveAll();
    assertEquals(List.of("complete", "dropped"), calls);
    call.drop(loop, () -> calls.add("killed"), () -> calls.add("dropped at once"));
    assertEquals("dropped at once", calls.getLast());
  }

  @Test
  void aRefusedCallIsItsReadersError() {
    call.refuse(new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "dn-1 is down"));
    assertEquals(List.of("complete", "answer"), calls);
    assertEquals(
        ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(),
        assertThrows(AlraiException.class, call::columns).errno());
    assertEquals(0, call.connectionId());
  }

  @Test
  void anInterruptEndsTheWaitForARow() {
    branch.silent = true;
    start(rows(1, 1));
    Thread.currentThread().interrupt();
    assertEquals(
        ErrorCode.ER_QUERY_INTERRUPTED.errno(),
        assertThrows(AlraiException.class, call::nextRow).errno());
    assertTrue(Thread.interrupted());
    assertEquals(1, call.connectionId());
  }
}
