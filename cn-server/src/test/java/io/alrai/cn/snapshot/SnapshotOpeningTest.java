package io.alrai.cn.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.snapshot.SnapshotOpening.Opened;
import io.alrai.cn.snapshot.SnapshotOpening.Request;
import io.alrai.cn.tx.FakeDns;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ViewOpener.Opening;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SnapshotOpeningTest {
  private static final DnId A = new DnId("dn-1");
  private static final DnId B = new DnId("dn-2");
  private static final DnId C = new DnId("dn-3");

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final SessionReads reads = new SessionReads();
  private final SnapshotOpening opening =
      new SnapshotOpening(
          dns, reads, new SettingsRegistry().defaults(), channel.eventLoop(), taken -> {});

  private static Request needed(DnId dn) {
    return new Request(dn, Optional.empty(), "START", BranchControl.ROLLBACK, true);
  }

  private static Request wanted(DnId dn) {
    return new Request(dn, Optional.empty(), "START", BranchControl.ROLLBACK, false);
  }

  private static Request written(DnId dn, Branch branch) {
    return new Request(dn, Optional.of(branch), "SELECT", "", true);
  }

  private static AlraiException error(CompletableFuture<Opened> opened) {
    Throwable cause = assertThrows(ExecutionException.class, opened::get).getCause();
    return (AlraiException) cause;
  }

  private List<String> asked(DnId dn) {
    return dns.asked.stream()
        .filter(one -> one.dn().equals(dn))
        .map(FakeDns.Asked::opening)
        .toList();
  }

  @Test
  void allDnsAreAskedForTheSameSnapshot() throws Exception {
    reads.saw(HlcTimestamp.ofMillis(dns.wall + 40).value());
    Opened opened = opening.open(List.of(needed(A), needed(B))).get();
    assertEquals(HlcTimestamp.ofMillis(dns.wall + 40), opened.at());
    assertEquals(Set.of(A, B), opened.branches().keySet());
    dns.asked.forEach(one -> assertEquals(opened.at(), one.at()));
  }

  @Test
  void afterARefusalAllAreAskedAgainAtALaterOne() throws Exception {
    dns.refusals.put(B, 1);
    Opened opened = opening.open(List.of(needed(A), needed(B))).get();
    assertEquals(List.of("START", BranchControl.ROLLBACK + ";START"), asked(A));
    assertEquals(List.of("START", "START"), asked(B));
    assertTrue(dns.asked.getFirst().at().compareTo(opened.at()) < 0);
    assertEquals(opened.at(), dns.asked.getLast().at());
  }

  @Test
  void whatIsRefusedHasNoViewAnyMore() throws Exception {
    CompletableFuture<Opening> slow = new CompletableFuture<>();
    dns.silent.put(B, slow);
    CompletableFuture<Opened> opened = opening.open(List.of(needed(A), needed(B)));
    dns.silent.clear();
    dns.refusals.put(A, 1);
    slow.complete(new Opening.Refused(HlcTimestamp.ofMillis(dns.wall + 10)));
    assertEquals(Set.of(A, B), opened.get().branches().keySet());
    assertEquals(List.of("START", BranchControl.ROLLBACK + ";START", "START"), asked(A));
    assertEquals(List.of("START", "START", BranchControl.ROLLBACK + ";START"), asked(B));
  }

  @Test
  void aViewThatTheLastHolderLeftEndsWithTheOpeningOfAnother() throws Exception {
    dns.viewed.add(B);
    opening.open(List.of(needed(A), needed(B))).get();
    assertEquals(List.of("START"), asked(A));
    assertEquals(List.of(BranchControl.ROLLBACK + ";START"), asked(B));
  }

  @Test
  void soDoesOneOnABranchThatIsThereAlready() throws Exception {
    FakeBranch branch = dns.branch(A, channel.eventLoop());
    branch.viewed = true;
    opening
        .open(List.of(new Request(A, Optional.of(branch), "START", BranchControl.ROLLBACK, true)))
        .get();
    assertEquals(List.of(BranchControl.ROLLBACK + ";START"), asked(A));
  }

  @Test
  void itEndsBeforeAnXaBranchIsOpened() throws Exception {
    FakeBranch branch = dns.branch(A, channel.eventLoop());
    branch.viewed = true;
    opening
        .open(List.of(new Request(A, Optional.of(branch), "XA START", "XA ROLLBACK", true)))
        .get();
    assertEquals(BranchControl.COMMIT, branch.statements.getFirst());
    assertEquals(List.of("XA START"), asked(A));
  }

  @Test
  void nothingIsOpenedBeforeTheSnapshotHasCome() throws Exception {
    CompletableFuture<HlcTimestamp> late = new CompletableFuture<>();
    dns.lateTimestamps.add(late);
    dns.refusals.put(B, 1);
    CompletableFuture<HlcTimestamp> later = new CompletableFuture<>();
    dns.lateTimestamps.add(later);
    CompletableFuture<Opened> opened = opening.open(List.of(needed(A), needed(B), wanted(C)));
    channel.advanceTimeBy(2 * SnapshotOpening.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertEquals(List.of(), dns.asked);
    late.complete(HlcTimestamp.ofMillis(dns.wall + 1));
    assertEquals(List.of("START"), asked(A));
    assertFalse(opened.isDone());
    later.complete(HlcTimestamp.ofMillis(dns.wall + 9));
    assertEquals(HlcTimestamp.ofMillis(dns.wall + 9), opened.get().at());
    assertEquals(List.of("START", BranchControl.ROLLBACK + ";START"), asked(A));
  }

  @Test
  void withoutASnapshotTheBranchesAreGivenBack() {
    CompletableFuture<HlcTimestamp> late = new CompletableFuture<>();
    dns.lateTimestamps.add(late);
    CompletableFuture<Opened> opened = opening.open(List.of(needed(A), needed(B)));
    late.completeExceptionally(
        new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "no leader of the GMS"));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), error(opened).errno());
    assertTrue(dns.branch(A).released);
    assertTrue(dns.branch(B).released);
  }

  @Test
  void endlessRefusalsEndInAnError() {
    dns.refusals.put(B, Integer.MAX_VALUE);
    AlraiException error = error(opening.open(List.of(needed(A), needed(B))));
    assertEquals(ErrorCode.ALRAI_SNAPSHOT_TOO_OLD.errno(), error.errno());
    assertEquals(SnapshotOpening.MOST_ATTEMPTS, asked(B).size());
    assertEquals(BranchControl.ROLLBACK, dns.branch(A).statements.getLast());
    assertTrue(dns.branch(A).released);
    assertTrue(dns.branch(B).released);
  }

  @Test
  void refusalsEndInAnErrorAfterAWhile() {
    channel.freezeTime();
    dns.refusals.put(B, Integer.MAX_VALUE);
    CompletableFuture<HlcTimestamp> second = new CompletableFuture<>();
    CompletableFuture<HlcTimestamp> third = new CompletableFuture<>();
    dns.lateTimestamps.add(CompletableFuture.completedFuture(HlcTimestamp.ofMillis(dns.wall + 1)));
    dns.lateTimestamps.add(second);
    dns.lateTimestamps.add(third);
    CompletableFuture<Opened> opened = opening.open(List.of(needed(B)));
    channel.advanceTimeBy(SnapshotOpening.MOST_NANOS, TimeUnit.NANOSECONDS);
    second.complete(HlcTimestamp.ofMillis(dns.wall + 2));
    assertFalse(opened.isDone());
    channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
    third.complete(HlcTimestamp.ofMillis(dns.wall + 3));
    assertEquals(ErrorCode.ALRAI_SNAPSHOT_TOO_OLD.errno(), error(opened).errno());
    assertEquals(3, asked(B).size());
  }

  @Test
  void aGivenSnapshotIsAskedForOnce() {
    dns.refusals.put(A, 1);
    HlcTimestamp at = HlcTimestamp.ofMillis(dns.wall);
    AlraiException error = error(opening.openAt(at, List.of(needed(A))));
    assertEquals(ErrorCode.ALRAI_SNAPSHOT_TOO_OLD.errno(), error.errno());
    assertEquals(List.of(new FakeDns.Asked(A, at, "START")), dns.asked);
    assertTrue(dns.branch(A).released);
  }

  @Test
  void aDnThatIsDownFailsWhatNeedsItAndNothingElse() throws Exception {
    dns.down.add(B);
    Opened opened = opening.open(List.of(needed(A), wanted(B), wanted(C))).get();
    assertEquals(Set.of(A, C), opened.branches().keySet());
    SnapshotOpening other =
        new SnapshotOpening(
            dns, reads, new SettingsRegistry().defaults(), channel.eventLoop(), taken -> {});
    AlraiException error = error(other.open(List.of(needed(B), needed(C))));
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), error.errno());
  }

  @Test
  void aSilentDnIsWaitedForALittleOnlyAndMayComeLate() throws Exception {
    CompletableFuture<Opening> late = new CompletableFuture<>();
    dns.silent.put(B, late);
    CompletableFuture<Opened> opened = opening.open(List.of(needed(A), wanted(B)));
    assertFalse(opened.isDone());
    channel.advanceTimeBy(SnapshotOpening.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertEquals(Set.of(A), opened.get().branches().keySet());
    CompletableFuture<Optional<Branch>> view = opening.late().getFirst().view();
    assertFalse(view.isDone());
    late.complete(new Opening.Open());
    assertEquals(Optional.of(dns.branch(B)), view.get());
    assertEquals(List.of(), opening.late());
  }

  @Test
  void whatComesLateAtAnotherSnapshotIsUndone() throws Exception {
    CompletableFuture<Opening> late = new CompletableFuture<>();
    dns.silent.put(B, late);
    CompletableFuture<Opening> slow = new CompletableFuture<>();
    dns.silent.put(A, slow);
    CompletableFuture<Opened> opened = opening.open(List.of(needed(A), wanted(B)));
    channel.advanceTimeBy(SnapshotOpening.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    dns.silent.remove(A);
    slow.complete(new Opening.Refused(HlcTimestamp.ofMillis(dns.wall + 10)));
    assertEquals(Set.of(A), opened.get().branches().keySet());
    CompletableFuture<Optional<Branch>> view = opening.late().getFirst().view();
    late.complete(new Opening.Open());
    assertEquals(Optional.empty(), view.get());
    assertEquals(BranchControl.ROLLBACK, dns.branch(B).statements.getLast());
    assertTrue(dns.branch(B).released);
  }

  @Test
  void whatComesBeforeTheNeededOnesIsNotLate() throws Exception {
    CompletableFuture<Opening> late = new CompletableFuture<>();
    dns.silent.put(B, late);
    CompletableFuture<Opening> slow = new CompletableFuture<>();
    dns.silent.put(A, slow);
    CompletableFuture<Opened> opened = opening.open(List.of(needed(A), wanted(B)));
    channel.advanceTimeBy(SnapshotOpening.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    late.complete(new Opening.Open());
    slow.complete(new Opening.Open());
    assertEquals(Set.of(A, B), opened.get().branches().keySet());
    assertEquals(List.of(), opening.late());
  }

  @Test
  void aBranchThatWroteIsOpenedBehindTheOthers() throws Exception {
    FakeBranch wrote = dns.branch(A, channel.eventLoop());
    dns.refusals.put(A, 1);
    Opened opened = opening.open(List.of(written(A, wrote), needed(B))).get();
    assertEquals(Set.of(A, B), opened.branches().keySet());
    List<DnId> order = dns.asked.stream().map(FakeDns.Asked::dn).toList();
    assertEquals(List.of(B, A, B, A), order);
    assertFalse(wrote.released);
  }

  @Test
  void viewsThatCannotBeUndoneAreOpenedAtOnceAndFurtherAhead() throws Exception {
    FakeBranch first = dns.branch(A, channel.eventLoop());
    FakeBranch second = dns.branch(B, channel.eventLoop());
    CompletableFuture<Opening> slow = new CompletableFuture<>();
    dns.silent.put(A, slow);
    CompletableFuture<Opened> opened =
        opening.open(List.of(written(A, first), written(B, second), needed(C)));
    assertEquals(
        List.of(C, A, B), dns.asked.stream().map(FakeDns.Asked::dn).toList(), "none waits for A");
    slow.complete(new Opening.Open());
    assertEquals(
        HlcTimestamp.ofMillis(dns.wall + SnapshotClock.FAR_AHEAD_MILLIS), opened.get().at());
  }

  @Test
  void aViewThatCannotBeUndoneMakesARefusalADeadlock() {
    FakeBranch first = dns.branch(A, channel.eventLoop());
    FakeBranch second = dns.branch(B, channel.eventLoop());
    dns.refusals.put(B, 1);
    AlraiException error =
        error(opening.open(List.of(written(A, first), written(B, second), needed(C))));
    assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), error.errno());
    assertEquals(BranchControl.ROLLBACK, dns.branch(C).statements.getLast());
    assertTrue(dns.branch(C).released);
    assertFalse(first.released || second.released);
  }

  @Test
  void whatIsTakenIsClosedWhenTheSessionGoes() {
    dns.silent.put(B, new CompletableFuture<>());
    CompletableFuture<Opened> opened = opening.open(List.of(needed(A), needed(B)));
    opening.abandon();
    assertTrue(dns.branch(A).closed && dns.branch(B).closed);
    assertTrue(opened.isCompletedExceptionally());
  }
}
