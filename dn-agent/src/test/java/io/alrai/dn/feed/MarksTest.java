package io.alrai.dn.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.gate.live.CommitLog.Restamp;
import io.alrai.dn.group.DeafListener;
import io.alrai.dn.group.EntryCodec;
import io.alrai.dn.group.GroupEntry;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.Mark;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MarksTest {
  private static final GtidSet NOTHING = new GtidSet();
  private static final GtidSet SOME = GtidSet.parse("00000000-0000-0000-0000-00000000000a:1-5");
  private static final GtidSet MORE = GtidSet.parse("00000000-0000-0000-0000-00000000000a:1-6");
  private static final long SLICE = TimeUnit.MILLISECONDS.toNanos(10);

  /** How far the time is ahead. */
  private final AtomicLong ahead = new AtomicLong();

  private final GroupView view = new GroupView("b", new DeafListener(), () -> 0);

  private final AskedLog leader = new AskedLog();
  private final Marks marks =
      new Marks("b", view, () -> Optional.of(leader), () -> System.nanoTime() + ahead.get());

  private void hear(long term, long index, GroupEntry entry) {
    view.committed(term, index, ByteBuffer.wrap(EntryCodec.encode(entry)));
  }

  private static GroupEntry stamps() {
    return new GroupEntry.Stamps(
        HlcTimestamp.ZERO,
        List.of(new Restamp(new Gtid(new UUID(0, 1), "", 1), HlcTimestamp.ZERO)));
  }

  private static Mark mark(GtidSet visible, long index, LeadNumber lead) {
    return new Mark(visible, index, new LogPlace(lead, new BinlogPosition("binlog.000001", 4)));
  }

  private static CompletableFuture<Mark> told(Mark mark) {
    return CompletableFuture.completedFuture(mark);
  }

  @Test
  void nobodyIsAskedWhileNothingHappens() throws Exception {
    LeadNumber lead = new LeadNumber(1, 3);
    hear(1, 3, new GroupEntry.Begin(HlcTimestamp.ZERO, NOTHING));
    hear(1, 5, stamps());
    Mark first = mark(SOME, 5, lead);
    leader.mark = told(first);
    assertEquals(first, marks.first(NOTHING));
    assertEquals(Optional.empty(), marks.next(SOME, false, SLICE));
    hear(1, 6, new GroupEntry.Clock(HlcTimestamp.ZERO, NOTHING));
    assertEquals(Optional.empty(), marks.next(SOME, false, SLICE));
    assertEquals(1, leader.asked);
    hear(1, 7, stamps());
    Mark second = mark(SOME, 7, lead);
    leader.mark = told(second);
    assertEquals(Optional.of(second), marks.next(SOME, false, SLICE));
    assertEquals(Optional.empty(), marks.next(SOME, false, SLICE));
    assertEquals(2, leader.asked);
  }

  @Test
  void itIsAskedAgainWhileSomethingCommittedIsNotVisible() throws Exception {
    hear(1, 5, stamps());
    leader.mark = told(mark(SOME, 5, new LeadNumber(1, 3)));
    marks.first(NOTHING);
    Mark more = mark(MORE, 5, new LeadNumber(1, 3));
    leader.mark = told(more);
    assertEquals(Optional.of(more), marks.next(SOME, true, SLICE));
    for (int i = 0; i < 20; i++) {
      marks.next(SOME, true, SLICE);
    }
    assertTrue(leader.asked < 20, "asked too often: " + leader.asked);
  }

  /** That one does not know yet that it leads no more. */
  @Test
  void theMarkOfAFormerLeadIsNotTheLast() throws Exception {
    hear(1, 3, new GroupEntry.Begin(HlcTimestamp.ZERO, NOTHING));
    hear(1, 5, stamps());
    hear(2, 6, new GroupEntry.Begin(HlcTimestamp.ZERO, NOTHING));
    leader.mark = told(mark(SOME, 6, new LeadNumber(1, 3)));
    marks.first(NOTHING);
    Mark young = mark(SOME, 6, new LeadNumber(2, 6));
    leader.mark = told(young);
    assertEquals(Optional.of(young), marks.next(SOME, false, SLICE));
    assertEquals(Optional.empty(), marks.next(SOME, false, SLICE));
  }

  @Test
  void aLeaderThatKnowsLessThanTheReaderIsAskedInVain() {
    leader.mark = told(mark(SOME, 5, new LeadNumber(1, 3)));
    leader.onMark = () -> ahead.addAndGet(Marks.MOST_VAIN_NANOS / 4);
    BinlogException why = assertThrows(BinlogException.class, () -> marks.first(MORE));
    assertTrue(String.valueOf(why.getMessage()).contains("was visible"), why::getMessage);
    assertEquals(5, leader.asked, 1);
  }

  @Test
  void whoIsElectedGivesNothingMore() throws Exception {
    leader.mark = told(mark(SOME, 5, new LeadNumber(1, 3)));
    marks.first(NOTHING);
    view.leads(2);
    assertThrows(BinlogException.class, () -> marks.next(SOME, false, SLICE));
  }
}
