package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.binlog.Xid;
import io.alrai.dn.gate.live.CommitLog.Restamp;
import io.alrai.dn.group.GroupEntry.Stamped;
import io.alrai.dn.group.GroupEntry.Written;
import io.alrai.dn.raft.LogEntry;
import io.alrai.dn.ship.Backlog;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class GroupBacklogTest {
  private static final UUID SERVER = new UUID(1, 2);
  private static final String NAME = SERVER + ":";
  private static final HlcTimestamp H = HlcTimestamp.ofMillis(1_000_000);
  private static final TransactionKind PLAIN = new TransactionKind.Commit();
  private static final TransactionKind OF_BRANCH =
      new TransactionKind.XaCommit(new Xid(1, "branch", ""));

  private final List<LogEntry> log = new ArrayList<>();

  private void add(GroupEntry entry) {
    log.add(new LogEntry(1, log.size(), ByteBuffer.wrap(EntryCodec.encode(entry))));
  }

  private static HlcTimestamp stamp(int number) {
    return HlcTimestamp.ofMillis(900_000 + number);
  }

  private static Stamped stamped(
      int number, TransactionKind kind, HlcTimestamp stamp, long length) {
    return new Stamped(
        new BinlogTransaction(
            new Gtid(SERVER, "", number),
            new BinlogPosition("binlog.000001", 100L * number),
            length,
            true,
            kind,
            1,
            List.of(),
            Optional.empty()),
        stamp);
  }

  private void transaction(int number, TransactionKind kind, HlcTimestamp stamp) {
    Written written =
        new Written(stamped(number, kind, stamp, 1), ByteBuffer.wrap(new byte[] {(byte) number}));
    add(new GroupEntry.Transactions(H, List.of(written)));
  }

  private GroupBacklog open(String known, String until) {
    return new GroupBacklog(source(), GtidSet.parse(known), GtidSet.parse(until));
  }

  /** What is added later comes, too. */
  private LogSource source() {
    return new LogSource(
        any -> {
          int[] next = {0};
          return millis -> next[0] < log.size() ? log.get(next[0]++) : null;
        },
        index -> Optional.of(log.get((int) index)),
        () -> 0);
  }

  private List<Backlog.Missed> missed(String known, String until) throws InterruptedException {
    List<Backlog.Missed> all = new ArrayList<>();
    try (GroupBacklog backlog = open(known, until)) {
      Optional<Backlog.Missed> next;
      while ((next = backlog.next(0)).isPresent()) {
        all.add(next.get());
      }
    }
    return all;
  }

  private static List<Long> numbers(List<Backlog.Missed> missed) {
    return missed.stream().map(one -> one.transaction().gtid().number()).toList();
  }

  @Test
  void whatIsVisibleAndNotKnownComesInTheOrderOfTheLog() throws Exception {
    for (int number : new int[] {1, 2, 4, 3, 5, 6}) {
      transaction(number, PLAIN, stamp(number));
    }
    List<Backlog.Missed> missed = missed(NAME + "1-2", NAME + "1-5");
    assertEquals(List.of(4L, 3L, 5L), numbers(missed));
    assertEquals(Optional.of(stamp(4)), missed.getFirst().stamp());
    assertArrayEquals(
        new byte[] {4},
        ByteBufUtil.getBytes(missed.getFirst().transaction().events().orElseThrow().view()));
  }

  @Test
  void theLastStampOfATransactionCounts() throws Exception {
    transaction(1, PLAIN, stamp(1));
    transaction(2, OF_BRANCH, HlcTimestamp.ZERO);
    add(new GroupEntry.Stamps(H, List.of(new Restamp(new Gtid(SERVER, "", 1), stamp(7)))));
    add(
        new GroupEntry.Stamps(
            H,
            List.of(
                new Restamp(new Gtid(SERVER, "", 1), stamp(8)),
                new Restamp(new Gtid(SERVER, "", 2), stamp(9)))));
    assertEquals(
        List.of(Optional.of(stamp(8)), Optional.of(stamp(9))),
        missed("", NAME + "1-2").stream().map(Backlog.Missed::stamp).toList());
  }

  /** Its leader died before it had learned, or written, when the branch was committed. */
  @Test
  void aBranchWhoseStampIsNotInTheLogHasNone() throws Exception {
    transaction(1, OF_BRANCH, HlcTimestamp.ZERO);
    transaction(2, PLAIN, HlcTimestamp.ZERO);
    assertEquals(
        List.of(Optional.empty(), Optional.of(HlcTimestamp.ZERO)),
        missed("", NAME + "1-2").stream().map(Backlog.Missed::stamp).toList());
  }

  @Test
  void aTransactionInPiecesComesWithItsEvents() throws Exception {
    byte[] events = {1, 2, 3, 4, 5};
    Stamped last = stamped(1, PLAIN, stamp(1), 5);
    Gtid name = last.transaction().gtid();
    add(new GroupEntry.Piece(H, name, 0, 5, Optional.empty(), ByteBuffer.wrap(events, 0, 2)));
    add(new GroupEntry.Piece(H, name, 2, 5, Optional.of(last), ByteBuffer.wrap(events, 2, 3)));
    Backlog.Missed missed = missed("", NAME + "1").getFirst();
    assertArrayEquals(
        events, ByteBufUtil.getBytes(missed.transaction().events().orElseThrow().view()));
  }

  @Test
  void whatTheLogHasNotAnyMoreIsGone() throws Exception {
    transaction(3, PLAIN, stamp(3));
    add(new GroupEntry.Clock(H, GtidSet.parse(NAME + "1-3")));
    assertTrue(
        assertThrows(BinlogException.class, () -> open(NAME + "1", NAME + "1-3")).positionLost());
    assertTrue(
        assertThrows(BinlogException.class, () -> open(NAME + "1-4", NAME + "1-3")).positionLost());
  }

  /** From one mark of the leader to the next: 3 is committed long before it is visible. */
  @Test
  void moreIsGivenAsItBecomesVisible() throws Exception {
    for (int number : new int[] {1, 2, 3}) {
      transaction(number, PLAIN, stamp(number));
    }
    try (GroupBacklog backlog = new GroupBacklog(source(), GtidSet.parse(NAME + "1"))) {
      assertTrue(backlog.isAtEnd());
      assertFalse(backlog.extend(GtidSet.parse(NAME + "1-4"), 4, 0), "4 has not come");
      assertTrue(backlog.extend(GtidSet.parse(NAME + "1-2"), 2, 0));
      assertEquals(2, backlog.next(0).orElseThrow().transaction().gtid().number());
      assertTrue(backlog.isAtEnd());
      assertTrue(backlog.hasMore());
      assertEquals(Optional.empty(), backlog.next(0));
      add(new GroupEntry.Stamps(H, List.of(new Restamp(new Gtid(SERVER, "", 3), stamp(8)))));
      transaction(4, PLAIN, stamp(4));
      assertTrue(backlog.extend(GtidSet.parse(NAME + "1-4"), 4, 0));
      assertEquals(Optional.of(stamp(8)), backlog.next(0).orElseThrow().stamp());
      assertEquals(4, backlog.next(0).orElseThrow().transaction().gtid().number());
      assertFalse(backlog.hasMore());
      assertEquals(GtidSet.parse(NAME + "1-4"), backlog.given());
    }
  }

  /** What comes later must not come without what is before it: another member may have that. */
  @Test
  void whatTheLogHasForgottenIsMissedBeforeAnythingIsGiven() throws Exception {
    transaction(2, PLAIN, stamp(2));
    try (GroupBacklog backlog = new GroupBacklog(source(), new GtidSet())) {
      assertTrue(
          assertThrows(
                  BinlogException.class, () -> backlog.extend(GtidSet.parse(NAME + "1-2"), 0, 0))
              .positionLost());
      assertEquals(Optional.empty(), backlog.next(0));
    }
  }
}
