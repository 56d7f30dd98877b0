package io.alrai.cn.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.StatusSink;
import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.snapshot.ReadLog;
import io.alrai.cn.snapshot.SnapshotOpening;
import io.alrai.cn.snapshot.SpreadPredictor;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.tx.branch.Savepoints;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ViewOpener.Opening;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Transactions that come to a DN late, where their snapshot is gone. */
class SnapshotMoveTest {
  private static final DnId A = new DnId("dn-1");
  private static final DnId B = new DnId("dn-2");
  private static final DnId C = new DnId("dn-3");
  private static final String READ = "SELECT b FROM t";
  private static final String OTHER = "SELECT c FROM t";
  private static final String START = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ WRITE";
  private static final int DEADLOCK = ErrorCode.ER_LOCK_DEADLOCK.errno();
  private static final int DONE = 0;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final SettingsRegistry registry = new SettingsRegistry();
  private SessionSettings settings = registry.defaults();
  private final SessionTransaction transaction =
      new SessionTransaction(
          dns, new TransactionNumbers(new NodeId("cn-1"), 1), new SpanningTransactions());

  SnapshotMoveTest() {
    dns.dataNodes.addAll(List.of(A, B));
    dns.rows.put(READ, List.of(1, 2, 3));
    dns.rows.put(OTHER, List.of(4));
    readsStayOnA(SpreadPredictor.TRUSTED);
    dns.refusals.put(B, 1);
  }

  private void readsStayOnA(int times) {
    for (int i = 0; i < times; i++) {
      begin(TransactionOptions.PLAIN);
      read(A, READ);
      transaction.commit();
    }
  }

  private void begin(TransactionOptions options) {
    dns.asked.clear();
    dns.branches.clear();
    transaction.begin(options);
    transaction.statement(77, StatementTraits.PLAIN);
  }

  /** Runs a statement; gives the errno with which its branch was refused. */
  private int run(DnId dn, ByteBuf command, RowAccess access) {
    int[] errno = new int[1];
    transaction.branch(
        dn,
        settings,
        "",
        access,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            branch.send(command, ReplyKind.RESULTS, new StatusSink(error -> {}));
            branch.flush();
          }

          @Override
          public void refused(AlraiException reason) {
            errno[0] = reason.errno();
          }
        });
    return errno[0];
  }

  private int read(DnId dn, String sql) {
    return run(dn, Commands.query(ByteBufAllocator.DEFAULT, Sql.client(sql)), RowAccess.CONSISTENT);
  }

  private void write(DnId dn) {
    run(
        dn,
        Commands.query(ByteBufAllocator.DEFAULT, Sql.of("UPDATE t SET b = 1")),
        RowAccess.CHANGING);
  }

  private int execute(DnId dn, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    return run(
        dn,
        Commands.command(ByteBufAllocator.DEFAULT, Command.STMT_EXECUTE, body),
        RowAccess.CONSISTENT);
  }

  private long snapshot() {
    return transaction.snapshot().orElseThrow().value();
  }

  private boolean leftNothing() {
    return dns.branches.stream().allMatch(branch -> branch.released || branch.closed);
  }

  @Test
  void readsThatGiveTheSameLaterGoOn() {
    begin(TransactionOptions.PLAIN);
    assertEquals(DONE, read(A, READ));
    assertEquals(DONE, read(A, OTHER));
    long before = snapshot();
    assertEquals(DONE, read(B, READ));
    assertTrue(snapshot() > before);
    assertEquals(transaction.reads().stamp(), snapshot());
    assertEquals(snapshot(), transaction.seen().orElseThrow().snapshot().orElseThrow().value());
    List<String> onA = dns.branch(A).statements;
    assertEquals(List.of(READ, OTHER, READ, OTHER), onA);
    assertTrue(
        dns.asked.stream()
            .anyMatch(asked -> asked.opening().equals(BranchControl.ROLLBACK + ";" + START)));
    transaction.commit();
    assertEquals(BranchControl.COMMIT, onA.getLast());
    assertTrue(leftNothing());
    assertFalse(dns.predictor.stays(77));
  }

  @Test
  void viewsStayViewsWhateverTheSessionsIsolationBecomes() {
    begin(TransactionOptions.PLAIN);
    assertEquals(DONE, read(A, READ));
    settings = registry.with(settings, "transaction_isolation", "'READ-COMMITTED'");
    assertEquals(DONE, read(B, READ));
    String level = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;";
    assertTrue(
        dns.asked.stream()
            .anyMatch(
                asked -> asked.opening().equals(BranchControl.ROLLBACK + ";" + level + START)));
    assertTrue(dns.asked.stream().anyMatch(asked -> asked.opening().equals(level + START)));
    transaction.commit();
    assertTrue(leftNothing());
  }

  @Test
  void rowsInAnotherOrderAreADeadlock() {
    begin(TransactionOptions.PLAIN);
    read(A, READ);
    dns.rows.put(READ, List.of(1, 3, 2));
    assertEquals(DEADLOCK, read(B, OTHER));
    transaction.rollback();
    assertTrue(leftNothing());
  }

  @Test
  void fewerRowsAreADeadlock() {
    begin(TransactionOptions.PLAIN);
    read(A, READ);
    dns.rows.put(READ, List.of(1, 2));
    assertEquals(DEADLOCK, read(B, OTHER));
  }

  @Test
  void whatWasWrittenCannotBeDoneAgain() {
    begin(TransactionOptions.PLAIN);
    read(A, READ);
    write(A);
    assertEquals(DEADLOCK, read(B, OTHER));
    assertEquals(1, dns.branch(A).statements.stream().filter(READ::equals).count());
  }

  @Test
  void whatWasReadElsewhereCannotBeDoneAgain() {
    begin(TransactionOptions.PLAIN);
    read(A, READ);
    transaction.views().keepSnapshot();
    assertEquals(DEADLOCK, read(B, OTHER));
  }

  @Test
  void answersWithoutRowsDoNotTellWhatWasDone() {
    begin(TransactionOptions.PLAIN);
    read(A, "DO (SELECT b FROM t)");
    assertEquals(DEADLOCK, read(B, OTHER));
  }

  @Test
  void aReadThatIsNotAnsweredYetCannotBeCompared() {
    begin(TransactionOptions.PLAIN);
    read(A, READ);
    dns.branch(A).silent = true;
    read(A, OTHER);
    assertEquals(DEADLOCK, read(B, READ));
  }

  @Test
  void preparedStatementsAreDoneAgain() {
    dns.rows.put("1 with types", List.of(5));
    begin(TransactionOptions.PLAIN);
    assertFalse(transaction.views().keepsReads());
    read(A, READ);
    assertTrue(transaction.views().keepsReads());
    execute(A, "1 with types");
    assertEquals(DONE, read(B, READ));
    assertEquals(List.of(READ, "1 with types", READ, "1 with types"), dns.branch(A).statements);
  }

  @Test
  void tooManyReadsAreNotKept() {
    begin(TransactionOptions.PLAIN);
    for (int i = 0; i < ReadLog.MOST_READS; i++) {
      read(A, READ);
    }
    assertEquals(DONE, read(B, OTHER));
    transaction.rollback();
    readsStayOnA(SpreadPredictor.DISTRUST + SpreadPredictor.TRUSTED);
    begin(TransactionOptions.PLAIN);
    for (int i = 0; i <= ReadLog.MOST_READS; i++) {
      read(A, READ);
    }
    dns.refusals.put(B, 1);
    assertEquals(DEADLOCK, read(B, OTHER));
  }

  @Test
  void aSnapshotThatTheClientAskedForStays() {
    begin(new TransactionOptions("", false, true));
    dns.refusals.clear();
    transaction.openSnapshot(registry.defaults());
    read(A, READ);
    dns.dataNodes.add(C);
    dns.refusals.put(C, 1);
    assertEquals(DEADLOCK, read(C, READ));
  }

  @Test
  void savepointsAreThereBehindIt() {
    begin(TransactionOptions.PLAIN);
    read(A, READ);
    transaction.savepoint(Savepoints.Action.SET, "s");
    assertEquals(DONE, read(B, READ));
    assertTrue(
        dns.asked.stream()
            .anyMatch(asked -> asked.opening().endsWith(START + ";SAVEPOINT `alrai:1`")));
    assertEquals("SAVEPOINT `alrai:1`", dns.branches.getLast().statements.getFirst());
  }

  @Test
  void aTransactionWhoseNewViewsFailLeavesNoBranch() {
    begin(TransactionOptions.PLAIN);
    read(A, READ);
    dns.refusals.put(B, Integer.MAX_VALUE);
    assertEquals(DEADLOCK, read(B, READ));
    transaction.rollback();
    assertEquals(BranchControl.ROLLBACK, dns.branch(A).statements.getLast());
    assertTrue(leftNothing());
  }

  /** Begins a transaction, and reads on A while these DNs do not answer for too long. */
  private List<CompletableFuture<Opening>> readWhileSilent(DnId... silent) {
    dns.dataNodes.add(C);
    dns.asked.clear();
    dns.branches.clear();
    List<CompletableFuture<Opening>> late = new ArrayList<>();
    for (DnId dn : silent) {
      late.add(new CompletableFuture<>());
      dns.silent.put(dn, late.getLast());
    }
    transaction.begin(TransactionOptions.PLAIN);
    transaction.statement(78, StatementTraits.PLAIN);
    assertEquals(DONE, read(A, READ));
    channel.advanceTimeBy(SnapshotOpening.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertEquals(READ, dns.branch(A).statements.getLast());
    dns.silent.clear();
    return late;
  }

  @Test
  void xaBranchesMoveAsWell() {
    List<CompletableFuture<Opening>> late = readWhileSilent(B);
    late.getFirst().complete(new Opening.Refused(transaction.snapshot().orElseThrow()));
    assertEquals(DONE, read(C, OTHER));
    long before = snapshot();
    assertEquals(DONE, read(B, READ));
    assertTrue(snapshot() > before);
    String onC =
        dns.asked.stream().filter(asked -> asked.dn().equals(C)).toList().getLast().opening();
    assertTrue(onC.matches("XA END (x'.*),1;XA ROLLBACK \\1,1;XA START \\1,1;SELECT.*"), onC);
    assertEquals(List.of(READ, READ), dns.branch(A).statements);
    assertEquals(List.of(OTHER, OTHER), dns.branch(C).statements);
    transaction.rollback();
    assertTrue(leftNothing());
  }

  /** B refuses, C opens its view when all has moved on. */
  @Test
  void aViewAtTheFormerSnapshotDoesNotJoin() {
    List<CompletableFuture<Opening>> late = readWhileSilent(B, C);
    long before = snapshot();
    dns.refusals.put(B, 1);
    late.getFirst().complete(new Opening.Refused(transaction.snapshot().orElseThrow()));
    assertEquals(DONE, read(B, READ));
    assertTrue(snapshot() > before);
    int asked = dns.asked.size();
    read(C, OTHER);
    assertEquals(asked, dns.asked.size());
    late.getLast().complete(new Opening.Open());
    assertEquals(C, dns.asked.getLast().dn());
    assertEquals(snapshot(), dns.asked.getLast().at().value());
    FakeBranch former = dns.branch(C);
    assertTrue(former.released);
    assertTrue(former.statements.getLast().startsWith("XA END"), former.statements.toString());
    assertEquals(OTHER, dns.branches.getLast().statements.getLast());
  }
}
