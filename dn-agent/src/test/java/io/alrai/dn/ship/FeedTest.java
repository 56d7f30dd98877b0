package io.alrai.dn.ship;

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
import io.alrai.dn.binlog.LogReader;
import io.alrai.dn.binlog.TransactionKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FeedTest {
  private static final UUID SERVER = new UUID(1, 2);
  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration SOON = Duration.ofSeconds(20);

  /** The mysqld's log, with what is not visible yet. */
  private final List<BinlogTransaction> log = new ArrayList<>();

  private int readersOpened;
  private int readersOpen;
  private boolean broken;
  private final Feed feed = new Feed(new FeedBounds(1 << 20, 8, 1 << 20), this::open);

  private LogReader open(GtidSet from, long bound) {
    readersOpened++;
    readersOpen++;
    return new LogReader() {
      private int at;

      @Override
      public Optional<BinlogTransaction> poll(long millis) {
        if (broken) {
          throw new BinlogException("the connection broke");
        }
        while (at < log.size() && from.contains(log.get(at).gtid())) {
          at++;
        }
        return at < log.size() ? Optional.of(log.get(at++)) : Optional.empty();
      }

      @Override
      public void close() {
        readersOpen--;
      }
    };
  }

  /** Written to the log, not visible. */
  private BinlogTransaction write() {
    int number = log.size() + 1;
    BinlogTransaction tx =
        new BinlogTransaction(
            new Gtid(SERVER, "", number),
            new BinlogPosition("binlog.00000" + (1 + number / 1_000), 100L * number),
            2 << 20,
            true,
            new TransactionKind.Commit(),
            1,
            List.of(),
            Optional.empty());
    log.add(tx);
    return tx;
  }

  private void publish(int count) {
    for (int i = 0; i < count; i++) {
      BinlogTransaction next = write();
      feed.publish(next, stampOf(next.gtid().number()));
    }
  }

  private static HlcTimestamp stampOf(long number) {
    return new HlcTimestamp(1_000 + number);
  }

  private void begin(String visible) {
    feed.begin(GtidSet.parse(visible), new BinlogPosition("binlog.000001", 4));
  }

  private static List<Long> drain(FeedReader from, int most) throws InterruptedException {
    List<Long> numbers = new ArrayList<>();
    while (numbers.size() < most) {
      Optional<BinlogTransaction> next = from.next(Duration.ofMillis(30));
      if (next.isEmpty()) {
        break;
      }
      numbers.add(next.get().gtid().number());
    }
    return numbers;
  }

  private static List<Long> numbers(long from, long to) {
    List<Long> numbers = new ArrayList<>();
    for (long i = from; i <= to; i++) {
      numbers.add(i);
    }
    return numbers;
  }

  @Test
  void whoHasMissedNothingIsServedFromMemory() throws InterruptedException {
    begin("");
    FeedReader one = feed.subscribe(new GtidSet());
    assertEquals(Optional.empty(), one.next(AT_ONCE));
    publish(5);
    assertEquals(numbers(1, 5), drain(one, 100));
    assertTrue(one.near());
    assertEquals(0, readersOpened);
    assertEquals(GtidSet.parse(SERVER + ":1-5"), one.position());
  }

  @Test
  void whoComesBackHasTheStampsOfTheLastOnes() throws InterruptedException {
    begin("");
    publish(5);
    FeedReader again = feed.subscribeAgain(GtidSet.parse(SERVER + ":1-3")).orElseThrow();
    assertEquals(numbers(4, 5), drain(again, 100));
    assertEquals(Optional.of(stampOf(5)), again.stamp());
    assertEquals(
        Optional.empty(), feed.subscribeAgain(GtidSet.parse(SERVER + ":1-9")), "never visible");
    publish(5);
    assertEquals(Optional.empty(), feed.subscribeAgain(GtidSet.parse(SERVER + ":1")), "long ago");
    assertTrue(feed.subscribeAgain(GtidSet.parse(SERVER + ":1-2")).isPresent());

    feed.joinsGroup();
    begin(SERVER + ":1-10");
    assertEquals(
        numbers(10, 10),
        drain(feed.subscribeAgain(GtidSet.parse(SERVER + ":1-9")).orElseThrow(), 1));
    begin(SERVER + ":1-10");
    assertEquals(
        Optional.empty(),
        feed.subscribeAgain(GtidSet.parse(SERVER + ":1-9")),
        "the log may be another one");
  }

  @Test
  void whoIsTooSlowReadsTheLogAndComesBack() throws InterruptedException {
    begin("");
    FeedReader slow = feed.subscribe(new GtidSet());
    assertEquals(Optional.empty(), slow.next(AT_ONCE));
    publish(2);
    assertEquals(numbers(1, 2), drain(slow, 2));
    publish(50);
    assertEquals(numbers(3, 52), drain(slow, 100));
    assertTrue(slow.near());
    assertEquals(1, readersOpened);
    assertEquals(0, readersOpen);
    publish(3);
    assertEquals(numbers(53, 55), drain(slow, 100));
    assertEquals(1, readersOpened);
  }

  @Test
  void stampsComeAlongFromMemoryAndFromTheLog() throws InterruptedException {
    begin("");
    publish(3);
    FeedReader one = feed.subscribe();
    publish(60);
    for (int i = 4; i <= 63; i++) {
      assertEquals(i, one.next(SOON).orElseThrow().gtid().number());
      assertEquals(Optional.of(stampOf(i)), one.stamp());
    }
    assertEquals(1, readersOpened);
    FeedReader all = feed.subscribe(new GtidSet());
    assertEquals(1, all.next(SOON).orElseThrow().gtid().number());
    assertEquals(Optional.empty(), all.stamp(), "from before the subscription");
    publish(1);
    assertEquals(numbers(2, 64), drain(all, 100));
    assertEquals(Optional.of(stampOf(64)), all.stamp());
  }

  @Test
  void whatIsNotVisibleIsNotGiven() throws InterruptedException {
    begin("");
    publish(20);
    FeedReader behind = feed.subscribe(new GtidSet());
    BinlogTransaction early = write();
    assertEquals(numbers(1, 20), drain(behind, 100));
    assertEquals(Optional.empty(), behind.next(Duration.ofMillis(5)));
    feed.publish(early, stampOf(early.gtid().number()));
    assertEquals(early, behind.next(SOON).orElseThrow());
  }

  @Test
  void anotherLifeOfTheServerLosesAndRepeatsNothing() throws InterruptedException {
    begin("");
    FeedReader one = feed.subscribe(new GtidSet());
    FeedReader behind = feed.subscribe(new GtidSet());
    publish(6);
    assertEquals(numbers(1, 4), drain(one, 4));
    log.remove(write()); // in the tail that is cut
    begin(SERVER + ":1-6");
    publish(3);
    assertEquals(numbers(5, 9), drain(one, 100));
    assertEquals(numbers(1, 9), drain(behind, 100));
    assertEquals(0, readersOpen);
  }

  @Test
  void filesAreWantedAsLongAsSomebodyMayReadThem() throws InterruptedException {
    assertEquals(Optional.empty(), feed.oldestWanted());
    begin("");
    publish(1_500);
    assertEquals(Optional.of("binlog.000002"), feed.oldestWanted());
    FeedReader behind = feed.subscribe(new GtidSet());
    assertEquals(Optional.empty(), feed.oldestWanted(), "its place is not known");
    drain(behind, 3);
    assertEquals(Optional.of("binlog.000001"), feed.oldestWanted());
    drain(behind, 1_200);
    assertEquals(Optional.of("binlog.000002"), feed.oldestWanted());
    behind.close();
    assertEquals(0, readersOpen);
    assertEquals(Optional.of("binlog.000002"), feed.oldestWanted());
  }

  @Test
  void aBrokenReaderIsTriedAgain() throws InterruptedException {
    begin("");
    publish(20);
    broken = true;
    FeedReader behind = feed.subscribe(new GtidSet());
    assertEquals(Optional.empty(), behind.next(Duration.ofMillis(5)));
    broken = false;
    assertEquals(numbers(1, 20), drain(behind, 100));
    assertFalse(readersOpen > 0);
  }

  @Test
  void anyPaceGivesEverythingOnceAndInOrder() throws InterruptedException {
    for (long seed = 1; seed <= 100; seed++) {
      Random random = new Random(seed);
      log.clear();
      begin("");
      List<FeedReader> readers = new ArrayList<>();
      List<List<Long>> seen = new ArrayList<>();
      int steps = 60;
      for (int step = 0; step < steps; step++) {
        switch (random.nextInt(10)) {
          case 0 -> {
            readers.add(feed.subscribe(new GtidSet()));
            seen.add(new ArrayList<>());
          }
          case 1 -> begin(log.isEmpty() ? "" : SERVER + ":1-" + log.size());
          case 2, 3, 4 -> publish(random.nextInt(12));
          default -> {
            if (!readers.isEmpty()) {
              int one = random.nextInt(readers.size());
              int most = random.nextInt(10);
              for (int i = 0; i < most; i++) {
                readers
                    .get(one)
                    .next(AT_ONCE)
                    .ifPresent(tx -> seen.get(one).add(tx.gtid().number()));
              }
            }
          }
        }
      }
      for (int one = 0; one < readers.size(); one++) {
        FeedReader reader = readers.get(one);
        while (seen.get(one).size() < log.size()) {
          seen.get(one).add(reader.next(SOON).orElseThrow().gtid().number());
        }
        assertEquals(numbers(1, log.size()), seen.get(one), "seed " + seed);
        assertEquals(Optional.empty(), reader.next(AT_ONCE), "seed " + seed);
        reader.close();
      }
      assertEquals(0, readersOpen, "seed " + seed);
    }
  }

  @Test
  void boundsAreBoundsAlsoForOneTransaction() {
    assertThrows(IllegalArgumentException.class, () -> new FeedBounds(1, 0, 1));
  }
}
