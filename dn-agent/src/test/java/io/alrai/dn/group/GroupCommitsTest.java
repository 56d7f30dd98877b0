package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.live.CommitLog;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Commits of a leader in a scripted log, on one thread and a time that the test turns. */
class GroupCommitsTest {
  private static final UUID SERVER = new UUID(1, 2);
  private static final long START_MILLIS = 1_000_000;
  private static final HlcTimestamp STAMP = HlcTimestamp.ofMillis(START_MILLIS);

  private final EmbeddedChannel loop = new EmbeddedChannel();
  private final ScriptedLog log = new ScriptedLog();
  private final List<String> told = new ArrayList<>();
  private final List<Throwable> lost = new ArrayList<>();
  private long wallMillis = START_MILLIS;
  private final NodeClock clock = NodeClock.inMemory(new HybridLogicalClock(() -> wallMillis, 500));
  private final GroupCommits commits;

  GroupCommitsTest() {
    loop.freezeTime();
    commits = new GroupCommits(log, loop.eventLoop(), clock, lost::add);
    commits.begins(
        new CommitLog.Written() {
          @Override
          public void durable(BinlogPosition through) {
            told.add("durable " + through.offset() / 100);
          }

          @Override
          public void stamps(long number) {
            told.add("stamps " + number);
          }
        });
  }

  private void turn() {
    loop.runPendingTasks();
  }

  private void pass(long millis) {
    for (long left = millis; left > 0; left -= 10) {
      wallMillis += 10;
      loop.advanceTimeBy(10, TimeUnit.MILLISECONDS);
      loop.runPendingTasks();
      loop.runScheduledPendingTasks();
    }
  }

  private void commit(int number) {
    log.commit(number);
    turn();
  }

  private static Gtid gtid(int number) {
    return new Gtid(SERVER, "", number);
  }

  private static BinlogTransaction transaction(int number, long length, boolean held) {
    return new BinlogTransaction(
        gtid(number),
        new BinlogPosition("binlog.000001", 100L * number),
        length,
        true,
        new TransactionKind.Commit(),
        1,
        List.of(),
        held ? Optional.of(new EventBytes(new byte[(int) length])) : Optional.empty());
  }

  private void append(int number, int length) {
    commits.append(transaction(number, length, true), STAMP);
  }

  private static long millis(GroupEntry entry) {
    return entry.reserved().millis();
  }

  // Transactions.

  @Test
  void whatArrivesInATurnGoesIntoOneEntry() {
    append(1, 100);
    append(2, 100);
    assertEquals(List.of(), log.entries, "there may be more");
    turn();
    append(3, 100);
    turn();
    assertEquals(List.of(2, 1), log.counts());
    assertEquals(List.of(), told);
    commit(0);
    assertEquals(List.of("durable 2"), told);
    commit(1);
    assertEquals(List.of("durable 2", "durable 3"), told);
    assertEquals(START_MILLIS + 400, millis(log.entries.getFirst()));
  }

  @Test
  void whatIsCommittedIsHeardOfWithTheNextEntry() {
    append(1, 100);
    turn();
    commits.spread();
    turn();
    assertEquals(List.of(1), log.counts(), "nothing is committed");
    commit(0);
    commits.spread();
    commits.spread();
    turn();
    assertEquals(List.of(1, 0), log.counts());
    commit(1);
    commits.spread();
    turn();
    assertEquals(List.of(1, 0), log.counts(), "nobody waits for that one");
    append(2, 100);
    turn();
    commit(2);
    append(3, 100);
    commits.spread();
    turn();
    assertEquals(List.of(1, 0, 1, 1), log.counts(), "with what is written anyway");
  }

  @Test
  void anEntryIsNotFilledBeyondItsBound() {
    for (int number = 1; number <= 10; number++) {
      append(number, 6_000);
    }
    turn();
    assertEquals(List.of(3, 3, 3, 1), log.counts());
  }

  @Test
  void moreIsGatheredWhileManyAreUnderWay() {
    for (int number = 1; number <= GroupCommits.FEW; number++) {
      append(number, 100);
      turn();
    }
    for (int number = 9; number <= 28; number++) {
      append(number, 10_000);
      turn();
    }
    assertEquals(GroupCommits.FEW, log.entries.size());
    commit(0);
    assertEquals(List.of(1, 1, 1, 1, 1, 1, 1, 1, 20), log.counts());
    for (int number = 29; number <= 60; number++) {
      append(number, 10_000);
      turn();
    }
    assertEquals(26, log.counts().get(9), "256 KiB are enough at any time");
    assertEquals(10, log.entries.size());
  }

  @Test
  void committedOutOfOrderIsToldInOrder() {
    for (int number = 1; number <= 3; number++) {
      append(number, 100);
      turn();
    }
    commit(2);
    commit(1);
    assertEquals(List.of(), told);
    commit(0);
    assertEquals(List.of("durable 1", "durable 2", "durable 3"), told);
  }

  @Test
  void nothingIsDurableAfterWhatMayBeLost() {
    for (int number = 1; number <= 3; number++) {
      append(number, 100);
      turn();
    }
    CompletableFuture<Long> settled = commits.settle(new GtidSet());
    turn();
    log.fail(1);
    commit(2);
    assertEquals(List.of(), lost, "the first may still be committed");
    commit(0);
    assertEquals(List.of("durable 1"), told);
    assertEquals("entry 1", lost.getFirst().getMessage());
    assertTrue(settled.isCompletedExceptionally());
    commit(3);
    append(4, 100);
    turn();
    assertEquals(4, log.entries.size());
    assertEquals(1, lost.size());
    assertEquals(List.of("durable 1"), told);
  }

  @Test
  void whatIsTooLongIsALossAndNoSilence() {
    GroupCommits refusing =
        new GroupCommits(
            entry -> {
              throw new IllegalArgumentException("bytes");
            },
            loop.eventLoop(),
            clock,
            lost::add);
    refusing.append(transaction(1, 100, true), STAMP);
    turn();
    assertInstanceOf(IllegalArgumentException.class, lost.getFirst());
  }

  @Test
  void theNextLifeHearsNothingOfTheLast() {
    append(1, 100);
    turn();
    append(2, 100);
    commits.ends();
    commit(0);
    assertEquals(List.of(), told);
    assertEquals(List.of(1), log.counts(), "the second was not even written");
  }

  @Test
  void stampsThatComeLateFollowTheirTransactions() {
    append(1, 100);
    HlcTimestamp late = HlcTimestamp.ofMillis(START_MILLIS + 5_000);
    commits.restamped(7, List.of(new CommitLog.Restamp(gtid(1), late)));
    assertEquals(List.of(1, 0), log.counts());
    assertEquals(late, log.entries.get(1).reserved(), "H covers what is ahead of the clock");
    commit(1);
    assertEquals(List.of(), told);
    commit(0);
    assertEquals(List.of("durable 1", "stamps 7"), told);
  }

  // Long transactions.

  @Test
  void aLongTransactionGoesInPieces() {
    byte[] events = new byte[(5 << 19) + 77];
    new Random(1).nextBytes(events);
    append(1, 100);
    commits.begins(gtid(2), events.length);
    give(events, 0, events.length);
    assertEquals(List.of(1, 0, 0), log.counts(), "two full pieces after what came before");
    commits.append(transaction(2, events.length, false), STAMP);
    append(3, 100);
    turn();
    assertEquals(List.of(1, 0, 0, 0, 1), log.counts());
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (GroupEntry entry : log.entries.subList(1, 4)) {
      GroupEntry.Piece piece = assertInstanceOf(GroupEntry.Piece.class, entry);
      assertEquals(joined.size(), piece.offset());
      assertEquals(events.length, piece.total());
      byte[] bytes = new byte[piece.bytes().remaining()];
      piece.bytes().get(bytes);
      joined.writeBytes(bytes);
      assertEquals(entry == log.entries.get(3), piece.last().isPresent());
    }
    assertArrayEquals(events, joined.toByteArray());
    for (int number = 0; number < 4; number++) {
      commit(number);
    }
    assertEquals(List.of("durable 1", "durable 2"), told);
  }

  private void give(byte[] events, int from, int to) {
    int step = 70_000;
    for (int at = from; at < to; at += step) {
      commits.take(Unpooled.wrappedBuffer(events), at, Math.min(step, to - at));
    }
  }

  private static List<TableName> tables(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new TableName("d".repeat(60), "t".repeat(55) + i))
        .toList();
  }

  @Test
  void namesOfTenThousandTablesGoBeforeTheLastPiece() {
    byte[] events = new byte[(2 << 20) + 77];
    List<TableName> tables = tables(20_000);
    commits.begins(gtid(1), events.length);
    give(events, 0, events.length);
    commits.append(transaction(1, events.length, false).with(tables), STAMP);
    List<TableName> found = new ArrayList<>();
    for (GroupEntry entry : log.entries.subList(2, log.entries.size() - 1)) {
      GroupEntry.Names names = assertInstanceOf(GroupEntry.Names.class, entry);
      assertEquals(gtid(1), names.gtid());
      found.addAll(names.tables());
    }
    assertEquals(tables, found);
    GroupEntry.Piece last = assertInstanceOf(GroupEntry.Piece.class, log.entries.getLast());
    assertTrue(last.last().isPresent());
    for (int number = 0; number < log.entries.size(); number++) {
      commit(number);
    }
    assertEquals(List.of("durable 1"), told);
    assertEquals(List.of(), lost);
  }

  @Test
  void manyNamesAreNotPutBesideWhatWasGathered() {
    int events = 1 << 20; // the longest that is held, and as many bytes of names
    append(1, 15_000);
    commits.append(transaction(2, events, true).with(tables(7_500)), STAMP);
    turn();
    assertEquals(List.of(1, 1), log.counts());
    assertEquals(List.of(), lost);
  }

  @Test
  void aBrokenStreamBeginsALongTransactionAnew() {
    byte[] events = new byte[3 << 20];
    commits.begins(gtid(1), events.length);
    give(events, 0, 2 << 20);
    commits.begins(gtid(1), events.length);
    give(events, 0, events.length);
    commits.append(transaction(1, events.length, false), STAMP);
    List<Long> offsets =
        log.entries.stream().map(entry -> ((GroupEntry.Piece) entry).offset() >> 20).toList();
    assertEquals(List.of(0L, 0L, 1L, 2L), offsets);
  }

  @Test
  void whatLacksEventsIsRefused() {
    commits.begins(gtid(1), 3 << 20);
    give(new byte[1 << 20], 0, 1 << 20);
    BinlogTransaction cut = transaction(1, 3 << 20, false);
    assertThrows(IllegalStateException.class, () -> commits.append(cut, STAMP));
    commits.begins(gtid(2), 10);
    assertThrows(BinlogException.class, () -> give(new byte[11], 0, 11));
  }

  @Test
  void theStreamIsNotReadWhileMuchIsUnderWay() {
    List<String> resumed = new ArrayList<>();
    byte[] events = new byte[40 << 20];
    commits.begins(gtid(1), events.length);
    give(events, 0, 30 << 20);
    assertFalse(commits.full(() -> resumed.add("early")));
    give(events, 30 << 20, 35 << 20);
    assertTrue(commits.full(() -> resumed.add("resumed")));
    for (int number = 0; number < 10; number++) {
      commit(number);
    }
    assertEquals(List.of(), resumed, "24 MiB are under way");
    for (int number = 10; number < 25; number++) {
      commit(number);
    }
    assertEquals(List.of("resumed"), resumed);
    assertFalse(commits.full(() -> resumed.add("late")));
  }

  // Time.

  @Test
  void aLeaderMayNotSpeakBeforeItsFirstEntryIsCommitted() {
    Reservation reservation = commits.reservation();
    assertFalse(reservation.allows(clock.nowValue()));
    CompletableFuture<Long> begun = commits.begin(GtidSet.parse(SERVER + ":1-5"));
    turn();
    GroupEntry.Begin begin = assertInstanceOf(GroupEntry.Begin.class, log.entries.getFirst());
    assertEquals(GtidSet.parse(SERVER + ":1-5"), begin.settled());
    assertFalse(reservation.allows(clock.nowValue()));
    commit(0);
    assertEquals(100L, begun.join());
    assertTrue(reservation.allows(begin.reserved().value()));
    assertFalse(reservation.allows(begin.reserved().value() + 1));
  }

  @Test
  void whoWaitsIsServedAfterOneRound() {
    List<String> ran = new ArrayList<>();
    Reservation reservation = commits.reservation();
    long now = clock.nowValue();
    reservation.whenAllowed(now, Runnable::run, () -> ran.add("first"));
    reservation.whenAllowed(now + 1, Runnable::run, () -> ran.add("second"));
    turn();
    assertEquals(1, log.entries.size(), "one entry serves both");
    assertInstanceOf(GroupEntry.Clock.class, log.entries.getFirst());
    assertEquals(List.of(), ran);
    commit(0);
    assertEquals(List.of("first", "second"), ran);
    reservation.whenAllowed(now, Runnable::run, () -> ran.add("third"));
    assertEquals(List.of("first", "second", "third"), ran);
  }

  @Test
  void transactionsReserveTimeToo() {
    append(1, 100);
    List<String> ran = new ArrayList<>();
    commits.reservation().whenAllowed(clock.nowValue(), Runnable::run, () -> ran.add("then"));
    turn();
    assertEquals(List.of(1), log.counts());
    commit(0);
    assertEquals(List.of("then"), ran);
  }

  @Test
  void timeIsReservedAheadWhileSomebodyAsks() {
    commits.begin(new GtidSet());
    turn();
    commit(0);
    pass(2_100);
    assertEquals(1, log.entries.size(), "nobody has asked");
    commits.reservation().allows(clock.nowValue());
    pass(50);
    assertEquals(2, log.entries.size());
    commit(1);
    pass(150);
    assertEquals(2, log.entries.size(), "less than half is used");
    pass(100);
    assertEquals(3, log.entries.size());
    commit(2);
    for (int number = 3; number < 40; number++) {
      pass(50);
      if (number < log.entries.size()) {
        commit(number);
      }
    }
    int soFar = log.entries.size();
    assertTrue(soFar > 8 && soFar < 16, soFar + " entries in two seconds");
    pass(3_000);
    assertTrue(log.entries.size() <= soFar + 1, "nobody has asked for long");
  }

  @Test
  void whatIsSettledIsInEveryClockAfterwards() {
    GtidSet settled = GtidSet.parse(SERVER + ":1-9");
    CompletableFuture<Long> done = commits.settle(settled);
    turn();
    commits.reservation().whenAllowed(clock.nowValue() + (1L << 40), Runnable::run, () -> {});
    turn();
    for (GroupEntry entry : log.entries) {
      assertEquals(settled, assertInstanceOf(GroupEntry.Clock.class, entry).settled());
    }
    assertEquals(2, log.entries.size());
    commit(0);
    assertTrue(done.isDone());
  }

  @Test
  void whatIsClosedWritesAndTellsNothing() {
    append(1, 100);
    turn();
    append(2, 100);
    commits.close();
    turn();
    commit(0);
    append(3, 100);
    pass(500);
    assertEquals(List.of(1), log.counts());
    assertEquals(List.of(), told);
    assertEquals(List.of(), lost);
  }
}
