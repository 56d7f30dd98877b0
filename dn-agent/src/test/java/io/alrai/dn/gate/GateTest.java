package io.alrai.dn.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.PushAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The gate, step by step. */
class GateTest {
  private static final DnId OTHER = new DnId("dn-2");
  private static final TransactionId T = id(1, OTHER);
  private static final TransactionId OURS = id(2, new DnId("dn-1"));

  private long wall = 1_000;
  private final NodeClock clock = NodeClock.inMemory(new HybridLogicalClock(() -> wall, 500));
  private final List<Effect> effects = new ArrayList<>();
  private Gate gate = new Gate(clock, at(0), effects::add);

  GateTest() {
    gate.recovered(Set.of());
    wall = 1_010;
  }

  private static TransactionId id(long number, DnId primary) {
    return new TransactionId(new NodeId("cn-1"), 1, number, primary);
  }

  private static BinlogPosition at(long offset) {
    return new BinlogPosition("binlog.000001", offset);
  }

  private static HlcTimestamp ms(long millis) {
    return HlcTimestamp.ofMillis(millis);
  }

  private static Effect.Snapshot snapshot(long number, long millis) {
    return new Effect.Snapshot(new OpenId(number), ms(millis));
  }

  private void plain(long offset) {
    gate.arrived(new Arrival.Plain(at(offset), HlcTimestamp.ZERO), true);
  }

  private List<Effect> drain() {
    List<Effect> now = List.copyOf(effects);
    effects.clear();
    return now;
  }

  private HlcTimestamp stampAt(long offset) {
    return effects.stream()
        .filter(e -> e instanceof Effect.Stamped s && s.end().equals(at(offset)))
        .map(e -> ((Effect.Stamped) e).stamp())
        .findFirst()
        .orElseThrow();
  }

  private boolean acked(long offset) {
    return effects.contains(new Effect.Ack(at(offset)));
  }

  @Test
  void aCommitIsStampedAtOnceAndAcknowledgedWhenDurable() {
    plain(10);
    assertEquals(List.of(new Effect.Stamped(at(10), ms(1_010))), drain());
    gate.durable(at(10));
    assertEquals(List.of(new Effect.Ack(at(10))), drain());
    assertEquals(ms(1_010), gate.visibleStamp());
  }

  @Test
  void anIdleDnOpensAtOnceAndHoldsAcksUntilTheViewsAreOpen() {
    gate.open(new OpenId(1), ms(1_020));
    assertEquals(List.of(new Effect.OpenViews(1, at(0), List.of(snapshot(1, 1_020)))), drain());
    plain(10);
    gate.durable(at(10));
    assertFalse(acked(10));
    assertTrue(stampAt(10).compareTo(ms(1_020)) > 0);
    drain();
    gate.viewsOpened(1);
    assertEquals(List.of(new Effect.Opened(snapshot(1, 1_020)), new Effect.Ack(at(10))), drain());
  }

  @Test
  void whatIsVisibleAboveTheSnapshotRefusesIt() {
    plain(10);
    gate.durable(at(10));
    drain();
    gate.open(new OpenId(1), ms(1_005));
    assertEquals(List.of(new Effect.Refused(snapshot(1, 1_005), ms(1_010))), drain());
  }

  @Test
  void whatIsNotAcknowledgedYetStaysBehindTheCut() {
    plain(10);
    drain();
    gate.open(new OpenId(1), ms(1_005));
    assertInstanceOf(Effect.OpenViews.class, effects.getFirst());
    gate.durable(at(10));
    assertFalse(acked(10));
  }

  @Test
  void anUndecidedTransactionIsPushedAndLeftOut() {
    gate.preparing(T);
    HlcTimestamp prepareTs = gate.prepared(T);
    gate.open(new OpenId(1), ms(1_020));
    assertEquals(List.of(new Effect.Push(OTHER, T, prepareTs, ms(1_020))), drain());
    plain(10);
    assertEquals(ms(1_020), stampAt(10));
    drain();
    gate.pushAnswered(T, ms(1_020), new PushAnswer.Above());
    assertEquals(List.of(), drain());
    gate.durable(at(10));
    assertEquals(
        List.of(
            new Effect.Ack(at(10)), new Effect.OpenViews(1, at(10), List.of(snapshot(1, 1_020)))),
        drain());
  }

  @Test
  void aDecidedTransactionIsCommittedHereBeforeTheCut() {
    gate.preparing(T);
    gate.prepared(T);
    gate.open(new OpenId(1), ms(1_020));
    drain();
    gate.pushAnswered(T, ms(1_020), new PushAnswer.Committed(ms(1_015)));
    assertEquals(List.of(new Effect.SubmitXaCommit(T, ms(1_015))), drain());
    gate.commitPrepared(T, ms(1_015));
    assertEquals(List.of(), drain(), "given out before");
    gate.arrived(new Arrival.XaCommit(at(10), T), true);
    gate.durable(at(10));
    assertEquals(
        List.of(
            new Effect.Stamped(at(10), ms(1_015)),
            new Effect.Ack(at(10)),
            new Effect.OpenViews(1, at(10), List.of(snapshot(1, 1_020)))),
        drain());
    assertEquals(Set.of(), gate.preparedBranches());
  }

  @Test
  void decidedCommitsAboveAWaitingSnapshotAreWithheldUntilItsCut() {
    gate.preparing(T);
    gate.prepared(T);
    gate.open(new OpenId(1), ms(1_020));
    TransactionId later = id(3, OTHER);
    gate.preparing(later);
    gate.prepared(later);
    drain();
    gate.commitPrepared(later, ms(1_030));
    assertEquals(List.of(), drain());
    gate.pushAnswered(T, ms(1_020), new PushAnswer.Above());
    assertEquals(
        List.of(
            new Effect.OpenViews(1, at(0), List.of(snapshot(1, 1_020))),
            new Effect.SubmitXaCommit(later, ms(1_030))),
        drain());
  }

  @Test
  void openingHereMovesOurOwnUndecidedTransactionsAbove() {
    gate.preCommit(OURS);
    gate.open(new OpenId(1), ms(1_020));
    gate.viewsOpened(1);
    drain();
    gate.decide(OURS, ms(1_012));
    HlcTimestamp above = new HlcTimestamp(ms(1_020).value() + 1);
    assertEquals(List.of(new Effect.SubmitDecision(OURS, above)), drain());
    gate.arrived(new Arrival.Decision(at(10), OURS, above), true);
    gate.durable(at(10));
    assertTrue(acked(10));
  }

  @Test
  void aSubmittedDecisionAnswersItsPushWhenItIsFinal() {
    gate.preCommit(OURS);
    gate.decide(OURS, ms(1_012));
    drain();
    gate.push(new PushId(7), OURS, ms(1_011), ms(1_020));
    assertEquals(List.of(), drain());
    gate.arrived(new Arrival.Decision(at(10), OURS, ms(1_012)), true);
    gate.durable(at(10));
    assertTrue(
        drain()
            .contains(new Effect.AnswerPush(new PushId(7), new PushAnswer.Committed(ms(1_012)))));
    gate.push(new PushId(8), OURS, ms(1_011), ms(1_021));
    assertEquals(
        List.of(new Effect.AnswerPush(new PushId(8), new PushAnswer.Committed(ms(1_012)))),
        drain());
  }

  @Test
  void aPushedTransactionDecidesAboveTheSnapshot() {
    gate.preCommit(OURS);
    gate.push(new PushId(7), OURS, ms(1_011), ms(1_020));
    assertEquals(List.of(new Effect.AnswerPush(new PushId(7), new PushAnswer.Above())), drain());
    gate.decide(OURS, ms(1_012));
    assertEquals(
        List.of(new Effect.SubmitDecision(OURS, new HlcTimestamp(ms(1_020).value() + 1))), drain());
  }

  @Test
  void aTransactionPushedBeforeItsPreCommitComesAbove() {
    gate.push(new PushId(7), OURS, ms(1_011), ms(1_020));
    assertEquals(List.of(new Effect.AnswerPush(new PushId(7), new PushAnswer.Above())), drain());
    assertTrue(gate.preCommit(OURS).compareTo(ms(1_020)) > 0);
  }

  @Test
  void aTransactionOfBeforeTheStartIsLookedUpInTheLog() {
    gate.push(new PushId(7), OURS, HlcTimestamp.ZERO, ms(1_020));
    gate.push(new PushId(8), OURS, HlcTimestamp.ZERO, ms(1_021));
    assertEquals(List.of(new Effect.Settle(OURS)), drain());
    PushAnswer committed = new PushAnswer.Committed(ms(900));
    gate.settled(OURS, committed);
    assertEquals(
        List.of(
            new Effect.AnswerPush(new PushId(7), committed),
            new Effect.AnswerPush(new PushId(8), committed)),
        drain());
  }

  @Test
  void aGivenUpTransactionIsNotDecided() {
    gate.preCommit(OURS);
    assertTrue(gate.giveUp(OURS));
    gate.decide(OURS, ms(1_012));
    assertEquals(List.of(new Effect.RefuseDecision(OURS)), drain());
  }

  @Test
  void aDependencyAboveAWaitingSnapshotRefusesIt() {
    gate.preparing(T);
    gate.prepared(T);
    gate.open(new OpenId(1), ms(1_020));
    drain();
    gate.arrived(new Arrival.Plain(at(10), ms(1_025)), true);
    assertEquals(
        new Effect.Refused(snapshot(1, 1_020), ms(1_025)).snapshot(),
        ((Effect.Refused) effects.getFirst()).snapshot());
    assertTrue(stampAt(10).compareTo(ms(1_025)) > 0);
  }

  @Test
  void oneCutServesSeveralSnapshotsInOrder() {
    gate.preparing(T);
    gate.prepared(T);
    gate.open(new OpenId(1), ms(1_022));
    gate.open(new OpenId(2), ms(1_020));
    drain();
    gate.pushAnswered(T, ms(1_022), new PushAnswer.Above());
    assertEquals(
        List.of(new Effect.OpenViews(1, at(0), List.of(snapshot(2, 1_020), snapshot(1, 1_022)))),
        drain());
  }

  @Test
  void anOlderSnapshotThatComesLateIsShownIfNothingLiesBetween() {
    gate.open(new OpenId(1), ms(1_022));
    gate.viewsOpened(1);
    drain();
    gate.open(new OpenId(2), ms(1_020));
    assertEquals(List.of(new Effect.OpenViews(2, at(0), List.of(snapshot(2, 1_020)))), drain());
    plain(10);
    assertTrue(stampAt(10).compareTo(ms(1_022)) > 0);
  }

  @Test
  void afterARestartRecoveredBranchesArePushedAndUnknownCommitsAskedFor() {
    gate = new Gate(clock, at(0), effects::add);
    gate.arrived(new Arrival.XaCommit(at(10), T), true);
    gate.durable(at(10));
    assertEquals(List.of(new Effect.AskCommitTs(T)), drain());
    gate.open(new OpenId(1), ms(1_020));
    TransactionId found = id(3, OTHER);
    gate.recovered(Set.of(found));
    assertEquals(List.of(new Effect.Push(OTHER, found, HlcTimestamp.ZERO, ms(1_020))), drain());
    gate.pushAnswered(found, ms(1_020), new PushAnswer.Above());
    assertEquals(List.of(), drain());
    gate.commitTsKnown(T, ms(990));
    assertEquals(
        List.of(
            new Effect.Stamped(at(10), ms(990)),
            new Effect.WriteStamps(1, List.of(new Effect.Stamped(at(10), ms(990))))),
        drain());
    gate.stampsWritten(1);
    assertEquals(
        List.of(
            new Effect.Ack(at(10)), new Effect.OpenViews(1, at(10), List.of(snapshot(1, 1_020)))),
        drain());
  }

  @Test
  void aCommitThatPassedTheGateIsNoticed() {
    gate.open(new OpenId(1), ms(1_020));
    assertThrows(
        IllegalStateException.class,
        () -> gate.arrived(new Arrival.Decision(at(10), OURS, ms(1_015)), true));
  }

  @Test
  void theCutIsAtTheEndOfACommitGroup() {
    gate.arrived(new Arrival.Plain(at(10), HlcTimestamp.ZERO), false);
    drain();
    gate.open(new OpenId(1), ms(1_020));
    assertEquals(List.of(), drain(), "the rest of the group is to come");
    plain(20);
    assertEquals(ms(1_020), stampAt(20));
    drain();
    gate.durable(at(20));
    assertEquals(
        List.of(
            new Effect.Ack(at(20)), new Effect.OpenViews(1, at(20), List.of(snapshot(1, 1_020)))),
        drain());
  }

  @Test
  void aCutInTheMiddleOfACommitGroupMovesToItsEnd() {
    plain(10);
    gate.durable(at(10));
    gate.open(new OpenId(1), ms(1_020));
    plain(20);
    assertTrue(stampAt(20).compareTo(ms(1_020)) > 0);
    gate.durable(at(20));
    drain();
    gate.cutStuck(1);
    assertEquals(
        List.of(
            new Effect.Stamped(at(20), ms(1_020)),
            new Effect.WriteStamps(1, List.of(new Effect.Stamped(at(20), ms(1_020))))),
        drain());
    gate.stampsWritten(1);
    assertEquals(
        List.of(
            new Effect.Ack(at(20)), new Effect.OpenViews(2, at(20), List.of(snapshot(1, 1_020)))),
        drain());
    gate.viewsOpened(1);
    assertEquals(List.of(), drain(), "that cut was given up");
    gate.viewsOpened(2);
    assertEquals(List.of(new Effect.Opened(snapshot(1, 1_020))), drain());
  }

  @Test
  void nothingAfterAStampThatIsNotWrittenIsAcknowledged() {
    plain(10);
    gate.durable(at(10));
    gate.open(new OpenId(1), ms(1_020));
    plain(20);
    plain(30);
    drain();
    gate.cutStuck(1);
    assertEquals(
        new Effect.WriteStamps(
            1,
            List.of(new Effect.Stamped(at(20), ms(1_020)), new Effect.Stamped(at(30), ms(1_020)))),
        drain().getLast());
    gate.durable(at(30));
    assertEquals(List.of(), drain(), "as they were written they have other stamps");
    gate.stampsWritten(1);
    assertEquals(
        List.of(
            new Effect.Ack(at(30)), new Effect.OpenViews(2, at(30), List.of(snapshot(1, 1_020)))),
        drain());
  }

  @Test
  void whatIsWrittenBeforeItIsDurableWaitsForThat() {
    plain(10);
    gate.durable(at(10));
    gate.open(new OpenId(1), ms(1_020));
    plain(20);
    drain();
    gate.cutStuck(1);
    drain();
    gate.stampsWritten(1);
    assertEquals(List.of(), drain());
    gate.durable(at(20));
    assertEquals(new Effect.Ack(at(20)), drain().getFirst());
  }

  @Test
  void onlyWhatIsBeforeAnUnknownTimestampIsAcknowledged() {
    gate = new Gate(clock, at(0), effects::add);
    gate.recovered(Set.of());
    plain(10);
    gate.arrived(new Arrival.XaCommit(at(20), T), true);
    plain(30);
    drain();
    gate.commitTsKnown(T, ms(990));
    drain();
    gate.durable(at(30));
    assertEquals(List.of(new Effect.Ack(at(10))), drain());
    gate.stampsWritten(1);
    assertEquals(List.of(new Effect.Ack(at(30))), drain());
  }

  @Test
  void aSlowCommitThatLookedLikeTheMiddleOfAGroupIsTheCutAfterAll() {
    plain(10);
    gate.durable(at(10));
    gate.open(new OpenId(1), ms(1_020));
    drain();
    gate.cutStuck(1);
    assertEquals(List.of(), drain());
    gate.visible(at(10));
    assertEquals(List.of(new Effect.OpenViews(2, at(10), List.of(snapshot(1, 1_020)))), drain());
  }

  @Test
  void whatDependsOnMoreCannotMoveBeforeTheCut() {
    plain(10);
    gate.durable(at(10));
    gate.open(new OpenId(1), ms(1_020));
    gate.arrived(new Arrival.Plain(at(20), ms(1_021)), true);
    drain();
    gate.cutStuck(1);
    assertInstanceOf(Effect.Refused.class, effects.getFirst());
  }
}
