package io.alrai.dn.xa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.TransactionId;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.xa.FakeCoordinator.Step;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future.State;
import org.junit.jupiter.api.Test;

/** What a mysqld does by itself, and what takes it long. */
final class LostByMysqldTest {
  private final FakeCluster cluster = new FakeCluster("dn-1", "dn-2", "dn-3");
  private final FakeCoordinator coordinator = new FakeCoordinator(cluster);
  private final TransactionId id = coordinator.id;
  private final XaParticipant primary = cluster.node("dn-1").participant();
  private final XaParticipant second = cluster.node("dn-2").participant();
  private final FakeMysqld atSecond = cluster.node("dn-2").mysqld();

  private void steps(Step... steps) {
    for (Step step : steps) {
      coordinator.step(step);
    }
  }

  private static int errno(CompletableFuture<?> failed) {
    return AlraiException.causeOf(failed.exceptionNow()).errno();
  }

  @Test
  void aPrimaryThatItsMysqldHasRolledBackDecidesNothing() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    coordinator.primary.forgetTransaction();
    steps(Step.DECIDE);
    assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), errno(coordinator.decision()));
    cluster.passWithRecovery(3_000);
    assertEquals(List.of(), cluster.committedOn(FakeCoordinator.MARKER));
    assertEquals(List.of(), cluster.preparedOn());
  }

  private CompletableFuture<Void> commitsWhileItsConnectionBreaks() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE);
    atSecond.breakDuring("XA COMMIT");
    CompletableFuture<Void> done = second.commitPrepared(id, coordinator.decision().join()).done();
    cluster.pass(300);
    assertFalse(done.isDone(), "a crash of the mysqld would bring the branch back");
    return done;
  }

  @Test
  void anXaCommitThatWaitsForItsAckIsNotDoneThoughItsConnectionBroke() {
    CompletableFuture<Void> done = commitsWhileItsConnectionBreaks();
    atSecond.acknowledge();
    cluster.pass(100);
    assertEquals(State.SUCCESS, done.state());
    assertEquals(List.of("dn-1", "dn-2"), cluster.committedOn(FakeCoordinator.MARKER));
  }

  @Test
  void suchAnXaCommitIsDoneAgainBehindACrash() {
    CompletableFuture<Void> done = commitsWhileItsConnectionBreaks();
    atSecond.crash();
    atSecond.restart();
    cluster.pass(300);
    assertEquals(State.SUCCESS, done.state());
    assertEquals(List.of("dn-1", "dn-2"), cluster.committedOn(FakeCoordinator.MARKER));
  }

  @Test
  void aTransactionIsNotGivenUpWhileItsCoordinatorWaitsForPrepares() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT);
    for (int second = 0; second < 30; second++) {
      cluster.pass(900);
      assertEquals(0, primary.preCommit(coordinator.primary, id).join().value());
      assertEquals(new Outcome.InDoubt(), primary.outcome(id).join());
    }
    steps(Step.PREPARE_3, Step.DECIDE);
    assertTrue(coordinator.acknowledged());
  }

  @Test
  void foreignKeysAndEnginesAreAskedForWhereNoColumnIs() {
    String question =
        WatchableTables.question(new KeyedTable("shop_p00001", "t", List.of())).text();
    int columns = question.indexOf("information_schema.columns");
    assertTrue(question.indexOf("referential_constraints") < columns, question);
    assertTrue(question.indexOf("engine") < columns, question);
    assertTrue(question.contains("0=(SELECT COUNT(*)"), question);
  }
}
