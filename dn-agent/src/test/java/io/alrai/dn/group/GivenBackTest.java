package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.live.CommitLog.Restamp;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A leader that is about to lead no more gives back the time that it has reserved. */
class GivenBackTest {
  private final EmbeddedChannel loop = new EmbeddedChannel();
  private final ScriptedLog log = new ScriptedLog();
  private final List<Throwable> lost = new ArrayList<>();
  private final List<String> ran = new ArrayList<>();
  private long wallMillis = 1_700_000_000_000L;
  private final NodeClock clock = NodeClock.inMemory(new HybridLogicalClock(() -> wallMillis, 500));
  private GroupCommits commits;
  private Reservation reservation;

  @BeforeEach
  void begin() {
    loop.freezeTime();
    commits = new GroupCommits(log, loop.eventLoop(), clock, lost::add);
    reservation = commits.reservation();
    commits.begin(new GtidSet());
    turn();
    commit(0);
    assertTrue(reservation.allows(clock.nowValue()));
  }

  private void turn() {
    loop.runPendingTasks();
  }

  private void pass(long millis) {
    for (long left = millis; left > 0; left -= 10) {
      wallMillis += 10;
      loop.advanceTimeBy(10, TimeUnit.MILLISECONDS);
      turn();
      loop.runScheduledPendingTasks();
    }
  }

  private void commit(int number) {
    log.commit(number);
    turn();
  }

  private long h(int number) {
    return log.entries.get(number).reserved().value();
  }

  private long giveBack() {
    commits.giveBack();
    turn();
    return assertInstanceOf(GroupEntry.GivenBack.class, log.entries.getLast()).reserved().value();
  }

  private void await() {
    reservation.whenAllowed(clock.nowValue(), Runnable::run, () -> ran.add("then"));
    turn();
  }

  @Test
  void itSaysNothingAboveThat() {
    long spoken = clock.nowValue();
    long upTo = giveBack();
    assertTrue(upTo >= spoken && upTo <= clock.nowValue(), upTo + " beside " + spoken);
    assertFalse(reservation.allows(spoken), "before the group knows");
    commit(1);
    assertTrue(reservation.allows(upTo));
    assertFalse(reservation.allows(upTo + 1));
  }

  @Test
  void whatWasUnderWayCountsNoMore() {
    pass(300);
    assertEquals(2, log.entries.size(), "more than half was used");
    long upTo = giveBack();
    assertTrue(upTo < h(1));
    commit(1);
    assertFalse(reservation.allows(upTo));
    commit(2);
    assertTrue(reservation.allows(upTo));
    assertFalse(reservation.allows(h(1)));
  }

  @Test
  void nobodyAsksForMore() {
    giveBack();
    commit(1);
    pass(20);
    await();
    pass(200);
    assertEquals(2, log.entries.size());
    commits.settle(new GtidSet());
    turn();
    assertTrue(h(2) <= clock.nowValue(), "no time ahead");
    assertEquals(List.of(), ran);
  }

  /** Whoever begins above the last entry that says what is settled begins above all before it. */
  @Test
  void noLaterEntryReservesLessThanOneBefore() {
    giveBack();
    commits.restamped(
        1, List.of(new Restamp(new Gtid(new UUID(0, 1), "", 1), new HlcTimestamp(h(1)))));
    commits.settle(new GtidSet());
    turn();
    assertTrue(h(2) > clock.nowValue());
    assertEquals(h(2), h(3));
  }

  @Test
  void itReservesTimeAgainWhereItLeadsOn() {
    giveBack();
    commit(1);
    pass(20);
    await();
    commits.goOn();
    turn();
    assertEquals(3, log.entries.size());
    commit(2);
    assertEquals(List.of("then"), ran);
    assertTrue(reservation.allows(clock.nowValue()));
    pass(300);
    assertEquals(4, log.entries.size(), "and goes on with that");
    assertEquals(List.of(), lost);
  }

  /** Of whoever leads next. */
  @Test
  void theGroupBeginsAboveThatAlone() {
    GroupView view = new GroupView("a", new DeafListener(), () -> 0);
    long upTo = giveBack();
    view.committed(1, 1, ByteBuffer.wrap(EntryCodec.encode(log.entries.get(0))));
    assertEquals(new HlcTimestamp(h(0)), view.reserved());
    view.committed(1, 2, ByteBuffer.wrap(EntryCodec.encode(log.entries.get(1))));
    assertEquals(new HlcTimestamp(upTo), view.reserved());
    assertEquals(1, view.heard().last(), "nobody reads on because of that");
  }
}
