package io.alrai.dn.xa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.error.ErrorKind;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.link.CommitParticipant.Finishing;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.XaName;
import io.alrai.dn.xa.FakeCoordinator.Step;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The decision, the outcome question and the tombstone between them. */
final class XaParticipantTest {
  private final FakeCluster cluster = new FakeCluster("dn-1", "dn-2", "dn-3");
  private final FakeCoordinator coordinator = new FakeCoordinator(cluster);
  private final TransactionId id = coordinator.id;
  private final XaParticipant primary = cluster.node("dn-1").participant();
  private final XaParticipant second = cluster.node("dn-2").participant();
  private final FakeMysqld mysqld = cluster.node("dn-1").mysqld();

  private static AlraiException failure(CompletableFuture<?> future) {
    assertTrue(future.isCompletedExceptionally(), "must fail");
    return assertInstanceOf(AlraiException.class, future.exceptionNow());
  }

  private void steps(Step... steps) {
    for (Step step : steps) {
      coordinator.step(step);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itsOwnConnectionsGoOnKeepingWhatIsPreparedWhenTheyAreReset(boolean keeps) {
    FakeCluster own = new FakeCluster(keeps, "dn-1");
    own.node("dn-1").participant().outcome(id);
    String settings =
        own.node("dn-1").mysqld().statements.stream()
            .filter(statement -> statement.startsWith("SET SESSION"))
            .findFirst()
            .orElseThrow();
    assertEquals(keeps, settings.endsWith(", xa_detach_on_prepare=OFF"), settings);
  }

  @Test
  void theCommitTimestampIsTheLargestOfAllPrepareTimestamps() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT);
    cluster.pass(50);
    HlcTimestamp last = cluster.node("dn-3").participant().prepare(coordinator.third, id).join();
    HlcTimestamp decided =
        primary.decide(coordinator.primary, id, last, List.of(new DnId("dn-2"))).join();
    assertEquals(last, decided);
    assertEquals(new Outcome.Committed(last), primary.outcome(id).join());
  }

  @Test
  void theCommitTimestampIsNotBelowThePrimarysOwn() {
    HlcTimestamp own = primary.preCommit(coordinator.primary, id).join();
    assertEquals(own, primary.decide(coordinator.primary, id, HlcTimestamp.ZERO, List.of()).join());
  }

  @Test
  void aProposalBeyondTheClockBoundIsRefusedAndRolledBack() {
    steps(Step.PRE_COMMIT);
    HlcTimestamp ahead = HlcTimestamp.ofMillis(cluster.wallMillis() + 501);
    AlraiException reason =
        failure(primary.decide(coordinator.primary, id, ahead, List.of(new DnId("dn-2"))));
    assertEquals(ErrorCode.ALRAI_CLOCK_SKEW.errno(), reason.errno());
    assertFalse(coordinator.primary.inTransaction);
    assertEquals(List.of(), cluster.committedOn(FakeCoordinator.MARKER));
  }

  @Test
  void aDecidedTransactionIsCommittedByAClockThatIsFarBehind() {
    steps(Step.PREPARE_2);
    HlcTimestamp ahead = HlcTimestamp.ofMillis(cluster.wallMillis() + 5_000);
    second.commitPrepared(id, ahead).done().join();
    assertEquals(List.of("dn-2"), cluster.committedOn(FakeCoordinator.MARKER));
    assertTrue(second.prepare(coordinator.third, id).isDone());
  }

  @Test
  void whileTheCoordinatorIsAtWorkTheOutcomeIsInDoubt() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    cluster.pass(900);
    assertEquals(new Outcome.InDoubt(), primary.outcome(id).join());
    steps(Step.DECIDE);
    assertTrue(coordinator.acknowledged());
  }

  @Test
  void aQuestionAfterTheSilenceAbortsAndALateDecisionFails() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    cluster.pass(1_100);
    assertEquals(new Outcome.RolledBack(), primary.outcome(id).join());
    assertFalse(coordinator.primary.inTransaction, "its locks are gone though nobody speaks");
    steps(Step.DECIDE);
    assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), failure(coordinator.decision()).errno());
    assertEquals(ErrorKind.RETRY, failure(coordinator.decision()).kind());
    assertFalse(coordinator.primary.inTransaction);
    assertEquals(new Outcome.RolledBack(), primary.outcome(id).join());
  }

  @Test
  void aBrokenConnectionAbortsAtOnce() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT);
    coordinator.primary.close();
    assertEquals(new Outcome.RolledBack(), primary.outcome(id).join());
  }

  @Test
  void aQuestionBeforePreCommitLeavesATombstoneAndThePreCommitIsRefused() {
    steps(Step.PREPARE_2);
    assertEquals(new Outcome.RolledBack(), primary.outcome(id).join());
    AlraiException reason = failure(primary.preCommit(coordinator.primary, id));
    assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), reason.errno());
    assertEquals(ErrorKind.RETRY, reason.kind());
    steps(Step.DECIDE);
    assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), failure(coordinator.decision()).errno());
    assertEquals(List.of(), cluster.committedOn(FakeCoordinator.MARKER));
    assertFalse(mysqld.statements.contains("COMMIT AND NO CHAIN NO RELEASE"));
    assertTrue(coordinator.primary.alive());
  }

  @Test
  void aDecisionOfAPrimaryThatChangedNothingIsARow() {
    coordinator.primary.marker = "";
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE);
    assertTrue(coordinator.acknowledged());
    assertEquals(1, mysqld.log.rows.size());
    assertEquals(new Outcome.Committed(coordinator.decision().join()), primary.outcome(id).join());
  }

  @Test
  void aTombstoneStopsTheDecisionOfAPrimaryThatChangedNothing() {
    coordinator.primary.marker = "";
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    mysqld.log.rows.put(XaName.bytes(id.gtrid()).text(), new FakeTxLog.Row(0, ""));
    steps(Step.DECIDE);
    assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), failure(coordinator.decision()).errno());
    assertEquals(new Outcome.RolledBack(), primary.outcome(id).join());
  }

  @Test
  void aDecisionThatNobodyForgetsGetsARow() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE);
    HlcTimestamp commitTs = coordinator.decision().join();
    cluster.pass(1_900);
    assertEquals(0, mysqld.log.rows.size());
    cluster.pass(1_200);
    assertEquals("+dn-2,dn-3", mysqld.log.rows.get(XaName.bytes(id.gtrid()).text()).participants());
    assertEquals(new Outcome.Committed(commitTs), primary.outcome(id).join());
    steps(Step.COMMIT_2, Step.COMMIT_3, Step.FORGET);
    cluster.pass(600);
    assertEquals(0, mysqld.log.rows.size());
  }

  @Test
  void theTombstoneIsWrittenWhenThePrimaryIsBackAndForgotThePreCommit() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    mysqld.crash();
    CompletableFuture<Outcome> asked = primary.outcome(id);
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), failure(asked).errno());
    mysqld.restart();
    assertEquals(new Outcome.RolledBack(), primary.outcome(id).join());
  }

  @Test
  void aDecisionStillAtWorkInTheMysqldIsInDoubt() {
    coordinator.primary.pendingLog.put(
        XaName.bytes(id.gtrid()).text(), Optional.of(new FakeTxLog.Row(5, "dn-2,dn-3")));
    assertEquals(new Outcome.InDoubt(), primary.outcome(id).join());
    coordinator.primary.commitPlain();
    assertEquals(new Outcome.Committed(new HlcTimestamp(5)), primary.outcome(id).join());
  }

  @Test
  void aDecisionWithoutPreCommitIsRefused() {
    AlraiException reason =
        failure(primary.decide(coordinator.primary, id, HlcTimestamp.ZERO, List.of()));
    assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), reason.errno());
    assertFalse(coordinator.primary.inTransaction);
  }

  @Test
  void aLostAnswerIsFoundOutFromTheLog() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    mysqld.crashAfter("COMMIT");
    steps(Step.DECIDE);
    cluster.pass(200);
    assertTrue(coordinator.acknowledged(), "it was let through, though the mysqld is down");
    mysqld.restart();
    assertEquals(new Outcome.Committed(coordinator.decision().join()), primary.outcome(id).join());
  }

  @Test
  void aLostDecisionThatWasNotMadeIsARollback() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    mysqld.crashBefore("COMMIT");
    steps(Step.DECIDE);
    mysqld.restart();
    cluster.pass(200);
    assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), failure(coordinator.decision()).errno());
    assertEquals(new Outcome.RolledBack(), primary.outcome(id).join());
  }

  @Test
  void aDecisionIsInDoubtOnlyWhenTheMysqldStaysAway() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    mysqld.crashBefore("COMMIT");
    steps(Step.DECIDE);
    cluster.pass(9_000);
    assertFalse(coordinator.decision().isDone());
    cluster.pass(2_000);
    assertEquals(ErrorCode.ALRAI_COMMIT_IN_DOUBT.errno(), failure(coordinator.decision()).errno());
  }

  @Test
  void aFailedPrepareIsNotInThePreparedSet() {
    FakeSession outside = cluster.node("dn-2").mysqld().connect();
    AlraiException reason = failure(second.prepare(outside, id));
    assertEquals(1399, reason.errno());
    assertTrue(second.silent().isEmpty());
  }

  @Test
  void aPrepareWhoseAnswerIsLostStaysInThePreparedSet() {
    cluster.node("dn-2").mysqld().crashAfter("XA PREPARE");
    steps(Step.PREPARE_2);
    assertFalse(second.silent().isEmpty());
  }

  @Test
  void aCommitOfWhatIsDoneAlreadyIsFine() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE, Step.COMMIT_2);
    assertTrue(second.silent().isEmpty());
    assertTrue(second.commitPrepared(id, coordinator.decision().join()).done().isDone());
    assertFalse(
        second.commitPrepared(id, coordinator.decision().join()).done().isCompletedExceptionally());
  }

  @Test
  void whatASessionKeepsIsCommittedOnIt() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE);
    assertTrue(coordinator.second.kept);
    second.commitPrepared(id, coordinator.decision().join()).done().join();
    assertFalse(coordinator.second.kept);
    assertEquals(List.of("dn-1", "dn-2"), cluster.committedOn(FakeCoordinator.MARKER));
  }

  @Test
  void whatASessionKeepsIsRolledBackOnIt() {
    steps(Step.PREPARE_2);
    second.rollbackPrepared(id).join();
    assertFalse(coordinator.second.kept);
    assertEquals(List.of(), cluster.preparedOn());
  }

  @Test
  void whatASessionKeepsEndsOnItThoughItsCoordinatorIsSilent() {
    steps(Step.PREPARE_2);
    cluster.passWithRecovery(3_000);
    assertFalse(coordinator.second.kept);
    assertEquals(List.of(), cluster.preparedOn());
  }

  @Test
  void whatABrokenSessionKeptIsCommittedOnceTheMysqldHasLetGoOfIt() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE);
    coordinator.second.close();
    CompletableFuture<Void> done = second.commitPrepared(id, coordinator.decision().join()).done();
    assertFalse(done.isDone(), "an unknown xid that is listed is not done");
    cluster.pass(100);
    assertEquals(State.SUCCESS, done.state());
    assertEquals(List.of("dn-1", "dn-2"), cluster.committedOn(FakeCoordinator.MARKER));
  }

  @Test
  void whatABrokenSessionKeptIsRolledBackOnceTheMysqldHasLetGoOfIt() {
    steps(Step.PREPARE_2);
    coordinator.second.close();
    CompletableFuture<Void> done = second.rollbackPrepared(id);
    assertFalse(done.isDone(), "an unknown xid that is listed is not done");
    cluster.pass(100);
    assertEquals(State.SUCCESS, done.state());
    assertEquals(List.of(), cluster.preparedOn());
  }

  @Test
  void theGateDoesNotWaitForTheCommitOfABranchThatChangedNothing() {
    coordinator.second.marker = "";
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE, Step.COMMIT_2);
    assertFalse(second.holdsPrepared(id).join());
  }

  @Test
  void aCommitWaitsForItsMysqldToComeBack() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE);
    cluster.node("dn-2").mysqld().crash();
    Finishing commit = second.commitPrepared(id, coordinator.decision().join());
    cluster.pass(20_000);
    assertFalse(commit.submitted().isDone());
    assertFalse(commit.done().isDone());
    cluster.node("dn-2").mysqld().restart();
    cluster.pass(200);
    assertEquals(State.SUCCESS, commit.submitted().state());
    assertEquals(State.SUCCESS, commit.done().state());
    assertFalse(cluster.node("dn-2").mysqld().holds(id));
  }

  @Test
  void aParticipantThatStopsFailsWhatIsUnderWay() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE);
    cluster.node("dn-2").mysqld().crash();
    Finishing commit = second.commitPrepared(id, coordinator.decision().join());
    second.close();
    cluster.pass(200);
    assertEquals(State.FAILED, commit.submitted().state());
    assertEquals(State.FAILED, commit.done().state());
  }

  @Test
  void rollbackOfThePrimaryForgetsThatItWaits() {
    steps(Step.PRE_COMMIT);
    primary.rollbackPrepared(id).join();
    assertEquals(new Outcome.RolledBack(), primary.outcome(id).join());
  }

  @Test
  void aForgottenRowIsDeletedSoon() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE);
    cluster.pass(3_000);
    steps(Step.COMMIT_2, Step.COMMIT_3);
    assertEquals(1, mysqld.log.rows.size());
    steps(Step.FORGET);
    cluster.pass(600);
    assertEquals(0, mysqld.log.rows.size());
  }

  @Test
  void aQuestionForAnotherPrimaryIsADefect() {
    assertEquals(ErrorCode.ALRAI_INTERNAL.errno(), failure(second.outcome(id)).errno());
  }

  @Test
  void holdsPreparedIsWhatTheMysqldLists() {
    assertFalse(second.holdsPrepared(id).join());
    steps(Step.PREPARE_2);
    assertTrue(second.holdsPrepared(id).join());
  }

  @Test
  void readsAreDisturbedFromPrepareToTheEnd() {
    for (String dn : List.of("dn-1", "dn-2")) {
      assertTrue(cluster.node(dn).gate().quiet() >= 0, dn);
    }
    LiveGate atPrimary = cluster.node("dn-1").gate();
    LiveGate atSecond = cluster.node("dn-2").gate();
    long first = atPrimary.quiet();
    long mark = atSecond.quiet();
    steps(Step.PREPARE_2);
    assertTrue(atSecond.quiet() < 0);
    assertFalse(atSecond.undisturbed(mark));
    assertTrue(atPrimary.undisturbed(first));
    steps(Step.PRE_COMMIT);
    assertFalse(atPrimary.undisturbed(first));
    steps(Step.PREPARE_3, Step.DECIDE);
    assertTrue(atPrimary.quiet() > first);
    assertTrue(atSecond.quiet() < 0);
    steps(Step.COMMIT_2);
    assertTrue(atSecond.quiet() > mark);
    assertFalse(atSecond.undisturbed(mark));
  }

  @Test
  void aBranchThatChangedNothingDoesNotDisturbForEver() {
    FakeMysqld other = cluster.node("dn-2").mysqld();
    LiveGate gate = cluster.node("dn-2").gate();
    for (boolean commit : List.of(true, false)) {
      TransactionId empty = cluster.newId("dn-1");
      FakeSession branch = other.connect();
      Answer.of(branch, Sql.of("XA START ").add(XaName.name(empty, branch.dn())));
      HlcTimestamp prepared = second.prepare(branch, empty).join();
      assertTrue(gate.quiet() < 0);
      if (commit) {
        second.commitPrepared(empty, prepared).done().join();
      } else {
        second.rollbackPrepared(empty).join();
      }
      assertTrue(gate.quiet() >= 0, commit ? "committed" : "rolled back");
    }
  }
}
