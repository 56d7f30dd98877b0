package io.alrai.dn.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.live.GateCounts;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.gate.live.LiveGate.GateContext;
import io.alrai.dn.gate.live.OwnLog;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.xa.DecisionLog;
import io.alrai.dn.xa.XaParticipant;
import io.alrai.dn.xa.XaTimes;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PooledDnLinkTest {
  private static final DnId DN = new DnId("dn-1");
  private static final BackendAccount ONE = BackendAccount.DATA;
  private static final BackendAccount OTHER = BackendAccount.DATA_FOUND_ROWS;

  private static final NodeClock CLOCK = NodeClock.inMemory(new HybridLogicalClock(() -> 0, 500));

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final EventLoop loop = channel.eventLoop();
  private final List<String> opened = new ArrayList<>();
  private final List<String> taken = new ArrayList<>();
  private final List<Branch> branches = new ArrayList<>();
  private final LiveGate gate =
      new LiveGate(
          DN,
          loop,
          new GateContext(
              CLOCK,
              connection -> 0,
              other -> {
                throw new AssertionError(other);
              },
              new LiveGate.Passed() {
                @Override
                public void begin(GtidSet visible, BinlogPosition start) {}

                @Override
                public void passed(BinlogTransaction transaction, HlcTimestamp stamp) {}

                @Override
                public GtidSet visible() {
                  return new GtidSet();
                }
              },
              () -> {},
              GateCounts.of(new Metrics(), DN),
              new OwnLog()));
  private final PooledDnLink link =
      new PooledDnLink(
          DN,
          this::open,
          new PoolLimits(2, 8, TimeUnit.HOURS.toNanos(1)),
          gate,
          gate,
          self ->
              new XaParticipant(
                  self,
                  List.of(loop),
                  CLOCK,
                  gate,
                  XaTimes.defaults(),
                  CoordinatorPulse.OF_THIS_PROCESS,
                  DecisionLog.of(
                      (from, bound) -> {
                        throw new AssertionError("nothing to read");
                      },
                      Path.of("/no/such/file")),
                  System::nanoTime));

  private void open(
      EventLoop on, BackendAccount account, PipelinedBranch.Home home, BranchTaker taker) {
    opened.add(account.name());
    EmbeddedChannel channel = new EmbeddedChannel();
    PipelinedBranch branch = new PipelinedBranch(DN, channel, opened.size(), home, gate);
    channel.pipeline().addLast(branch);
    taker.taken(branch);
  }

  private void take(BackendAccount account, String who) {
    link.take(
        loop,
        account,
        "",
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            taken.add(who);
            branches.add(branch);
          }

          @Override
          public void refused(AlraiException reason) {
            taken.add(who + " refused");
          }
        });
  }

  private Branch again(String schema, @Nullable Object settings) {
    link.take(
        loop,
        ONE,
        schema,
        settings,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            branches.add(branch);
          }

          @Override
          public void refused(AlraiException reason) {
            throw reason;
          }
        });
    return branches.getLast();
  }

  /** A schema costs nothing to choose, settings a round trip. */
  @Test
  void whoNeedsSettingsGetsAConnectionThatHasThem() {
    Object some = new Object();
    Object others = new Object();
    take(ONE, "a");
    take(ONE, "b");
    Branch first = branches.get(0);
    Branch second = branches.get(1);
    first.state().settings(some);
    first.state().schema("x");
    second.state().settings(others);
    second.state().schema("y");
    first.release();
    second.release();
    for (String schema : List.of("x", "y", "", "z")) {
      assertEquals(first, again(schema, some), schema);
      first.release();
      assertEquals(second, again(schema, others), schema);
      second.release();
    }
    assertEquals(first, again("x", new Object()));
    first.release();
    assertEquals(second, again("y", null));
    second.release();
    assertEquals(first, again("z", null), "the others keep their schema");
    first.release();
    assertEquals(first, again("", null), "the last");
  }

  /** A mysqld warns where there is no schema to come back to from a function of another one. */
  @Test
  void whoNeedsNoSchemaGetsNoConnectionWhoseSchemaMayBeGone() {
    take(ONE, "a");
    take(ONE, "b");
    Branch without = branches.get(0);
    Branch within = branches.get(1);
    within.state().schema("x");
    without.release();
    within.release();
    link.forgetSchemas();
    assertEquals(without, again("", null));
    Branch fresh = again("", null);
    assertFalse(within == fresh);
    assertEquals(2, link.openBranches());
    fresh.state().schema("x");
    fresh.release();
    link.forgetSchemas();
    assertEquals(fresh, again("x", null), "it will be chosen anew");
  }

  @Test
  void neitherDoesWhoHasWaitedForOne() {
    take(ONE, "a");
    take(ONE, "b");
    take(ONE, "c");
    branches.get(0).state().schema("x");
    link.forgetSchemas();
    branches.get(0).release();
    channel.runPendingTasks();
    assertEquals(List.of("a", "b", "c"), taken);
    assertFalse(branches.get(2) == branches.get(0));
    assertEquals(2, link.openBranches());
  }

  @Test
  void accountsShareTheConnectionsOfALoopAndTheLongestWaiterComesFirst() {
    take(ONE, "a");
    take(ONE, "b");
    take(OTHER, "c");
    take(ONE, "d");
    assertEquals(List.of("a", "b"), taken);
    branches.get(0).release();
    assertEquals(List.of("a", "b", "c"), taken);
    branches.get(1).release();
    assertEquals(List.of("a", "b", "c", "d"), taken);
    assertEquals(2, link.openBranches());
    assertEquals(List.of("DATA", "DATA", "DATA_FOUND_ROWS"), opened);
  }

  @Test
  void waitsForAConnectionAreMeasured() {
    channel.freezeTime();
    take(ONE, "a");
    take(ONE, "b");
    take(ONE, "c");
    channel.advanceTimeBy(3, TimeUnit.SECONDS);
    assertEquals(0, link.waits().sum().sum());
    branches.getFirst().release();
    assertEquals(TimeUnit.SECONDS.toNanos(3), link.waits().sum().sum());
    branches.getFirst().release();
    take(ONE, "d");
    assertEquals(TimeUnit.SECONDS.toNanos(3), link.waits().sum().sum(), "there was an idle one");
  }

  @Test
  void whoeverWaitsForNamedLocksTakesNobodysConnection() {
    for (int i = 0; i < 8; i++) {
      take(BackendAccount.NAMED_LOCKS, "lock" + i);
    }
    take(BackendAccount.NAMED_LOCKS, "one too many");
    take(ONE, "a");
    take(OTHER, "b");
    assertEquals(10, link.openBranches());
    assertEquals(List.of("a", "b"), taken.subList(8, taken.size()));
    List.copyOf(branches.subList(0, 8)).forEach(Branch::release);
    assertEquals("one too many", taken.getLast());
    assertEquals(2 + 1 + 4, link.openBranches());
  }

  @Test
  void aViewThatNobodyNeedsEndsSoonOnAnIdleConnection() {
    take(ONE, "a");
    branches.getFirst().releaseViewed();
    for (int i = 0; i < 2; i++) {
      assertFalse(branches.getFirst().busy());
      channel.advanceTimeBy(10, TimeUnit.MILLISECONDS);
      channel.runScheduledPendingTasks();
    }
    assertTrue(branches.getFirst().busy());
    assertFalse(branches.getFirst().inherits());
  }

  @Test
  void anIdleConnectionOfAnotherAccountMakesRoom() {
    take(ONE, "a");
    take(ONE, "b");
    branches.forEach(Branch::release);
    take(OTHER, "c");
    take(OTHER, "d");
    take(OTHER, "e");
    assertEquals(List.of("a", "b", "c", "d"), taken);
    branches.get(2).release();
    assertEquals(List.of("a", "b", "c", "d", "e"), taken);
    assertEquals(2, link.openBranches());
    assertEquals(4, opened.size());
  }
}
