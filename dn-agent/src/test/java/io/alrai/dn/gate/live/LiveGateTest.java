package io.alrai.dn.gate.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.binlog.Xid;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.live.LiveGate.GateContext;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReadWatch;
import io.alrai.dn.link.ViewOpener.Opening;
import io.alrai.dn.ship.SnapshotPlace;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A gate whose clock, work and branches fail, on one thread and a time that the test turns. */
class LiveGateTest {
  private static final DnId DN = new DnId("dn-1");
  private static final BinlogPosition START = new BinlogPosition("binlog.000001", 4);

  private final EmbeddedChannel loop = new EmbeddedChannel();
  private final List<BinlogPosition> acked = new ArrayList<>();
  private final List<BinlogTransaction> passed = new ArrayList<>();
  private int broken;
  private RuntimeException clockFails;
  private RuntimeException workFails;
  private final NodeClock clock = new FailingClock();
  private final HandLog log = new HandLog();
  private final LiveGate gate =
      new LiveGate(
          DN,
          loop.eventLoop(),
          new GateContext(
              clock,
              connection -> 0,
              dn -> {
                throw new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "nobody answers");
              },
              new Follower(),
              () -> broken++,
              GateCounts.of(new Metrics(), DN),
              log));

  LiveGateTest() {
    log.ownLog = true;
    loop.freezeTime();
    gate.works(new Work());
    attach();
  }

  private void attach() {
    gate.attached(acked::add, new GtidSet(), START);
    loop.runPendingTasks();
  }

  private static BinlogPosition end(int number) {
    return new BinlogPosition("binlog.000001", 100L * number);
  }

  private static BinlogTransaction transaction(int number) {
    return new BinlogTransaction(
        new Gtid(new UUID(1, 2), "", number),
        end(number),
        100,
        true,
        new TransactionKind.Commit(),
        1,
        List.of(),
        Optional.empty());
  }

  @Test
  void aClockThatFailsWhileACommitIsTakenInLetsNothingMoreThrough() {
    gate.received(transaction(1));
    assertEquals(List.of(end(1)), acked);
    clockFails = new UncheckedIOException(new IOException("No space left on device"));
    gate.received(transaction(2));
    clockFails = null;
    gate.received(transaction(3));
    assertEquals(List.of(end(1)), acked, "the third would take the second along, unstamped");
    assertEquals(1, broken);
    CompletableFuture<HlcTimestamp> asked = gate.with(g -> g.visibleStamp());
    AlraiException down = (AlraiException) asked.exceptionNow();
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), down.errno());
    attach();
    gate.received(transaction(2));
    assertEquals(List.of(end(1), end(2)), acked, "the next life's gate");
    assertEquals(1, broken);
  }

  @Test
  void aGroupHasACommitBeforeItIsAcknowledged() {
    log.ownLog = false;
    gate.received(transaction(1));
    gate.received(transaction(2));
    assertEquals(List.of("begins", "1 at 1000", "2 at 1000"), log.given);
    assertEquals(List.of(), acked);
    log.told.durable(end(1));
    assertEquals(List.of(end(1)), acked);
    log.told.durable(end(2));
    assertEquals(List.of(end(1), end(2)), acked);
    assertEquals(List.of(transaction(1), transaction(2)), passed);
  }

  @Test
  void whatTheGroupSaysAfterALifeIsNoneOfTheNextOne() {
    log.ownLog = false;
    gate.received(transaction(1));
    CommitLog.Written before = log.told;
    gate.detached();
    before.durable(end(1));
    attach();
    before.durable(end(1));
    gate.received(transaction(1));
    assertEquals(List.of(), acked);
    assertEquals(List.of("begins", "1 at 1000", "ends", "begins", "1 at 1000"), log.given);
  }

  @Test
  void aLogThatFailsEndsTheGate() {
    log.ownLog = false;
    log.fails = new IllegalStateException("too long");
    gate.received(transaction(1));
    assertEquals(1, broken);
    log.told.durable(end(1));
    assertEquals(List.of(), acked);
  }

  @Test
  void aTimestampThatIsLearnedLaterIsWrittenBeforeItIsAcknowledged() {
    log.ownLog = false;
    TransactionId id = new TransactionId(new NodeId("cn-1"), 1, 2, new DnId("dn-2"));
    gate.received(xaCommit(1, id));
    assertEquals(List.of("begins", "1 at 0"), log.given);
    log.told.durable(end(1));
    HlcTimestamp commitTs = HlcTimestamp.ofMillis(990);
    gate.tell(g -> g.commitTsKnown(id, commitTs));
    assertEquals(List.of("begins", "1 at 0", "1 now at 990"), log.given);
    assertEquals(List.of(), acked);
    log.told.stamps(1);
    assertEquals(List.of(end(1)), acked);
  }

  @Test
  void withoutAGroupNothingIsWrittenTwice() {
    TransactionId id = new TransactionId(new NodeId("cn-1"), 1, 2, new DnId("dn-2"));
    gate.received(xaCommit(1, id));
    gate.tell(g -> g.commitTsKnown(id, HlcTimestamp.ofMillis(990)));
    assertEquals(List.of(end(1)), acked);
    assertEquals(List.of("begins"), log.given);
  }

  private static BinlogTransaction xaCommit(int number, TransactionId id) {
    BinlogTransaction plain = transaction(number);
    Xid xid = new Xid(1, id.gtrid(), DN.name());
    return new BinlogTransaction(
        plain.gtid(),
        plain.end(),
        plain.length(),
        true,
        new TransactionKind.XaCommit(xid),
        1,
        List.of(),
        Optional.empty());
  }

  @Test
  void whatFailsBesideTheGateEndsItToo() {
    workFails = new IndexOutOfBoundsException("an odd event");
    gate.received(transaction(1));
    workFails = null;
    gate.received(transaction(2));
    assertEquals(List.of(), acked);
    assertEquals(1, broken);
  }

  @Test
  void aViewThatDoesNotComeHoldsCommitsUpForSecondsOnly() {
    EmbeddedChannel silent = new EmbeddedChannel();
    CompletableFuture<Opening> opening = open(silent, () -> {});
    gate.received(transaction(1));
    assertEquals(List.of(), acked, "it would become visible to the view");
    pass(4_900);
    assertEquals(List.of(), acked);
    assertFalse(opening.isDone());
    pass(200);
    assertEquals(List.of(end(1)), acked);
    assertTrue(opening.isCompletedExceptionally());
    assertFalse(silent.isActive(), "its view would be of a wrong moment");
    assertEquals(0, broken);
  }

  @Test
  void aBranchWhoseLoopHasEndedHoldsNothingUp() {
    EventLoop ended = new DefaultEventLoop();
    ended.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    boolean[] gone = {false};
    EmbeddedChannel channel =
        new EmbeddedChannel() {
          @Override
          public EventLoop eventLoop() {
            return gone[0] ? ended : super.eventLoop();
          }
        };
    open(channel, () -> gone[0] = true);
    gate.received(transaction(1));
    assertEquals(List.of(end(1)), acked);
  }

  @Test
  void thePlaceOfASnapshotIsWhatIsStampedAtOrBelowItAndNothingElse() {
    log.ownLog = false;
    gate.received(transaction(1));
    log.told.durable(end(1));
    HlcTimestamp at = HlcTimestamp.ofMillis(1_001);
    gate.received(transaction(2));
    CompletableFuture<SnapshotPlace> place = gate.place(at);
    loop.runPendingTasks();
    assertFalse(place.isDone(), "the second one is below it, and its group may not have it yet");
    log.told.durable(end(2));
    gate.received(transaction(3));
    log.told.durable(end(3));
    SnapshotPlace.Found found = (SnapshotPlace.Found) place.resultNow();
    assertTrue(found.transactions().contains(transaction(2).gtid()));
    assertFalse(found.transactions().contains(transaction(3).gtid()));
  }

  @Test
  void whatASnapshotLacksIsShownAlready() {
    gate.received(transaction(1));
    CompletableFuture<SnapshotPlace> place = gate.place(HlcTimestamp.ofMillis(999));
    loop.runPendingTasks();
    assertTrue(place.resultNow() instanceof SnapshotPlace.Passed, "it would have to be refused");
  }

  private CompletableFuture<Opening> open(EmbeddedChannel channel, Runnable before) {
    PipelinedBranch branch =
        new PipelinedBranch(
            DN,
            channel,
            1,
            new PipelinedBranch.Home() {
              @Override
              public void returned(PipelinedBranch given) {}

              @Override
              public void lost(PipelinedBranch given) {}
            },
            ReadWatch.NONE);
    channel.pipeline().addLast(branch);
    before.run();
    CompletableFuture<Opening> opening =
        gate.open(branch, clock.now(), "START TRANSACTION READ ONLY", "", false);
    loop.runPendingTasks();
    return opening;
  }

  private void pass(long millis) {
    for (long left = millis; left > 0; left -= 50) {
      loop.advanceTimeBy(Math.min(left, 50), TimeUnit.MILLISECONDS);
      loop.runPendingTasks();
      loop.runScheduledPendingTasks();
    }
  }

  private final class FailingClock implements NodeClock {
    private final NodeClock right = NodeClock.inMemory(new HybridLogicalClock(() -> 1_000, 500));

    @Override
    public long nowValue() {
      return right.nowValue();
    }

    @Override
    public HlcTimestamp advance() {
      if (clockFails != null) {
        throw clockFails;
      }
      return right.advance();
    }

    @Override
    public void updateValue(long remote) {
      right.updateValue(remote);
    }

    @Override
    public void restoreAbove(HlcTimestamp floor) {
      right.restoreAbove(floor);
    }
  }

  private final class Follower implements LiveGate.Passed {
    @Override
    public void begin(GtidSet visible, BinlogPosition start) {}

    @Override
    public void passed(BinlogTransaction transaction, HlcTimestamp stamp) {
      passed.add(transaction);
    }

    @Override
    public GtidSet visible() {
      GtidSet visible = new GtidSet();
      passed.forEach(transaction -> visible.add(transaction.gtid()));
      return visible;
    }
  }

  private final class Work implements GateWork {
    @Override
    public void lifeBegins(GtidSet visible, BinlogPosition start) {}

    @Override
    public void logged(BinlogTransaction transaction) {
      if (workFails != null) {
        throw workFails;
      }
    }

    @Override
    public void letThrough(BinlogTransaction transaction) {}

    @Override
    public void submitDecision(TransactionId id, HlcTimestamp commitTs) {}

    @Override
    public void refuseDecision(TransactionId id) {}

    @Override
    public void submitXaCommit(TransactionId id) {}

    @Override
    public CompletableFuture<Outcome> settle(TransactionId id) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<? extends Collection<TransactionId>> recover() {
      return CompletableFuture.completedFuture(Set.of());
    }

    @Override
    public void lifeEnded() {}

    @Override
    public CompletableFuture<Boolean> executed(String gtid, double seconds) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Boolean> isWatchable(KeyedTable table) {
      return CompletableFuture.completedFuture(false);
    }
  }
}
