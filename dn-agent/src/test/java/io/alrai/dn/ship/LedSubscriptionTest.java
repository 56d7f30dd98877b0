package io.alrai.dn.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogReader;
import io.alrai.dn.binlog.TransactionKind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LedSubscriptionTest {
  private static final UUID SERVER = new UUID(1, 2);
  private static final LeadNumber LEAD = new LeadNumber(9, 40);

  private final Queue<BinlogTransaction> kept = new ArrayDeque<>();
  private final Feed feed =
      new Feed(new FeedBounds(1 << 20, 64, 1 << 20), (from, bytes) -> mysqld());
  private final Queue<BinlogTransaction> mysqlds = new ArrayDeque<>();
  private boolean closed;

  private LogReader mysqld() {
    if (mysqlds.isEmpty()) {
      throw new BinlogException("there is no mysqld");
    }
    return new LogReader() {
      @Override
      public Optional<BinlogTransaction> poll(long millis) {
        return Optional.ofNullable(mysqlds.poll());
      }

      @Override
      public void close() {
        mysqlds.clear();
      }
    };
  }

  private static GtidSet set(String numbers) {
    return GtidSet.parse(SERVER + ":" + numbers);
  }

  private static BinlogTransaction transaction(long number) {
    return new BinlogTransaction(
        new Gtid(SERVER, "", number),
        new BinlogPosition("binlog.000001", 100 * number),
        1,
        true,
        new TransactionKind.Commit(),
        1,
        List.of(),
        Optional.of(new EventBytes(new byte[1])));
  }

  private static HlcTimestamp stamp(long number) {
    return HlcTimestamp.ofMillis(1_000 + number);
  }

  private LedSubscription after(String known) {
    return LedSubscription.after(
        set(known),
        LEAD,
        feed,
        (has, until) ->
            new Backlog() {
              @Override
              public Optional<Missed> next(long millis) {
                return Optional.ofNullable(kept.poll())
                    .map(one -> new Missed(one, Optional.of(stamp(one.gtid().number()))));
              }

              @Override
              public void close() {
                closed = true;
              }
            });
  }

  private static void assertNext(long number, LedSubscription reader) throws Exception {
    assertEquals(number, reader.next(Duration.ZERO).orElseThrow().gtid().number());
    assertEquals(Optional.of(stamp(number)), reader.stamp());
  }

  @Test
  void whatWasMissedComesFirstAndHasNoPlace() throws Exception {
    feed.begin(set("1-4"), new BinlogPosition("binlog.000002", 4));
    kept.add(transaction(3));
    kept.add(transaction(4));
    try (LedSubscription reader = after("1-2")) {
      feed.publish(transaction(5), stamp(5));
      assertEquals(Optional.empty(), reader.place());
      assertNext(3, reader);
      assertEquals(Optional.empty(), reader.place(), "the place is another leader's");
      assertEquals(set("1-3"), reader.position());
      assertNext(4, reader);
      assertTrue(closed);
    }
  }

  @Test
  void theFeedGoesOnWhereWhatWasMissedEnds() throws Exception {
    feed.begin(set("1-3"), new BinlogPosition("binlog.000002", 4));
    kept.add(transaction(3));
    try (LedSubscription reader = after("1-2")) {
      assertNext(3, reader);
      assertEquals(Optional.empty(), reader.next(Duration.ZERO), "only takes its place");
      assertEquals(
          Optional.of(new LogPlace(LEAD, new BinlogPosition("binlog.000002", 4))), reader.place());
      feed.publish(transaction(4), stamp(4));
      assertNext(4, reader);
      assertEquals(set("1-4"), reader.position());
    }
  }

  @Test
  void whoHasAllNeedsNoBacklog() throws Exception {
    feed.begin(set("1-3"), new BinlogPosition("binlog.000002", 4));
    try (LedSubscription reader =
        LedSubscription.after(set("1-3"), LEAD, feed, Backlog.none("dn-1"))) {
      assertEquals(Optional.empty(), reader.next(Duration.ZERO));
      feed.publish(transaction(4), stamp(4));
      assertNext(4, reader);
    }
    assertTrue(
        assertThrows(
                BinlogException.class,
                () -> LedSubscription.after(set("1-2"), LEAD, feed, Backlog.none("dn-1")))
            .positionLost());
  }

  /** Its DN's group was forced, and lost what this one has read. */
  @Test
  void whoHasMoreThanTheLeaderMustBeginAnew() {
    feed.begin(set("1-3"), new BinlogPosition("binlog.000002", 4));
    assertTrue(assertThrows(BinlogException.class, () -> after("1-4")).positionLost());
    assertTrue(assertThrows(BinlogException.class, () -> after("1-2:5")).positionLost());
  }

  @Test
  void whatNobodyKeepsIsReadAgainWhereItsStampsAreKnown() {
    feed.begin(set("1-3"), new BinlogPosition("binlog.000002", 4));
    feed.publish(transaction(4), stamp(4));
    try (LedSubscription reader =
        LedSubscription.after(set("1-3"), LEAD, feed, Backlog.none("dn-1"))) {
      assertEquals(set("1-3"), reader.position());
    }
  }

  /** A follower has fed the reader, and has forgotten what comes next, as the leader's log has. */
  @Test
  void whatTheGroupsLogHasForgottenTheFeedMayHave() throws Exception {
    feed.ofGroup();
    feed.begin(set("1-2"), new BinlogPosition("binlog.000002", 4));
    feed.publish(transaction(3), stamp(3));
    feed.publish(transaction(4), stamp(4));
    mysqlds.add(transaction(4));
    mysqlds.add(transaction(5));
    try (LedSubscription reader =
        LedSubscription.after(set("1-3"), LEAD, feed, Backlog.none("dn-1"))) {
      assertNext(4, reader);
      feed.publish(transaction(5), stamp(5));
      assertNext(5, reader);
      assertEquals(set("1-5"), reader.position());
    }
    assertTrue(
        assertThrows(
                BinlogException.class,
                () -> LedSubscription.after(set("1"), LEAD, feed, Backlog.none("dn-1")))
            .positionLost(),
        "its leader knows no stamp of 2");
  }

  @Test
  void aLaterLeadIsBeyondAllPlacesOfAnEarlierOne() {
    BinlogPosition far = new BinlogPosition("binlog.000009", 900);
    BinlogPosition near = new BinlogPosition("binlog.000001", 4);
    LogPlace old = new LogPlace(new LeadNumber(3, 70), far);
    LogPlace again = new LogPlace(new LeadNumber(3, 80), near);
    LogPlace now = new LogPlace(new LeadNumber(5, 60), near);
    assertTrue(old.compareTo(again) < 0);
    assertTrue(again.compareTo(now) < 0);
    assertTrue(now.compareTo(new LogPlace(now.lead(), far)) < 0);
  }
}
