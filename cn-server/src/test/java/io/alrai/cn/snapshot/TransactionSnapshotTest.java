package io.alrai.cn.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.tx.FakeDns;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.cn.tx.StatementTraits;
import io.alrai.cn.tx.branch.OpenTransaction;
import io.alrai.cn.tx.branch.Savepoints;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ViewOpener.Opening;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TransactionSnapshotTest {
  private static final DnId A = new DnId("dn-1");
  private static final DnId B = new DnId("dn-2");
  private static final DnId C = new DnId("dn-3");
  private static final long TEMPLATE = 77;
  private static final String START = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ WRITE";

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final SettingsRegistry registry = new SettingsRegistry();
  private final SessionTransaction transaction =
      new SessionTransaction(
          dns, new TransactionNumbers(new NodeId("cn-1"), 1), new SpanningTransactions());
  private SessionSettings settings = registry.defaults();

  TransactionSnapshotTest() {
    dns.dataNodes.addAll(List.of(A, B, C));
  }

  private void begin(TransactionOptions options) {
    dns.asked.clear();
    dns.branches.clear();
    transaction.begin(options);
    transaction.statement(TEMPLATE, StatementTraits.PLAIN);
  }

  private static final class Taken implements BranchTaker {
    private int branches;
    private int errno;

    @Override
    public void taken(Branch branch) {
      branches++;
      branch.flush();
    }

    @Override
    public void refused(AlraiException reason) {
      errno = reason.errno();
    }
  }

  private Taken touch(DnId dn, RowAccess access) {
    Taken taken = new Taken();
    transaction.branch(dn, settings, "", access, taken);
    return taken;
  }

  private void read(DnId dn) {
    assertEquals(1, touch(dn, RowAccess.CONSISTENT).branches);
  }

  private void write(DnId dn) {
    assertEquals(1, touch(dn, RowAccess.CHANGING).branches);
  }

  private Set<DnId> asked() {
    Set<DnId> all = new TreeSet<>();
    dns.asked.forEach(one -> all.add(one.dn()));
    return all;
  }

  private String opening(DnId dn) {
    return dns.asked.stream()
        .filter(one -> one.dn().equals(dn))
        .findFirst()
        .orElseThrow()
        .opening();
  }

  private void transactionOn(DnId first, DnId second) {
    begin(TransactionOptions.PLAIN);
    read(first);
    read(second);
    transaction.commit();
  }

  @Test
  void theFirstReadOpensAllDnsAtOneSnapshot() {
    begin(TransactionOptions.PLAIN);
    read(B);
    assertEquals(Set.of(A, B, C), asked());
    assertEquals(1, dns.asked.stream().map(FakeDns.Asked::at).distinct().count());
    assertEquals(START, opening(B));
    assertTrue(opening(A).startsWith("XA START x'"), opening(A));
    assertTrue(opening(A).contains(";SELECT 1 FROM alrai.tx_log"), opening(A));
    assertTrue(transaction.reads().stamp() > 0);
    int before = dns.asked.size();
    read(A);
    read(B);
    assertEquals(before, dns.asked.size());
  }

  @Test
  void aTransactionThatOnlyReadNeedsNoXa() {
    begin(new TransactionOptions("", true, false));
    read(A);
    for (DnId dn : List.of(A, B, C)) {
      assertEquals(START.replace("WRITE", "ONLY"), opening(dn));
    }
    transaction.commit();
    assertEquals(BranchControl.COMMIT, dns.branch(C).statements.getLast());
    assertTrue(dns.branch(C).released);
  }

  @Test
  void transactionsThatStayAreNotOpenedElsewhere() {
    for (int i = 0; i < SpreadPredictor.TRUSTED; i++) {
      transactionOn(A, A);
      assertEquals(Set.of(A, B, C), asked());
    }
    transactionOn(B, B);
    assertEquals(Set.of(B), asked());
  }

  @Test
  void aWrongPredictionIsADeadlockOnlyWhereTheSnapshotIsGone() {
    for (int i = 0; i < SpreadPredictor.TRUSTED; i++) {
      transactionOn(A, A);
    }
    begin(TransactionOptions.PLAIN);
    read(A);
    write(A);
    dns.refusals.put(B, 1);
    assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), touch(B, RowAccess.CONSISTENT).errno);
    transaction.rollback();
    transactionOn(A, B);
    assertEquals(Set.of(A, B, C), asked());
  }

  @Test
  void aLateDnThatStillHasTheSnapshotIsJoined() {
    for (int i = 0; i < SpreadPredictor.TRUSTED; i++) {
      transactionOn(A, A);
    }
    transactionOn(A, B);
    assertEquals(Set.of(A, B), asked());
    assertEquals(1, dns.asked.stream().map(FakeDns.Asked::at).distinct().count());
    assertFalse(dns.predictor.stays(TEMPLATE));
  }

  @Test
  void aBranchBegunByAWriteGetsItsViewWhenItIsRead() {
    begin(TransactionOptions.PLAIN);
    write(A);
    assertEquals(Set.of(), asked());
    assertEquals(List.of("START TRANSACTION"), dns.branch(A).statements);
    read(A);
    assertTrue(opening(A).startsWith("SELECT 1 FROM alrai.tx_log"), opening(A));
    assertEquals(A, dns.asked.getLast().dn());
    assertEquals(Set.of(A, B, C), asked());
  }

  @Test
  void writesAndStatementsWithoutTablesChooseNoSnapshot() {
    begin(TransactionOptions.PLAIN);
    write(A);
    assertEquals(1, touch(B, RowAccess.NONE).branches);
    assertEquals(Set.of(), asked());
    assertFalse(transaction.snapshot().isPresent());
  }

  @Test
  void otherIsolationsAndEventualReadsHaveNoSnapshot() {
    for (String level : List.of("READ COMMITTED", "READ UNCOMMITTED", "SERIALIZABLE")) {
      begin(new TransactionOptions(level, false, false));
      read(A);
      assertEquals(Set.of(), asked(), level);
      transaction.rollback();
    }
    settings = registry.with(settings, "transaction_isolation", "'READ-COMMITTED'");
    begin(TransactionOptions.PLAIN);
    read(A);
    assertEquals(Set.of(), asked());
    assertTrue(transaction.readsBeside(List.of(A, B), settings));
    write(B);
    assertFalse(transaction.readsBeside(List.of(A, B), settings));
    transaction.rollback();
    settings = registry.defaults();
    transaction.reads().eventual(true);
    begin(TransactionOptions.PLAIN);
    read(A);
    assertEquals(Set.of(), asked());
  }

  @Test
  void withConsistentSnapshotAllAreOpenedAtTheBeginning() {
    begin(new TransactionOptions("", false, true));
    assertTrue(transaction.openSnapshot(settings).isDone());
    assertEquals(Set.of(A, B, C), asked());
    assertEquals(START, opening(A));
    dns.down.add(C);
    transaction.rollback();
    begin(new TransactionOptions("", false, true));
    assertTrue(transaction.openSnapshot(settings).isCompletedExceptionally());
    assertFalse(transaction.open());
  }

  @Test
  void aStatementOfItsOwnOpensOnlyWhereItReads() {
    dns.asked.clear();
    transaction.beginForStatement();
    transaction.statement(TEMPLATE, StatementTraits.PLAIN);
    read(A);
    assertEquals(Set.of(), asked());
    transaction.rollback();
    transaction.beginForStatement();
    assertTrue(transaction.read(List.of(A, B), settings).isDone());
    assertEquals(Set.of(A, B), asked());
  }

  /** Begins a transaction that reads on A while the view of C is slow; gives what C is asked. */
  private CompletableFuture<Opening> readWhileSlow() {
    CompletableFuture<Opening> slow = new CompletableFuture<>();
    dns.silent.put(C, slow);
    begin(TransactionOptions.PLAIN);
    Taken taken = touch(A, RowAccess.CONSISTENT);
    channel.advanceTimeBy(SnapshotOpening.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertEquals(1, taken.branches);
    dns.silent.clear();
    return slow;
  }

  private long askedOf(DnId dn) {
    return dns.asked.stream().filter(one -> one.dn().equals(dn)).count();
  }

  @Test
  void aViewThatComesLateIsUsed() {
    for (RowAccess access : List.of(RowAccess.CONSISTENT, RowAccess.CHANGING)) {
      CompletableFuture<Opening> slow = readWhileSlow();
      Taken taken = touch(C, access);
      assertEquals(0, taken.branches, "the name of the XA branch is taken on C");
      slow.complete(new Opening.Open());
      assertEquals(1, taken.branches);
      assertEquals(1, askedOf(C));
      assertEquals(1, dns.branches.stream().filter(branch -> branch.dn().equals(C)).count());
      transaction.rollback();
      assertTrue(dns.branch(C).released);
    }
  }

  @Test
  void whereALateViewIsRefusedTheDnIsTriedAgain() {
    CompletableFuture<Opening> slow = readWhileSlow();
    Taken taken = touch(C, RowAccess.CONSISTENT);
    slow.complete(new Opening.Refused(new HlcTimestamp(1)));
    assertEquals(1, taken.branches);
    assertEquals(2, askedOf(C));
    assertEquals(1, dns.asked.stream().map(FakeDns.Asked::at).distinct().count());
  }

  @Test
  void aViewThatComesAfterTheEndIsUndone() {
    CompletableFuture<Opening> slow = readWhileSlow();
    Taken taken = touch(C, RowAccess.CHANGING);
    transaction.rollback();
    begin(TransactionOptions.PLAIN);
    slow.complete(new Opening.Open());
    assertEquals(0, taken.branches);
    assertTrue(taken.errno != 0);
    write(C);
    assertEquals(1, dns.branches.size());
  }

  @Test
  void nothingIsSentBehindAnXaStartThatFails() {
    dns.failing = "XA START";
    begin(TransactionOptions.PLAIN);
    write(A);
    Taken taken = touch(B, RowAccess.CHANGING);
    assertEquals(0, taken.branches);
    assertEquals(ErrorCode.CR_SERVER_LOST.errno(), taken.errno);
    assertTrue(dns.branch(B).closed);
  }

  @Test
  void anUnusedViewEndsWithoutATrace() {
    begin(TransactionOptions.PLAIN);
    read(A);
    transaction.commit();
    List<String> ending = dns.branch(B).statements;
    assertTrue(ending.get(ending.size() - 2).startsWith("XA END "), ending.toString());
    assertTrue(ending.getLast().startsWith("XA ROLLBACK "), ending.toString());
    assertTrue(dns.branch(B).released);
  }

  /** Lets transactions of this kind and session be known as such that write on one DN at most. */
  private void trust() {
    for (int i = 0; i < SpreadPredictor.TRUSTED; i++) {
      transactionOn(A, B);
    }
  }

  private List<String> statements(DnId dn) {
    return dns.branches.stream()
        .filter(branch -> branch.dn().equals(dn))
        .flatMap(branch -> branch.statements.stream())
        .toList();
  }

  @Test
  void transactionsThatOnlyReadNeedNoXaOnceTheyAreKnown() {
    trust();
    assertTrue(opening(B).startsWith("XA START x'"), opening(B));
    transactionOn(A, B);
    for (DnId dn : List.of(A, B, C)) {
      assertEquals(START, opening(dn));
      assertEquals(List.of(BranchControl.COMMIT), statements(dn));
      assertTrue(dns.branch(dn).released);
    }
  }

  @Test
  void anotherSessionHasToBeKnownItself() {
    trust();
    SessionTransaction other =
        new SessionTransaction(
            dns, new TransactionNumbers(new NodeId("cn-1"), 2), new SpanningTransactions());
    dns.asked.clear();
    other.begin(TransactionOptions.PLAIN);
    other.statement(TEMPLATE, StatementTraits.PLAIN);
    other.branch(A, settings, "", RowAccess.CONSISTENT, new Taken());
    assertTrue(opening(B).startsWith("XA START x'"), opening(B));
  }

  @Test
  void theFirstPlainViewThatWritesDecides() {
    trust();
    begin(TransactionOptions.PLAIN);
    read(A);
    write(B);
    write(B);
    assertEquals(Set.of(A, B, C), asked());
    assertEquals(
        B,
        transaction.seen().orElseThrow().branches().stream()
            .filter(OpenTransaction.Part::primary)
            .findFirst()
            .orElseThrow()
            .dn());
    transaction.commit();
    for (DnId dn : List.of(A, B, C)) {
      assertEquals(List.of(BranchControl.COMMIT), statements(dn));
    }
    transactionOn(A, B);
    assertEquals(START, opening(B));
  }

  @Test
  void aSecondPlainViewThatWritesBecomesAnXaBranchOfTheSameSnapshot() {
    trust();
    begin(TransactionOptions.PLAIN);
    transaction.savepoint(Savepoints.Action.SET, "s");
    read(A);
    write(B);
    CompletableFuture<Opening> slow = new CompletableFuture<>();
    dns.silent.put(A, slow);
    Taken first = touch(A, RowAccess.CHANGING);
    Taken second = touch(A, RowAccess.CONSISTENT);
    assertEquals(0, first.branches + second.branches);
    assertEquals(List.of("SAVEPOINT `alrai:1`", BranchControl.COMMIT), statements(A));
    slow.complete(new Opening.Open());
    assertEquals(1, first.branches);
    assertEquals(1, second.branches);
    assertEquals(
        List.of("SAVEPOINT `alrai:1`", BranchControl.COMMIT, "SAVEPOINT `alrai:1`"), statements(A));
    assertTrue(dns.asked.getLast().opening().startsWith("XA START x'"), "" + dns.asked);
    assertEquals(1, dns.asked.stream().map(FakeDns.Asked::at).distinct().count());
    assertEquals(2, dns.branches.stream().filter(branch -> branch.dn().equals(A)).count());
    dns.silent.clear();
    transaction.rollback();
    transactionOn(A, B);
    assertTrue(opening(B).startsWith("XA START x'"), opening(B));
  }

  @Test
  void aSecondWriterWhoseSnapshotIsGoneIsADeadlock() {
    trust();
    begin(TransactionOptions.PLAIN);
    read(A);
    write(A);
    dns.refusals.put(B, 1);
    assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), touch(B, RowAccess.CHANGING).errno);
    transaction.rollback();
    transactionOn(A, B);
    assertTrue(opening(B).startsWith("XA START x'"), opening(B));
  }

  @Test
  void aSessionThatEndsWhileASecondWriterBecomesXaLeavesNothing() {
    trust();
    begin(TransactionOptions.PLAIN);
    read(A);
    write(A);
    CompletableFuture<Opening> slow = new CompletableFuture<>();
    dns.silent.put(B, slow);
    Taken taken = touch(B, RowAccess.CHANGING);
    transaction.abandon();
    assertTrue(taken.errno != 0);
    slow.complete(new Opening.Open());
    assertEquals(0, taken.branches);
    assertTrue(dns.branches.getLast().closed);
  }

  @Test
  void aDnThatAPlainTransactionWritesOnWithoutAViewIsOfXaBehindAnotherWriter() {
    for (int i = 0; i < SpreadPredictor.TRUSTED; i++) {
      transactionOn(A, A);
    }
    begin(TransactionOptions.PLAIN);
    read(A);
    write(B);
    write(C);
    assertEquals(Set.of(A), asked());
    assertEquals(List.of("START TRANSACTION"), statements(B));
    assertTrue(statements(C).getFirst().startsWith("XA START x'"), "" + statements(C));
  }
}
