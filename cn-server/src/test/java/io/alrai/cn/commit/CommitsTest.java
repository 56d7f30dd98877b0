package io.alrai.cn.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.tx.FakeDns;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.cn.tx.StatementTraits;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.dn.backend.FakeReply;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** In which order the branches of a transaction end. */
class CommitsTest {
  private static final DnId A = new DnId("dn-1");
  private static final DnId B = new DnId("dn-2");
  private static final DnId C = new DnId("dn-3");

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final SettingsRegistry registry = new SettingsRegistry();
  private final SessionTransaction transaction =
      new SessionTransaction(
          dns, new TransactionNumbers(new NodeId("cn-1"), 1), new SpanningTransactions());

  private void touch(DnId dn, RowAccess access) {
    transaction.branch(
        dn,
        registry.defaults(),
        "",
        access,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            branch.flush();
          }

          @Override
          public void refused(AlraiException reason) {
            throw reason;
          }
        });
  }

  private CompletableFuture<Void> commitWhileTheWriterIsSilent(String isolation) {
    transaction.begin(new TransactionOptions(isolation, false, false));
    touch(A, RowAccess.CHANGING);
    touch(B, RowAccess.CONSISTENT);
    dns.branch(A).silent = true;
    return transaction.commit();
  }

  private void theWriterAnswers() {
    dns.branch(A).silent = false;
    dns.branch(A).flush();
  }

  /** Commits; B keeps its locks until A has answered. Returns how it ends then. */
  private String howTheReaderEnds() {
    dns.branch(A).silent = true;
    CompletableFuture<Void> done = transaction.commit();
    assertEquals(BranchControl.COMMIT, dns.branch(A).statements.getLast());
    assertEquals("DO 0", dns.branch(B).statements.getLast());
    theWriterAnswers();
    assertEquals(B, dns.asked.getLast().dn(), "the stamp was not passed on");
    assertTrue(dns.branch(B).released);
    assertTrue(done.isDone());
    return dns.branch(B).statements.getLast();
  }

  @Test
  void readLocksStayUntilTheWritesAreCommitted() {
    CompletableFuture<Void> done = commitWhileTheWriterIsSilent("SERIALIZABLE");
    assertEquals(BranchControl.COMMIT, dns.branch(A).statements.getLast());
    assertTrue(dns.branch(B).statements.stream().noneMatch(sent -> sent.startsWith("XA END")));
    assertFalse(done.isDone());
    theWriterAnswers();
    assertTrue(dns.branch(B).released);
    assertTrue(done.isDone());
  }

  @Test
  void aCommitThatFailsEndsTheReadersAsWell() {
    CompletableFuture<Void> done = commitWhileTheWriterIsSilent("SERIALIZABLE");
    dns.branch(A).silent = false;
    dns.branch(A).failing = "COMMIT";
    dns.branch(A).flush();
    assertTrue(dns.branch(B).released);
    assertTrue(done.isCompletedExceptionally());
  }

  @Test
  void locksOfASelectForUpdateStayUntilTheWritesAreCommitted() {
    transaction.begin(new TransactionOptions("REPEATABLE READ", false, false));
    touch(A, RowAccess.CHANGING);
    touch(B, RowAccess.LOCKING);
    assertTrue(howTheReaderEnds().startsWith("XA ROLLBACK"));
  }

  @Test
  void aTransactionThatHasLostLocksOfItsReadsIsRolledBack() {
    transaction.begin(new TransactionOptions("SERIALIZABLE", false, false));
    touch(A, RowAccess.CHANGING);
    touch(B, RowAccess.CONSISTENT);
    dns.branch(B).failing = "DO 0";
    CompletableFuture<Void> done = transaction.commit();
    assertEquals(BranchControl.ROLLBACK, dns.branch(A).statements.getLast());
    assertTrue(done.isCompletedExceptionally());
    assertEquals(
        ErrorCode.ER_LOCK_DEADLOCK.errno(), AlraiException.causeOf(done.exceptionNow()).errno());
  }

  @Test
  void aReaderThatIsGoneRollsBackToo() {
    transaction.begin(new TransactionOptions("SERIALIZABLE", false, false));
    touch(A, RowAccess.CHANGING);
    touch(B, RowAccess.CONSISTENT);
    dns.branch(B).close();
    assertTrue(transaction.commit().isCompletedExceptionally());
    assertEquals(BranchControl.ROLLBACK, dns.branch(A).statements.getLast());
  }

  @Test
  void readersWithoutLocksEndAtOnce() {
    CompletableFuture<Void> done = commitWhileTheWriterIsSilent("REPEATABLE READ");
    assertTrue(dns.branch(B).released);
    theWriterAnswers();
    assertTrue(done.isDone());
  }

  /** A statement that changes rows, and its answer. */
  private void write(DnId dn, boolean changes) {
    transaction.statement(0, StatementTraits.PLAIN);
    touch(dn, RowAccess.CHANGING);
    if (changes) {
      dns.branch(dn).state().change();
    }
  }

  @Test
  void aWriteThatChangedNothingKeepsItsLocksUntilTheOthersAreCommitted() {
    transaction.begin(TransactionOptions.PLAIN);
    write(A, true);
    write(B, false);
    assertTrue(howTheReaderEnds().endsWith("ONE PHASE"));
  }

  @Test
  void aWriteThatChangedNothingIsUndoneWithTheOthers() {
    transaction.begin(TransactionOptions.PLAIN);
    write(A, true);
    write(B, false);
    dns.branch(A).failing = "COMMIT";
    assertTrue(transaction.commit().isCompletedExceptionally());
    assertTrue(dns.branch(B).statements.getLast().startsWith("XA ROLLBACK"));
  }

  @Test
  void aPrimaryWithLocksOnlyChangesSomethingBeforeItDecides() {
    transaction.begin(TransactionOptions.PLAIN);
    write(A, false);
    write(B, true);
    write(C, true);
    assertTrue(transaction.commit().isCompletedExceptionally(), "these DNs prepare nothing");
    assertTrue(changesSomething(A));
    assertFalse(changesSomething(B));
  }

  @Test
  void aBranchThatMayHaveChangedNothingChangesSomethingBeforeItIsPrepared() {
    transaction.begin(TransactionOptions.PLAIN);
    write(A, true);
    write(B, true);
    transaction.statement(0, new StatementTraits(false, false, true, true));
    touch(C, RowAccess.CHANGING);
    assertTrue(transaction.commit().isCompletedExceptionally(), "these DNs prepare nothing");
    assertFalse(changesSomething(A));
    assertTrue(changesSomething(C));
  }

  @Test
  void aCommitWhoseBranchDiesBeforeItDecidesCanBeTriedAgain() {
    transaction.begin(TransactionOptions.PLAIN);
    write(A, false);
    write(B, true);
    write(C, true);
    dns.replies =
        sql ->
            sql.startsWith("INSERT INTO alrai.tx_log")
                ? Optional.of(FakeReply.empty().breaksBefore(0))
                : Optional.empty();
    CompletableFuture<Void> done = transaction.commit();
    assertEquals(
        ErrorCode.ER_LOCK_DEADLOCK.errno(), AlraiException.causeOf(done.exceptionNow()).errno());
  }

  private boolean changesSomething(DnId dn) {
    return dns.branch(dn).statements.stream()
        .anyMatch(sent -> sent.startsWith("INSERT INTO alrai.tx_log"));
  }

  @Test
  void aTransactionThatAMysqldHasRolledBackGoesOnNowhere() {
    transaction.begin(TransactionOptions.PLAIN);
    write(A, true);
    write(B, true);
    dns.branch(A).lost = true;
    transaction.failed(new AlraiException(ErrorCode.ER_LOCK_WAIT_TIMEOUT, "1205 and more"));
    assertFalse(transaction.open());
    assertTrue(dns.branch(B).statements.getLast().startsWith("XA ROLLBACK"));
  }

  @Test
  void anErrorOfAStatementLeavesTheTransaction() {
    transaction.begin(TransactionOptions.PLAIN);
    write(A, true);
    transaction.failed(new AlraiException(ErrorCode.ER_LOCK_WAIT_TIMEOUT, "1205"));
    assertTrue(transaction.open());
  }

  @Test
  void anErrorOnOneDnWaitsForNoOther() {
    transaction.begin(TransactionOptions.PLAIN);
    write(A, true);
    write(B, true);
    dns.branch(A).silent = true;
    AlraiException error = new AlraiException(ErrorCode.ER_LOCK_WAIT_TIMEOUT, "1205");
    assertTrue(transaction.failedOn(B, error).isDone());
    assertTrue(transaction.open());
    assertFalse(transaction.failed(error).isDone());
  }
}
