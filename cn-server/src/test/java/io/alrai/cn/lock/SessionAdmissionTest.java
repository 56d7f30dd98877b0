package io.alrai.cn.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.LockStage;
import io.alrai.gms.client.LocalGms;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which statements and commits of a session begin beside locks, and what the GMS learns of it. */
class SessionAdmissionTest {
  private static final NodeId SELF = new NodeId("cn-1");
  private static final NodeId OTHER = new NodeId("cn-2");

  private final LocalGms gms = new LocalGms(() -> 1_000);
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<String> told = new ArrayList<>();
  private boolean leased = true;
  private boolean behind;
  private final Admission cn =
      new Admission(
          gms::catalog,
          new Admission.Standing() {
            @Override
            public boolean leased() {
              return leased;
            }

            @Override
            public boolean behind() {
              return behind;
            }
          });
  private final LockKeeper keeper = new LockKeeper(SELF, gms, cn, () -> 1_000);
  private final SessionAdmission session = new SessionAdmission(cn, channel.eventLoop());
  private final SessionAdmission second = new SessionAdmission(cn, channel.eventLoop());

  @BeforeEach
  void begin() {
    channel.freezeTime();
    lease(SELF);
    lease(OTHER);
    SessionAdmission.Waiter waiter =
        new SessionAdmission.Waiter() {
          @Override
          public long patienceSeconds() {
            return 7;
          }

          @Override
          public void waits(String state) {
            told.add(state);
          }

          @Override
          public void goesOn() {
            told.add("on");
          }
        };
    session.of(waiter);
    second.of(waiter);
  }

  private void lease(NodeId node) {
    gms.submit(new CatalogCommand.RenewComputeNode(node, "", 0, 1_000, 10_000));
  }

  private void lock(long id, NodeId owner, LockStage stage) {
    gms.submit(new CatalogCommand.AddClusterLock(id, owner, stage));
    cn.follow();
  }

  private void unlock(long id, NodeId owner) {
    gms.submit(new CatalogCommand.DropClusterLock(id, owner, 1_000));
    cn.follow();
    channel.runPendingTasks();
  }

  private boolean reached() {
    keeper.turn();
    return gms.catalog().locks().getFirst().reached().contains(SELF);
  }

  private static int errno(CompletableFuture<Void> failed) {
    return AlraiException.causeOf(failed.exceptionNow()).errno();
  }

  @Test
  void statementsWaitAndCommitsOnlyInTheSecondStage() {
    lock(1, OTHER, LockStage.STATEMENTS);
    CompletableFuture<Void> statement = session.await(LockStage.STATEMENTS);
    CompletableFuture<Void> definition = second.await(LockStage.DEFINITIONS);
    assertFalse(statement.isDone() || definition.isDone());
    SessionAdmission third = new SessionAdmission(cn, channel.eventLoop());
    assertTrue(third.awaitCommit().isDone());
    third.committed();
    gms.submit(new CatalogCommand.ReachClusterLock(1, LockStage.STATEMENTS, OTHER));
    assertTrue(reached());
    gms.submit(new CatalogCommand.AdvanceClusterLock(1, LockStage.COMMITS, 1_000));
    cn.follow();
    third.of(SILENT);
    CompletableFuture<Void> commit = third.awaitCommit();
    assertFalse(commit.isDone());
    unlock(1, OTHER);
    assertTrue(statement.isDone() && definition.isDone() && commit.isDone());
    assertEquals(
        List.of("Waiting for global read lock", "Waiting for global read lock", "on", "on"), told);
  }

  private static final SessionAdmission.Waiter SILENT =
      new SessionAdmission.Waiter() {
        @Override
        public long patienceSeconds() {
          return 7;
        }

        @Override
        public void waits(String state) {}

        @Override
        public void goesOn() {}
      };

  @Test
  void backupsHoldOffDefinitionsOnly() {
    lock(1, OTHER, LockStage.DEFINITIONS);
    assertTrue(session.enters(LockStage.STATEMENTS));
    assertTrue(session.awaitCommit().isDone());
    assertFalse(second.await(LockStage.DEFINITIONS).isDone());
    assertEquals(List.of("Waiting for backup lock"), told);
    assertTrue(reached(), "rows are written, but nothing is defined");
  }

  @Test
  void aLockIsReachedWhenWhatWasAtWorkIsOver() {
    assertTrue(session.enters(LockStage.STATEMENTS));
    assertTrue(second.enters(LockStage.DEFINITIONS));
    lock(1, OTHER, LockStage.STATEMENTS);
    assertFalse(reached());
    // what it writes and commits is part of it
    assertTrue(second.enters(LockStage.STATEMENTS));
    assertTrue(second.awaitCommit().isDone());
    second.committed();
    second.leave();
    assertFalse(reached());
    session.leave();
    session.leave();
    assertTrue(reached());
  }

  @Test
  void commitsAtWorkAreWaitedForInTheSecondStage() {
    assertTrue(session.awaitCommit().isDone());
    lock(1, OTHER, LockStage.STATEMENTS);
    assertTrue(reached());
    gms.submit(new CatalogCommand.ReachClusterLock(1, LockStage.STATEMENTS, OTHER));
    gms.submit(new CatalogCommand.AdvanceClusterLock(1, LockStage.COMMITS, 1_000));
    assertFalse(reached());
    session.committed();
    assertTrue(reached());
  }

  @Test
  void aTableThatIsBeingChangedIsWaitedForUntilItsJobIsOver() {
    DdlJob job =
        new DdlJob(
            gms.reserve("job", 1).first(),
            "shop",
            Set.of(new DdlJob.Target("shop", "t")),
            "ALTER TABLE t SINGLE",
            "MAKE_SINGLE",
            DdlJob.State.RUNNING,
            OTHER,
            Map.of(),
            "");
    gms.submit(new CatalogCommand.PutJob(job));
    CompletableFuture<Void> behind =
        session.awaitTable(() -> gms.catalog().jobs().values().stream().noneMatch(DdlJob::open));
    assertFalse(behind.isDone());
    gms.submit(new CatalogCommand.UpdateJob(job.id(), OTHER, DdlJob.State.DONE, Map.of(), ""));
    cn.follow();
    channel.runPendingTasks();
    assertTrue(behind.isDone());
    assertEquals(List.of("Waiting for table metadata lock", "on"), told);
    assertTrue(session.awaitTable(() -> true).isDone());
  }

  @Test
  void aWaitEndsByTimeOrByKill() {
    lock(1, OTHER, LockStage.COMMITS);
    assertFalse(session.interrupt());
    CompletableFuture<Void> killed = session.await(LockStage.STATEMENTS);
    assertTrue(session.interrupt());
    assertEquals(ErrorCode.ER_QUERY_INTERRUPTED.errno(), errno(killed));
    CompletableFuture<Void> late = session.awaitCommit();
    channel.advanceTimeBy(6, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertFalse(late.isDone());
    channel.advanceTimeBy(1, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertEquals(ErrorCode.ER_LOCK_WAIT_TIMEOUT.errno(), errno(late));
    assertTrue(reached(), "who gave up is inside nowhere");
  }

  @Test
  void theHolderIsRefusedAndMayDefineUnderItsOwnBackup() {
    cn.own(1);
    lock(1, SELF, LockStage.DEFINITIONS);
    session.hold(1, false);
    assertTrue(session.enters(LockStage.DEFINITIONS));
    session.leave();
    cn.own(2);
    lock(2, SELF, LockStage.COMMITS);
    session.hold(2, true);
    AlraiException refused =
        assertThrows(AlraiException.class, () -> session.enters(LockStage.STATEMENTS));
    assertEquals(1223, refused.errno());
    assertEquals(2, session.release(true));
    assertEquals(0, session.release(true));
  }

  @Test
  void theKeeperTakesOutWhatNobodyHas() {
    cn.own(1);
    lock(1, SELF, LockStage.COMMITS);
    lock(2, SELF, LockStage.COMMITS);
    lock(3, OTHER, LockStage.COMMITS);
    lock(4, new NodeId("gone"), LockStage.COMMITS);
    keeper.turn();
    assertEquals(Set.of(1L, 3L), ids());
    session.hold(1, true);
    session.abandon();
    keeper.turn();
    assertEquals(Set.of(3L), ids());
  }

  private Set<Long> ids() {
    return Set.copyOf(gms.catalog().locks().stream().map(lock -> lock.id()).toList());
  }

  @Test
  void aLockIsLostWithTheLeaseOrWhenOthersTookItOut() {
    cn.own(1);
    lock(1, SELF, LockStage.COMMITS);
    session.hold(1, true);
    assertFalse(session.lost());
    leased = false;
    assertTrue(session.lost());
    leased = true;
    unlock(1, SELF);
    assertTrue(session.lost());
  }

  @Test
  void whoStoodStillAsksTheGmsFirst() {
    behind = true;
    CompletableFuture<Void> statement = session.await(LockStage.STATEMENTS);
    CompletableFuture<Void> commit = second.awaitCommit();
    assertFalse(statement.isDone() || commit.isDone());
    assertEquals(List.of("Waiting for the GMS", "Waiting for the GMS"), told);
    gms.submit(new CatalogCommand.AddClusterLock(1, OTHER, LockStage.STATEMENTS));
    behind = false;
    cn.follow();
    cn.retry();
    channel.runPendingTasks();
    assertFalse(statement.isDone());
    assertTrue(commit.isDone());
  }

  @Test
  void whatASessionHadSentIsWaitedForWhenItGoes() {
    assertTrue(session.enters(LockStage.STATEMENTS));
    lock(1, OTHER, LockStage.STATEMENTS);
    session.abandon();
    session.leave();
    assertFalse(reached());
    channel.advanceTimeBy(1, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertTrue(reached());
    assertTrue(second.await(LockStage.STATEMENTS).state() == CompletableFuture.State.RUNNING);
    second.abandon();
    assertThrows(AlraiException.class, () -> second.hold(9, true));
  }
}
