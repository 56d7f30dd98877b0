package io.alrai.cn.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.type.Collations;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.Mark;
import io.alrai.dn.ship.ResolvedPlace;
import io.alrai.dn.ship.SnapshotPlace;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A DN whose leaders change. */
@Timeout(60)
class DnFollowerTest {
  private static final GtidSet POSITION = GtidSet.parse("00000000-0000-0000-0000-00000000000a:1-7");
  private static final HlcTimestamp AT = HlcTimestamp.ofMillis(1_000);

  private final FakeDn dn = new FakeDn();
  private final DnFollower follower = new DnFollower(dn, new Collations(List.of()));

  /** A leader's log: places, and its end. */
  private static final class FakeLeader implements LogSubscription {
    private final BlockingQueue<Object> said = new LinkedBlockingQueue<>();
    private Optional<LogPlace> place = Optional.empty();

    @Override
    public Optional<BinlogTransaction> next(Duration atMost) throws InterruptedException {
      switch (said.poll(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        case BinlogException end -> {
          said.add(end);
          throw end;
        }
        case LogPlace now -> place = Optional.of(now);
        case null, default -> {}
      }
      return Optional.empty();
    }

    @Override
    public Optional<HlcTimestamp> stamp() {
      return Optional.empty();
    }

    @Override
    public LeadNumber lead() {
      return place.map(LogPlace::lead).orElse(LeadNumber.ALONE);
    }

    @Override
    public Optional<LogPlace> place() {
      return place;
    }

    @Override
    public GtidSet position() {
      return POSITION;
    }

    @Override
    public void close() {}
  }

  private static final class FakeDn implements DnLog {
    private final List<String> followed = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Object> leaders = new LinkedBlockingQueue<>();
    private volatile CompletableFuture<ResolvedPlace> resolved = new CompletableFuture<>();

    @Override
    public DnId dn() {
      return new DnId("dn-1");
    }

    @Override
    public LogSubscription follow() throws InterruptedException {
      return next("from now on");
    }

    @Override
    public LogSubscription follow(GtidSet known) throws InterruptedException {
      return next("after " + known);
    }

    private LogSubscription next(String how) throws InterruptedException {
      followed.add(how);
      if (leaders.take() instanceof FakeLeader leader) {
        return leader;
      }
      throw BinlogException.gone("the log was purged");
    }

    @Override
    public CompletableFuture<ResolvedPlace> resolve(HlcTimestamp wanted) {
      return resolved;
    }

    @Override
    public CompletableFuture<SnapshotPlace> place(HlcTimestamp at) {
      throw new UnsupportedOperationException("columns have every snapshot");
    }

    @Override
    public CompletableFuture<Mark> mark() {
      throw new UnsupportedOperationException("columns give nobody the log");
    }

    @Override
    public CompletableFuture<Collection<TransactionId>> preparedBranches() {
      return CompletableFuture.completedFuture(List.of());
    }
  }

  private static LogPlace place(long term, String file, long offset) {
    return new LogPlace(new LeadNumber(term, 70), new BinlogPosition(file, offset));
  }

  @AfterEach
  void stop() {
    follower.close();
  }

  private FakeLeader leader() {
    FakeLeader leader = new FakeLeader();
    dn.leaders.add(leader);
    return leader;
  }

  /** The old leader's log is longer than what the new one has written so far. */
  @Test
  void aPlaceAtANewLeaderIsNotReachedByTheLogOfTheOldOne() throws Exception {
    FakeLeader old = leader();
    follower.start();
    old.said.add(place(1, "binlog.000009", 900));
    Eventually.await("the old leader's place", () -> old.said.isEmpty());
    dn.resolved.complete(new ResolvedPlace(AT, place(2, "binlog.000001", 500)));
    follower.reach(AT, () -> true);
    assertEquals(HlcTimestamp.ZERO, follower.resolved().value());
    FakeLeader young = leader();
    old.said.add(new BinlogException("the connection broke"));
    young.said.add(place(2, "binlog.000001", 400));
    Eventually.await("the first place of the new leader", () -> young.said.isEmpty());
    assertEquals(HlcTimestamp.ZERO, follower.resolved().value());
    young.said.add(place(2, "binlog.000001", 500));
    Eventually.await("the place", () -> follower.resolved().value().equals(AT));
    assertEquals(List.of("from now on", "after " + POSITION), dn.followed);
  }

  /** A follower of the DN has not heard of all that the leader shows. */
  @Test
  void theLogIsAppliedWhenItsPlaceIsReached() throws Exception {
    FakeLeader feed = leader();
    follower.start();
    feed.said.add(place(1, "binlog.000001", 400));
    Eventually.await("the first place", () -> feed.said.isEmpty());
    dn.resolved.complete(new ResolvedPlace(AT, place(1, "binlog.000001", 500)));
    CompletableFuture<Void> applied = follower.applied(AT, () -> true);
    assertFalse(applied.isDone());
    feed.said.add(place(1, "binlog.000001", 500));
    applied.get(20, TimeUnit.SECONDS);
    assertTrue(follower.applied(AT, () -> true).isDone());
  }

  @Test
  void whatIsNotKeptAnyMoreIsFollowedAnew() throws Exception {
    FakeLeader old = leader();
    follower.start();
    Eventually.await("the log", () -> dn.followed.size() == 1);
    old.said.add(new BinlogException("the connection broke"));
    dn.leaders.add("gone");
    FakeLeader young = leader();
    young.said.add(place(2, "binlog.000001", 400));
    Eventually.await("the new leader's place", () -> young.said.isEmpty());
    assertEquals(List.of("from now on", "after " + POSITION, "from now on"), dn.followed);
  }
}
