package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.group.GroupEntry.Stamped;
import io.alrai.dn.group.GroupEntry.Written;
import io.alrai.dn.group.VoterLog.Unknown;
import io.alrai.dn.raft.KeptLog;
import io.alrai.dn.raft.LastEntry;
import io.alrai.dn.raft.LogEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VoterLogTest {
  private static final UUID SERVER = new UUID(1, 2);
  private static final HlcTimestamp H = HlcTimestamp.ofMillis(1_000_000);

  private final List<LogEntry> entries = new ArrayList<>();
  private final GroupView view = new GroupView("a", new Nobody(), System::nanoTime);
  private final Kept kept = new Kept();
  private long nanos;
  private int open;
  private int pauses;
  private final VoterLog log = new VoterLog(new Source(), view, kept, () -> nanos);

  private record Nobody() implements GroupView.Listener {
    @Override
    public void changed() {}

    @Override
    public void failed(Throwable reason) {
      throw new AssertionError(reason);
    }
  }

  private static final class Kept implements KeptLog {
    private boolean leads;
    private boolean tooLong;
    private long released = -1;
    private LastEntry last = LastEntry.NONE;

    @Override
    public LastEntry last() {
      return last;
    }

    @Override
    public boolean leads() {
      return leads;
    }

    @Override
    public Optional<String> leader() {
      return Optional.empty();
    }

    @Override
    public boolean isTooLong() {
      return tooLong;
    }

    @Override
    public void release(long index) {
      released = index;
    }
  }

  /** Counts readers that are open. */
  private final class Source implements GroupSource {
    @Override
    public GroupReader open(GtidSet known) {
      GroupReader reader = entries(nanos).open(known);
      open++;
      return new GroupReader() {
        @Override
        public @Nullable Shipped poll(long millis) throws InterruptedException {
          return reader.poll(millis);
        }

        @Override
        public long passed() {
          return reader.passed();
        }

        @Override
        public long spent() {
          return reader.spent();
        }

        @Override
        public void close() {
          open--;
        }
      };
    }

    @Override
    public Look look(GtidSet known) {
      return entries(nanos).look(known);
    }
  }

  private LogSource entries(long now) {
    return new LogSource(
        any -> new Entries(), index -> Optional.of(entries.get((int) index)), () -> now);
  }

  private final class Entries implements LogSource.Entries {
    private int next;

    @Override
    public @Nullable LogEntry poll(long millis) {
      return next < entries.size() ? entries.get(next++) : null;
    }

    @Override
    public long passed() {
      return next - 1;
    }
  }

  private void add(GroupEntry entry) {
    byte[] content = EntryCodec.encode(entry);
    long index = entries.size();
    entries.add(new LogEntry(1, index, ByteBuffer.wrap(content)));
    view.committed(1, index, ByteBuffer.wrap(content));
  }

  private static Stamped stamped(int number, int length) {
    BinlogTransaction one =
        new BinlogTransaction(
            new Gtid(SERVER, "", number),
            new BinlogPosition("binlog.000001", 100L * number),
            length,
            true,
            new TransactionKind.Commit(),
            1,
            List.of(),
            Optional.empty());
    return new Stamped(one, H);
  }

  private void commit(int number) {
    add(
        new GroupEntry.Transactions(
            H, List.of(new Written(stamped(number, 1), ByteBuffer.wrap(new byte[] {7})))));
  }

  /** A byte of a transaction of two. */
  private void piece(int number, int offset) {
    Stamped last = stamped(number, 2);
    add(
        new GroupEntry.Piece(
            H,
            last.transaction().gtid(),
            offset,
            2,
            offset == 0 ? Optional.empty() : Optional.of(last),
            ByteBuffer.wrap(new byte[] {7})));
  }

  private void settle(String transactions) {
    add(new GroupEntry.Clock(H, set(transactions)));
  }

  private static GtidSet set(String numbers) {
    return GtidSet.parse(numbers.isEmpty() ? "" : SERVER + ":" + numbers);
  }

  private void leads(long term) {
    view.leads(term);
    kept.leads = true;
  }

  private Unknown unknown(String known, Runnable meanwhile) throws InterruptedException {
    pauses = 0;
    return log.unknown(
        set(known),
        () -> {
          pauses++;
          meanwhile.run();
        });
  }

  @Test
  void whoFollowsMayLag() throws Exception {
    commit(1);
    settle("1");
    assertEquals(new Unknown(set(""), false), unknown("1", () -> {}));
    assertEquals(new Unknown(set("2"), false), unknown("1-2", () -> {}));
    kept.leads = true; // elected, and has not heard yet what was committed before
    assertEquals(new Unknown(set("2"), false), unknown("1-2", () -> {}));
    assertEquals(0, pauses);
  }

  @Test
  void aLeaderMayHearLaterThanOthersWhatIsCommitted() throws Exception {
    commit(1);
    leads(3);
    assertEquals(
        new Unknown(set(""), false),
        unknown(
            "1-2",
            () -> {
              if (pauses == 2) {
                commit(2);
              }
            }));
    assertEquals(2, pauses);
    assertEquals(new Unknown(set("3"), true), unknown("1-3", () -> {}));
    assertEquals(20, pauses);
  }

  @Test
  void whoWasCutOffFindsOutThatItLeadsNoMore() throws Exception {
    commit(1);
    leads(3);
    assertEquals(new Unknown(set("2"), false), unknown("1-2", () -> kept.leads = pauses < 19));
    leads(3);
    assertEquals(
        new Unknown(set("2"), false),
        unknown(
            "1-2",
            () -> {
              view.follows();
              leads(5); // and has heard all by then, or not
            }));
    assertEquals(1, pauses);
  }

  @Test
  void whatIsReadForOthersIsKeptForFiveMinutesMore() throws Exception {
    settle("");
    commit(1);
    commit(2);
    try (GroupReader reader = log.open(set("1"), () -> {})) {
      assertEquals(1, open, "the look has ended");
      Shipped next = reader.poll(0);
      assertNotNull(next);
      assertEquals(2, next.gtid().number());
      log.release(9);
      assertEquals(-2, kept.released, "what it gave last may not have been taken");
      reader.poll(0);
      log.release(9);
      assertEquals(1, kept.released);
      kept.tooLong = true;
      log.release(9);
      assertEquals(9, kept.released);
      kept.tooLong = false;
    }
    assertEquals(0, open);
    nanos += TimeUnit.MINUTES.toNanos(5);
    assertEquals(1, log.keeps(9));
    nanos++;
    assertEquals(9, log.keeps(9));
  }

  /** Its first pieces are read again when its last one has come. */
  @Test
  void aTransactionThatHasBegunIsKept() throws Exception {
    settle("");
    piece(1, 0);
    settle("");
    settle("");
    try (GroupReader reader = log.open(set(""), () -> {})) {
      assertNull(reader.poll(0));
      assertNull(reader.poll(0));
      assertEquals(0, log.keeps(9), "before its first piece");
      piece(1, 1);
      assertNotNull(reader.poll(0));
      assertEquals(0, log.keeps(9), "it may not have been taken");
      assertNull(reader.poll(0));
      assertEquals(3, log.keeps(9));
    }
  }

  /** A column node that is slow, or hears nothing new, keeps its place. */
  @Test
  void whatIsReadForColumnsIsKept() throws Exception {
    commit(1);
    commit(2);
    try (GroupBacklog backlog = new GroupBacklog(log.kept(), set(""))) {
      assertEquals(-1, log.keeps(9));
      assertTrue(backlog.extend(set("1"), 1, 0));
      assertEquals(1, backlog.next(0).orElseThrow().transaction().gtid().number());
      assertTrue(log.keeps(9) < 1);
      settle("1");
      settle("1");
      backlog.readOn();
      backlog.readOn();
      assertEquals(2, log.keeps(9), "what is read is held, visible or not");
      assertTrue(backlog.extend(set("1-2"), 1, 0));
      assertEquals(2, backlog.next(0).orElseThrow().transaction().gtid().number());
    }
    assertEquals(2, log.keeps(9));
    nanos += TimeUnit.MINUTES.toNanos(5) + 1;
    assertEquals(9, log.keeps(9));
    assertEquals(0, open);
  }

  @Test
  void whoHasForgottenKeepsNothing() {
    assertTrue(
        assertThrows(BinlogException.class, () -> log.open(set(""), () -> {}))
            .getMessage()
            .contains("has not heard yet"));
    settle("1-3");
    commit(4);
    BinlogException gone =
        assertThrows(BinlogException.class, () -> log.open(set("1-2"), () -> {}));
    assertTrue(gone.positionLost());
    assertEquals(0, open, "all readers are closed");
    assertEquals(9, log.keeps(9));
  }

  /** An entry that it hears on the way says less than the one by which it let others go. */
  @Test
  void whoHasNotReadItsLogAnewSinceItsStartTeachesNobody() throws Exception {
    kept.last = new LastEntry(1, 3);
    VoterLog started = new VoterLog(new Source(), view, kept, () -> nanos);
    settle("1");
    commit(3);
    commit(4);
    BinlogException early =
        assertThrows(BinlogException.class, () -> started.open(set("1"), () -> {}));
    assertFalse(early.positionLost(), "another one is asked, and nobody clones");
    settle("1-2");
    assertTrue(
        assertThrows(BinlogException.class, () -> started.open(set("1"), () -> {})).positionLost());
    started.open(set("1-2"), () -> {}).close();
  }

  @Test
  void whoWasSentALaterBeginOfTheLogWaitsForWhatIsSettled() throws Exception {
    settle("1");
    commit(2);
    view.skipped(1);
    BinlogException early = assertThrows(BinlogException.class, () -> log.open(set("1"), () -> {}));
    assertFalse(early.positionLost());
    settle("1-2");
    log.open(set("1-2"), () -> {}).close();
  }
}
